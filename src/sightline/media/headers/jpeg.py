"""JPEG: a row of segments up to the first scan. Only the frame header and the orientation matter here."""

from __future__ import annotations

import struct

from sightline.media.headers.header import HeaderError, PictureHeader

MAX_SEGMENTS = 10_000
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_WITHOUT_LENGTH = frozenset((0x01, *range(0xD0, 0xD8)))
_APP1, _SCAN, _END = 0xE1, 0xDA, 0xD9
_EXIF = b"Exif\0\0"
_ORIENTATION_TAG = 0x0112
_MAX_TAGS = 1_000


def jpeg_header(data: bytes) -> PictureHeader:
    try:
        return _walk(data)
    except (struct.error, IndexError):
        raise HeaderError("JPEG", "it is cut off before its size") from None


def scan_count(data: bytes) -> int:
    """Passes over the picture that decoding takes; a few more where a preview is embedded."""
    return data.count(b"\xff\xda")


def _walk(data: bytes) -> PictureHeader:
    orientation = 1
    pos = 2
    for _ in range(MAX_SEGMENTS):
        if data[pos] != 0xFF:
            raise HeaderError("JPEG", f"there is no segment at byte {pos:,}")
        marker = data[pos + 1]
        if marker == 0xFF:  # padding
            pos += 1
            continue
        if marker in _WITHOUT_LENGTH:
            pos += 2
            continue
        if marker in (_SCAN, _END):
            raise HeaderError("JPEG", "its size is missing")
        length = max(2, struct.unpack_from(">H", data, pos + 2)[0])
        if marker in _FRAMES:
            bits, height, width, components = struct.unpack_from(">BHHB", data, pos + 4)
            if not width or not height or components not in (1, 3, 4):
                raise HeaderError(
                    "JPEG", f"its size is {width:,} × {height:,} pixels with {components} components"
                )
            if orientation >= 5:
                width, height = height, width
            # Four components are printing colours; they are shown as three.
            channels = min(components, 3)
            return PictureHeader("image/jpeg", width, height, bits, channels, orientation=orientation)
        if marker == _APP1 and data[pos + 4 : pos + 10] == _EXIF:
            orientation = _orientation(data[pos + 10 : pos + 2 + length]) or orientation
        pos += 2 + length
    raise HeaderError("JPEG", f"it has more than {MAX_SEGMENTS:,} segments before its size")


def _orientation(tiff: bytes) -> int:
    """From the first directory of EXIF; 0 when it does not tell."""
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
