"""Pictures in cells of tables: what their first bytes tell, without decoding anything."""

from __future__ import annotations

from sightline.formats.sniff import image_size_px
from sightline.media.types import picture_type

_SUFFIXES = {
    "image/png": ".png",
    "image/jpeg": ".jpg",
    "image/gif": ".gif",
    "image/webp": ".webp",
    "image/bmp": ".bmp",
    "image/avif": ".avif",
    "video/mp4": ".mp4",
    "video/webm": ".webm",
}


def picture_size(data: bytes) -> tuple[int, int]:
    """Width and height as the header tells them; (0, 0) when it does not."""
    return image_size_px(data) or (0, 0)


def picture_suffix(data: bytes) -> str:
    """How the name of a file with this picture ends."""
    return _SUFFIXES.get(picture_type(data), ".bin")
