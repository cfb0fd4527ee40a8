"""Whether the end of an encoded picture is missing: what decoders say of such files is a riddle to people."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sightline.media.headers.png import chunks_of

if TYPE_CHECKING:
    from sightline.media.headers.header import PictureHeader


def is_cut_off(data: bytes, header: PictureHeader) -> bool:
    """Of a picture that could not be decoded, and whose header could be read."""
    look = _LOOKS.get(header.mime_type)
    return header.is_cut or (look is not None and look(data))


def _is_png_cut(data: bytes) -> bool:
    return all(chunk.name != b"IEND" for chunk in chunks_of(data))


def _is_jpeg_cut(data: bytes) -> bool:
    """The end is behind the last scan; a preview in front has its own."""
    end = data.rfind(b"\xff\xd9")
    return end < 0 or end < data.rfind(b"\xff\xda")


def _is_webp_cut(data: bytes) -> bool:
    return len(data) < 8 + int.from_bytes(data[4:8], "little")


def _is_bmp_cut(data: bytes) -> bool:
    return len(data) < int.from_bytes(data[2:6], "little")


# A GIF is read to its end for its header, which says so.
_LOOKS: dict[str, Callable[[bytes], bool]] = {
    "image/png": _is_png_cut,
    "image/jpeg": _is_jpeg_cut,
    "image/webp": _is_webp_cut,
    "image/bmp": _is_bmp_cut,
}
