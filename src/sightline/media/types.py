"""Which types of media are handed to a browser under their own name. By their first bytes, never by what a
summary says; whatever is not listed (SVG and HTML above all) is nobody's picture."""

from __future__ import annotations

from sightline.formats.sniff import mime_type
from sightline.model.byte_source import ByteSource

FILM_TYPES = ("video/mp4", "video/webm")

_ENDING_OF_TYPE = {
    "image/png": "png",
    "image/jpeg": "jpg",
    "image/gif": "gif",
    "image/webp": "webp",
    "image/bmp": "bmp",
    "image/avif": "avif",
    "video/mp4": "mp4",
    "video/webm": "webm",
}

PICTURE_TYPES = tuple(_ENDING_OF_TYPE)
"""Films included."""


def picture_type(data: ByteSource) -> str:
    """The type of an encoded picture or film; "" for anything else."""
    found = mime_type(data)
    return found if found in _ENDING_OF_TYPE else ""


def picture_ending(data: ByteSource) -> str:
    """How the name of a file with this picture ends, without the dot."""
    return _ENDING_OF_TYPE.get(mime_type(data), "bin")
