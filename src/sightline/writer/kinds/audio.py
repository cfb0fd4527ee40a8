"""Sounds: ``add_audio``. Written as by torch: a WAV file of 16 bits in the legacy ``audio`` field."""

from __future__ import annotations

import io
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sightline.formats.messages import Audio, Value
from sightline.model.errors import BadArgumentError
from sightline.writer.engine.arguments import checked_number, checked_tag
from sightline.writer.engine.arrays import array_from
from sightline.writer.engine.background import forks_wait
from sightline.writer.engine.base import WriterBase

_LOUDEST = 0x7FFF
_STEREO = 2
_RATE = "sample_rate is a number of hertz, 1 or more"
_HIGHEST_RATE_HZ = 0xFFFFFFFF  # what the header of a WAV file can hold


class AudioMethods(WriterBase):
    def add_audio(
        self,
        tag: str,
        snd_tensor: Any,
        global_step: Any = None,
        sample_rate: int = 44100,
        walltime: float | None = None,
    ) -> None:
        """Logs a sound: [frames], or [frames, 2] in stereo; [2, frames] and axes of size 1 are understood.

        Floats are -1 to 1; what is louder is clipped, with one warning per tag. Integers are samples:
        int16 is taken as it is, int8, uint8 and int32 are brought to 16 bits, int64 holds values of 16 bits.
        """
        checked_tag(tag)
        frames = frames_from(array_from(snd_tensor, is_copy=True))
        rate_hz = round(checked_number(sample_rate, _RATE, 0.5, _HIGHEST_RATE_HZ))

        def encode() -> list[Value]:
            samples = samples_from(frames)
            if samples.nan_count:
                self._warn_once(tag, "%r: %d samples are not a number; they are silent", samples.nan_count)
            if samples.clipped_count:
                self._warn_once(tag, "%r: %d samples are too loud; they are clipped", samples.clipped_count)
            return [Value(tag=tag, audio=audio_message(samples.values, sample_rate, rate_hz))]

        self._defer(encode, global_step, walltime, frames.nbytes)


def frames_from(array: NDArray[Any]) -> NDArray[Any]:
    """The sound as [frames, channels]. Raises BadArgumentError."""
    squeezed = array.squeeze()
    if array.size == 0:
        raise BadArgumentError(f"There is no sample in an array of shape {array.shape}")
    if array.dtype.kind not in "bif" and array.dtype != np.uint8:
        raise BadArgumentError(f"Samples are floats of -1 to 1, or int16, not {array.dtype}. Convert them")
    if squeezed.ndim <= 1:
        return squeezed.reshape(-1, 1)
    if squeezed.ndim == 2 and _STEREO in squeezed.shape:
        return squeezed if squeezed.shape[1] == _STEREO else squeezed.T
    raise BadArgumentError(f"A sound has the shape [frames] or [frames, 2], not {array.shape}")


class Samples(NamedTuple):
    """16 bits each, and what got lost on the way there."""

    values: NDArray[np.int16]
    nan_count: int = 0
    clipped_count: int = 0


def samples_from(array: NDArray[Any]) -> Samples:
    """Any numbers that `frames_from` lets pass, as samples of 16 bits."""
    if array.dtype.kind in "iu":
        return _samples_of_integers(array)
    # Halves are widened: in their own precision the loudest sample would overflow. Bools are 0 and 1.
    wide = array.astype(np.float32) if array.dtype.itemsize < 4 else array
    with np.errstate(invalid="ignore"):
        is_loud = np.abs(wide) > 1
        is_nan = np.isnan(wide)
    nan_count = int(np.count_nonzero(is_nan))
    clipped_count = int(np.count_nonzero(is_loud))
    if clipped_count:
        wide = wide.clip(-1, 1)
    if nan_count:
        wide = np.where(is_nan, wide.dtype.type(0), wide)
    return Samples((wide * _LOUDEST).astype(np.int16), nan_count, clipped_count)


def _samples_of_integers(array: NDArray[Any]) -> Samples:
    if array.dtype == np.uint8:  # the only unsigned samples there are: silence is 128
        return Samples((array.astype(np.int16) - 128) << 8)
    if array.dtype == np.int8:
        return Samples(array.astype(np.int16) << 8)
    if array.dtype == np.int32:
        return Samples((array >> 16).astype(np.int16))
    values = array.clip(-_LOUDEST - 1, _LOUDEST)
    return Samples(values.astype(np.int16), 0, int(np.count_nonzero(values != array)))


def wav_from_samples(samples: NDArray[np.int16], rate_hz: int) -> bytes:
    """A WAV file of samples [frames, channels]."""
    with forks_wait():
        import wave

    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(samples.shape[1])
        file.setsampwidth(samples.itemsize)
        file.setframerate(rate_hz)
        file.writeframes(samples.astype("<i2").tobytes())
    return out.getvalue()


def audio_message(samples: NDArray[np.int16], sample_rate: float, rate_hz: int) -> Audio:
    """The value of samples [frames, channels]. The header holds whole hertz, the value any rate."""
    length_frames, num_channels = samples.shape
    return Audio(
        sample_rate=float(sample_rate),
        num_channels=num_channels,
        length_frames=length_frames,
        encoded_audio_string=wav_from_samples(samples, rate_hz),
        content_type="audio/wav",
    )
