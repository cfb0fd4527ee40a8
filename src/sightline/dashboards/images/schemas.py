"""What travels between the page and this dashboard: pictures and films."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from sightline.wire.schemas import ServerId
from sightline.wire.value_schemas import (
    ItemParameters,
    Sample,
    ThumbnailSize,
    ValueAddress,
)

MAX_ZIP_ITEMS = 10_000

FACTS_HEADER = "sightline-facts"
"""Of an answer that is a picture: ``PictureFacts`` as JSON in ASCII."""


class PictureParameters(ItemParameters, frozen=True, kw_only=True):
    """One picture as it was logged."""

    sample: Sample = 0
    download: bool = False


class ThumbnailParameters(ItemParameters, frozen=True, kw_only=True):
    """One picture for a grid: never larger than asked for, in either direction."""

    sample: Sample = 0
    size: ThumbnailSize = 256


class PixelsParameters(ItemParameters, frozen=True, kw_only=True):
    """One picture, to be taken apart."""

    sample: Sample = 0


class PictureFacts(Struct, frozen=True):
    """What the encoded picture or film says about itself (not what the summary says)."""

    mime_type: str
    width: int
    height: int
    """0 × 0: unknown, as of films in containers that are not looked into."""
    bits: int
    """Of one channel of one pixel."""
    channels: int
    size_bytes: int
    samples: int
    """Pictures at this step."""
    frames: int
    """1: a still. 0: a film whose frames are not counted."""
    duration_s: float
    """Of a film; 0 when unknown."""
    is_original: bool
    """The body holds the bytes as they were logged."""
    is_grey: bool
    """Without colour. Of the thumbnail of a still by its pixels, whatever channels the file has; of
    everything else by the file's header."""
    is_cut: bool = False
    """The file ends before its film does: frames may be missing. Only GIFs tell."""


class FramesHeader(Struct, frozen=True):
    """Of ``GET images/frames``. The body: the length of this header as little-endian u32, the header as JSON,
    then the frames one after the other, each an encoded picture."""

    mime_type: str
    """Of every frame."""
    width: int
    height: int
    durations_ms: list[int]
    """How long each is shown; one 0 for a still."""
    sizes: list[int]
    """Bytes of each frame in the body."""
    is_cut: bool
    """Frames at the end are missing: the file is damaged there."""


class PictureAddress(ValueAddress, frozen=True):
    sample: Sample = 0


class PictureZipRequest(Struct, frozen=True, kw_only=True):
    pictures: Annotated[list[PictureAddress], Meta(min_length=1, max_length=MAX_ZIP_ITEMS)]
    server_id: ServerId | None = None
