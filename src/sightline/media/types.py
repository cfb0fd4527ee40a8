"""Which types of media are handed to a browser under their own name. By their first bytes, never by what a
summary says; whatever is not listed (SVG and HTML above all) is nobody's picture."""

from __future__ import annotations

from sightline.formats.sniff import mime_type

FILM_TYPES = frozenset({"video/mp4", "video/webm"})
PICTURE_TYPES = FILM_TYPES | {
    "image/png",
    "image/jpeg",
    "image/gif",
    "image/webp",
    "image/bmp",
    "image/avif",
}
SOUND_TYPES = frozenset({"audio/wav", "audio/mpeg", "audio/ogg", "audio/flac"})


def picture_type(data: bytes) -> str:
    """The type of an encoded picture or film; "" for anything else."""
    found = mime_type(data)
    return found if found in PICTURE_TYPES else ""


def sound_type(data: bytes) -> str:
    """The type of an encoded sound; "" for anything else."""
    found = mime_type(data)
    return found if found in SOUND_TYPES else ""
