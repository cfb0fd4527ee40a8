"""JPEG: a row of segments up to the first scan. Only the frame header and the orientation matter here."""

from __future__ import annotations

import struct
from contextlib import suppress
from dataclasses import dataclass

from sightline.formats.picture_headers.exif import exif_orientation
from sightline.formats.picture_headers.header import HeaderError, PictureHeader
from sightline.model.byte_source import ByteSource, unpack_at

MAX_SEGMENTS = 10_000
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_WITHOUT_LENGTH = frozenset((0x01, *range(0xD0, 0xD8)))
_APP1, _SCAN, _END = 0xE1, 0xDA, 0xD9
_EXIF = b"Exif\0\0"


def jpeg_header(data: ByteSource) -> PictureHeader:
    found = _Found()
    with suppress(struct.error, IndexError):  # cut off: what came before counts
        _walk(data, found)
    if found.size is None:
        raise HeaderError("JPEG", "it is cut off before its size")
    width, height = found.size
    if found.orientation >= 5:
        width, height = height, width
    orientation = found.orientation or 1
    return PictureHeader("image/jpeg", width, height, found.bits, found.channels, orientation=orientation)


def scan_count(data: bytes) -> int:
    """Passes over the picture that decoding takes; a few more where a preview is embedded."""
    return data.count(b"\xff\xda")


@dataclass
class _Found:
    size: tuple[int, int] | None = None
    """As it is stored."""
    bits: int = 0
    channels: int = 0
    orientation: int = 0


def _walk(data: ByteSource, found: _Found) -> None:
    pos = 2
    for _ in range(MAX_SEGMENTS):
        if data[pos] != 0xFF:
            if found.size is not None:
                return
            raise HeaderError("JPEG", f"there is no segment at byte {pos:,}")
        marker = data[pos + 1]
        if marker == 0xFF:  # padding
            pos += 1
            continue
        if marker in _WITHOUT_LENGTH:
            pos += 2
            continue
        if marker in (_SCAN, _END):
            if found.size is None:
                raise HeaderError("JPEG", "its size is missing")
            return
        length = max(2, unpack_at(">H", data, pos + 2)[0])
        if marker in _FRAMES and found.size is None:
            bits, height, width, components = unpack_at(">BHHB", data, pos + 4)
            if not width or not height or components not in (1, 3, 4):
                raise HeaderError(
                    "JPEG", f"its size is {width:,} × {height:,} pixels with {components} components"
                )
            found.size = width, height
            found.bits = bits
            found.channels = min(components, 3)  # four are printing colours; they are shown as three
        elif marker == _APP1 and not found.orientation and data[pos + 4 : pos + 10] == _EXIF:
            # Of several the first counts, wherever it is: browsers do it like that.
            found.orientation = exif_orientation(data[pos + 10 : pos + 2 + length])
        pos += 2 + length
    if found.size is None:
        raise HeaderError("JPEG", f"it has more than {MAX_SEGMENTS:,} segments before its size")
