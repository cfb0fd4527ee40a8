"""What travels between the page and this dashboard: sounds."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from sightline.wire.value_schemas import (
    ItemParameters,
    Sample,
)

MAX_PEAKS = 8_192

UNKNOWN_MEDIA_TYPE = "application/octet-stream"
"""Of a download whose type is not known."""

ENDINGS = {
    "audio/wav": "wav",
    "audio/mpeg": "mp3",
    "audio/ogg": "ogg",
    "audio/flac": "flac",
    "audio/mp4": "m4a",
    "audio/webm": "webm",
}

SOUND_MEDIA_TYPES = (*ENDINGS, UNKNOWN_MEDIA_TYPE)


class SoundParameters(ItemParameters, frozen=True, kw_only=True):
    sample: Sample = 0
    download: bool = False
    """True: the bytes as they were logged. False: what browsers can play."""


class PeaksParameters(ItemParameters, frozen=True, kw_only=True):
    sample: Sample = 0
    buckets: Annotated[int, Meta(ge=1, le=MAX_PEAKS)] = 1_024


class SoundPeaks(Struct, frozen=True):
    """A sound at a glance."""

    mime_type: str
    label: str
    """Markdown, as it was logged."""
    samples: int
    """Sounds at this step."""
    size_bytes: int
    is_decoded: bool
    """False: not a WAV file of plain numbers. The page decodes it to learn what follows, which is 0 or empty
    here."""
    rate_hz: int
    channels: int
    bits: int
    duration_s: float
    rms: float
    """Root of the mean square of all samples: how loud it is; 1 is full scale."""
    least: list[float]
    """Of all channels, in each of the equal stretches; −1 to 1 is full scale."""
    greatest: list[float]
    note: str
    """What is wrong with the file, though it can be played; empty when nothing is."""
