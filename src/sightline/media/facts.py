"""What an encoded picture or film says about itself, of whatever format it is."""

from __future__ import annotations

from dataclasses import dataclass

from sightline.media.films import film_header
from sightline.media.pictures import MAX_PIXELS, header_of, not_a_picture
from sightline.media.types import FILM_TYPES, picture_type
from sightline.model.byte_source import ByteSource
from sightline.model.errors import MediaError


@dataclass(frozen=True)
class MediaFacts:
    """0: unknown."""

    mime_type: str
    size_bytes: int
    width: int = 0
    height: int = 0
    bits: int = 0
    channels: int = 0
    frames: int = 1
    duration_s: float = 0.0
    is_cut: bool = False


def facts_of(data: ByteSource) -> MediaFacts:
    """Decodes nothing. Raises MediaError for what is no picture, or has a header that makes no sense."""
    found = picture_type(data)
    if not found:
        raise not_a_picture(data)
    if found in FILM_TYPES:
        film = film_header(data)
        return MediaFacts(
            found,
            len(data),
            film.width,
            film.height,
            bits=8,
            channels=3,
            frames=film.frames,
            duration_s=film.duration_s,
        )
    header = header_of(data)
    return MediaFacts(
        found,
        len(data),
        header.width,
        header.height,
        bits=header.bits,
        channels=header.channels,
        frames=header.frames,
        duration_s=header.duration_s,
        is_cut=header.is_cut,
    )


def check_may_be_shown(facts: MediaFacts) -> None:
    """Raises MediaError for what would take a browser gigabytes to decode."""
    if facts.width * facts.height > MAX_PIXELS:
        raise MediaError(
            f"The picture is too large to be shown: {facts.width:,} × {facts.height:,} pixels, "
            f"and {MAX_PIXELS:,} is the limit"
        )
