"""Encoded sounds → what a page shows before it plays them, and bytes that browsers can play.

WAV files are read here (``wav``). Other sounds are passed through: browsers decode them better than we could,
and nothing is known about them but their type.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sightline.formats.sniff import mime_type
from sightline.media.cut_sounds import cut_note
from sightline.media.rewritten_wav import RewrittenWav
from sightline.media.wav import Coding, Wav, finite_values, float_pieces, is_wav, read_wav
from sightline.model.byte_source import ByteSource
from sightline.model.errors import MediaError

MAX_VALUES = 1 << 28
"""That peaks are made of: 50 minutes of stereo at 44.1 kHz, which takes about a second."""

# What browsers play; it is the same in all of them to a few numbers.
_LEAST_RATE_HZ, _GREATEST_RATE_HZ = 3_000, 768_000
_MOST_CHANNELS = 32

_PASSED_THROUGH = {
    "audio/mpeg": "audio/mpeg",
    "audio/ogg": "audio/ogg",
    "audio/flac": "audio/flac",
    # Containers that may as well hold a film: here they are asked for as sounds.
    "video/mp4": "audio/mp4",
    "video/webm": "audio/webm",
}


class PlayableSound(NamedTuple):
    body: ByteSource
    mime_type: str


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
    if found in _PASSED_THROUGH:
        return _PASSED_THROUGH[found]
    if not len(data):
        raise MediaError("The sound is empty: no byte of it was logged")
    if found:
        raise MediaError(f"This is no sound, but {found}")
    raise MediaError("This is no sound of a known type: neither WAV, MP3, Ogg, FLAC, MP4 nor WebM")


def overview(data: ByteSource, *, buckets: int) -> SoundOverview:
    """Raises MediaError for what cannot be shown."""
    found = sound_type(data)
    if found != "audio/wav":
        return SoundOverview(found, note=cut_note(data, found))
    wav = read_wav(data)
    peaks = _peaks_of(data, wav, buckets)
    notes = [wav.note] if wav.note else []
    if peaks.odd_count:
        notes.append(f"{peaks.odd_count:,} samples are no numbers; they are silent")
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
        values, odd = finite_values(piece)
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


class Playing(NamedTuple):
    """What it takes to play a sound."""

    mime_type: str
    rewritten: Wav | None = None
    """None: it is sent as it was logged."""


def playable(data: ByteSource) -> PlayableSound:
    """The sound as it was logged when browsers take it; else the same as a WAV file that they take. Raises
    MediaError for what cannot be played."""
    return played_as(data, playing_of(data))


def playing_of(data: ByteSource) -> Playing:
    """Reads the header; of a regular file of floats all samples. Raises MediaError."""
    found = sound_type(data)
    if found != "audio/wav":
        return Playing(found)
    wav = read_wav(data)
    _check_playable(wav)
    is_plain = wav.is_regular and not (wav.coding is Coding.float and _has_odd_values(data, wav))
    return Playing(found) if is_plain else Playing(found, wav)


def played_as(data: ByteSource, how: Playing) -> PlayableSound:
    """``how``: what ``playing_of`` found out of the same bytes."""
    body = data if how.rewritten is None else RewrittenWav(data, how.rewritten)
    return PlayableSound(body, how.mime_type)


def _check_playable(wav: Wav) -> None:
    if not wav.frames:
        raise MediaError("The sound has no samples: there is nothing to play")
    if not _LEAST_RATE_HZ <= wav.rate_hz <= _GREATEST_RATE_HZ:
        raise MediaError(
            f"Browsers play {_LEAST_RATE_HZ:,} to {_GREATEST_RATE_HZ:,} samples per second; this sound has "
            f"{wav.rate_hz:,}"
        )
    if wav.channels > _MOST_CHANNELS:
        raise MediaError(f"Browsers play up to {_MOST_CHANNELS} channels; this sound has {wav.channels:,}")


def _has_odd_values(data: ByteSource, wav: Wav) -> bool:
    return any(not np.isfinite(piece).all() for piece in float_pieces(data, wav, max_frames=wav.frames))
