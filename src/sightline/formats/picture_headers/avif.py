"""AVIF, which is left to browsers: only its size is looked for, and nothing else is understood.

The boxes that state size, depth and turn are short and near the beginning, so they are searched for by name.
A file that hides them, or lies about them, is a picture of unknown size to us and the browser's to refuse.
"""

from __future__ import annotations

import struct

from sightline.formats.picture_headers.header import PictureHeader
from sightline.model.byte_source import ByteSource

_MAX_SEARCHED_BYTES = 16 << 10


def avif_header(data: ByteSource) -> PictureHeader:
    """0 × 0 pixels where the size cannot be found."""
    head = data[:_MAX_SEARCHED_BYTES]
    # Tiles and opacity have sizes of their own; none is larger than the picture.
    sizes = [struct.unpack(">II", piece[4:12]) for piece in head.split(b"ispe")[1:] if len(piece) >= 12]
    width, height = max(sizes, default=(0, 0))
    turn = _byte_behind(head, b"irot", 0)
    if turn & 1:
        width, height = height, width
    settings = _byte_behind(head, b"av1C", 2)
    bits = 8 if not settings & 0x40 else 12 if settings & 0x20 else 10
    return PictureHeader("image/avif", width, height, bits, channels=1 if settings & 0x10 else 3)


def _byte_behind(head: bytes, name: bytes, offset: int) -> int:
    """0 where there is none."""
    at = head.find(name)
    return next(iter(head[at + 4 + offset : at + 5 + offset]), 0) if at >= 0 else 0
