"""BMP: a fixed header, in several lengths."""

from __future__ import annotations

import struct

from sightline.formats.picture_headers.header import HeaderError, PictureHeader
from sightline.model.byte_source import ByteSource, unpack_at

_OS2_HEADER_BYTES = 12
_BIT_FIELDS = 3
_RUN_LENGTHS = (1, 2)
_ALPHA_MASK_AT = 66


def has_run_lengths(data: ByteSource) -> bool:
    """Whether the pixels of a BMP are compressed."""
    return data[14:18] != b"\x0c\0\0\0" and int.from_bytes(data[30:34], "little") in _RUN_LENGTHS


def bmp_header(data: ByteSource) -> PictureHeader:
    try:
        (header_bytes,) = unpack_at("<I", data, 14)
        if header_bytes == _OS2_HEADER_BYTES:
            width, height, _, bits = unpack_at("<HHHH", data, 18)
            compression = 0
        else:
            width, height, _, bits, compression = unpack_at("<iiHHI", data, 18)
        has_alpha = False
        if bits == 32 and compression == _BIT_FIELDS and header_bytes >= 56:
            has_alpha = unpack_at("<I", data, _ALPHA_MASK_AT)[0] != 0
    except struct.error:
        raise HeaderError("BMP", "it is cut off") from None
    height = abs(height)  # negative: rows from the top
    if width <= 0 or not height:
        raise HeaderError("BMP", f"its size is {width:,} × {height:,} pixels")
    if bits not in (1, 2, 4, 8, 16, 24, 32):
        raise HeaderError("BMP", f"there are no pixels of {bits} bits")
    return PictureHeader("image/bmp", width, height, 8, 3 + has_alpha)
