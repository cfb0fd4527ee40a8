"""Encoded sounds → what a page shows before it plays them. They are played as they were logged.

WAV files of plain numbers are read here, in pieces of bounded size, so that an hour of sound needs no more
memory than a second. All others are for browsers to decode: nothing is known about them but their type.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sightline.formats.sniff import mime_type
from sightline.formats.wav import Coding, Wav, is_wav, read_wav
from sightline.model.byte_source import ByteSource
from sightline.model.errors import MediaError

MAX_VALUES = 1 << 28
"""That peaks are made of: 50 minutes of stereo at 44.1 kHz, which takes about a second."""

PIECE_VALUES = 1 << 18
"""Values (frames × channels) that are looked at together."""

_TYPE_OF_SOUND = {
    "audio/mpeg": "audio/mpeg",
    "audio/ogg": "audio/ogg",
    "audio/flac": "audio/flac",
    # Containers that may as well hold a film: here they are asked for as sounds.
    "video/mp4": "audio/mp4",
    "video/webm": "audio/webm",
}


@dataclass(frozen=True)
class SoundOverview:
    """A sound at a glance; see ``SoundPeaks`` of the audio dashboard for the meaning of each."""

    mime_type: str
    is_decoded: bool = False
    rate_hz: int = 0
    channels: int = 0
    bits: int = 0
    duration_s: float = 0.0
    rms: float = 0.0
    least: tuple[float, ...] = ()
    greatest: tuple[float, ...] = ()
    note: str = ""


def sound_type(data: ByteSource) -> str:
    """Raises MediaError for what is no sound that browsers know."""
    if is_wav(data):
        return "audio/wav"
    found = mime_type(data)
    if found in _TYPE_OF_SOUND:
        return _TYPE_OF_SOUND[found]
    if not len(data):
        raise MediaError("The sound is empty: no byte of it was logged")
    if found:
        raise MediaError(f"This is no sound, but {found}")
    raise MediaError("This is no sound of a known type: neither WAV, MP3, Ogg, FLAC, MP4 nor WebM")


def overview(data: ByteSource, *, buckets: int) -> SoundOverview:
    """Raises MediaError for what cannot be shown."""
    found = sound_type(data)
    if found != "audio/wav":
        return SoundOverview(found)
    wav = read_wav(data)
    if wav.coding is Coding.other:
        return SoundOverview(found, note=wav.note)
    peaks = _peaks_of(data, wav, buckets)
    notes = [wav.note] if wav.note else []
    if peaks.odd_count:
        notes.append(f"{peaks.odd_count:,} samples are no numbers; they are drawn as silence")
    if peaks.frames < wav.frames:
        notes.append(f"The waveform ends after {peaks.frames / wav.rate_hz / 60:.0f} minutes")
    if not notes and not wav.frames:
        notes.append("The sound has no samples")
    return SoundOverview(
        found,
        is_decoded=True,
        rate_hz=wav.rate_hz,
        channels=wav.channels,
        bits=wav.bits,
        duration_s=wav.duration_s,
        rms=peaks.rms,
        least=_short(peaks.least),
        greatest=_short(peaks.greatest),
        note=". ".join(notes),
    )


class _Peaks(NamedTuple):
    least: NDArray[np.float32]
    greatest: NDArray[np.float32]
    rms: float
    odd_count: int
    frames: int
    """That were looked at."""


def _peaks_of(data: ByteSource, wav: Wav, buckets: int) -> _Peaks:
    """Least and greatest value of each of equal stretches, at most one stretch per frame."""
    count = min(buckets, wav.frames)
    frames = min(wav.frames, MAX_VALUES // wav.channels)
    edges = np.arange(count + 1, dtype=np.int64) * wav.frames // max(count, 1)
    least = np.full(count, np.inf, np.float32)
    greatest = np.full(count, -np.inf, np.float32)
    squares, odd_count, first = 0.0, 0, 0
    for piece in float_pieces(data, wav, max_frames=frames):
        values, odd = _finite_values(piece)
        odd_count += odd
        flat = values.ravel().astype(np.float64)
        squares += float(np.dot(flat, flat))
        # The stretches that this piece touches, and where in it each begins.
        begin = int(np.searchsorted(edges, first, "right")) - 1
        end = int(np.searchsorted(edges, first + len(values), "left"))
        starts = np.maximum(edges[begin:end] - first, 0)
        touched = slice(begin, end)
        least[touched] = np.minimum(least[touched], np.minimum.reduceat(values.min(axis=1), starts))
        greatest[touched] = np.maximum(greatest[touched], np.maximum.reduceat(values.max(axis=1), starts))
        first += len(values)
    is_missing = ~np.isfinite(least)
    least[is_missing] = greatest[is_missing] = 0
    rms = float(np.sqrt(squares / (frames * wav.channels))) if frames else 0.0
    return _Peaks(least, greatest, rms, odd_count, frames)


def _short(values: NDArray[np.float32]) -> tuple[float, ...]:
    """With as many digits as a picture of any height can show: a third of the JSON."""
    return tuple(float(f"{value:.5g}") for value in values.tolist())


# ── samples ──────────────────────────────────────────────────────────────────────────────────────────────


def float_pieces(data: ByteSource, wav: Wav, *, max_frames: int) -> Iterator[NDArray[np.float32]]:
    """The first frames as floats [frames, channels], some at a time; 1 is full scale. What is no finite
    number comes as it is."""
    step = max(1, PIECE_VALUES // wav.channels)
    until = min(wav.frames, max_frames)
    for first in range(0, until, step):
        last = min(first + step, until)
        raw = data[wav.begin + first * wav.frame_bytes : wav.begin + last * wav.frame_bytes]
        yield _as_floats(np.frombuffer(raw, np.uint8), wav).reshape(last - first, wav.channels)


def _as_floats(raw: NDArray[np.uint8], wav: Wav) -> NDArray[np.float32]:
    if wav.coding is Coding.float:
        with np.errstate(over="ignore"):
            return raw.view(f"<f{wav.sample_bytes}").astype(np.float32, copy=False)
    if wav.sample_bytes == 1:  # the only unsigned ones
        return (raw.astype(np.float32) - np.float32(128)) / np.float32(128)
    if wav.sample_bytes == 3:
        wide = np.zeros((len(raw) // 3, 4), np.uint8)
        wide[:, 1:] = raw.reshape(-1, 3)
        return wide.reshape(-1).view("<i4").astype(np.float32) / np.float32(2**31)
    values = raw.view(f"<i{wav.sample_bytes}")
    return values.astype(np.float32) / np.float32(2.0 ** (8 * wav.sample_bytes - 1))


def _finite_values(values: NDArray[np.float32]) -> tuple[NDArray[np.float32], int]:
    """With 0 in the place of what is no finite number, and how many there were."""
    is_finite = np.isfinite(values)
    odd_count = values.size - int(np.count_nonzero(is_finite))
    return (np.where(is_finite, values, np.float32(0)), odd_count) if odd_count else (values, 0)
