"""EXIF, as far as it says which way up a picture is."""

from __future__ import annotations

import struct

_ORIENTATION_TAG = 0x0112
_MAX_TAGS = 1_000


def exif_orientation(tiff: bytes) -> int:
    """1 to 8, from the first directory; 0 when it does not tell."""
    order = {b"II*\0": "<", b"MM\0*": ">"}.get(tiff[:4])
    if order is None:
        return 0
    try:
        (start,) = struct.unpack_from(f"{order}I", tiff, 4)
        (count,) = struct.unpack_from(f"{order}H", tiff, start)
        for row in range(min(count, _MAX_TAGS)):
            tag, _, _, value = struct.unpack_from(f"{order}HHIH", tiff, start + 2 + 12 * row)
            if tag == _ORIENTATION_TAG:
                return value if 1 <= value <= 8 else 0
    except struct.error:
        return 0
    return 0
