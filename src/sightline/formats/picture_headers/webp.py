"""WebP: chunks in a RIFF file; a plain picture, or a canvas with frames."""

from __future__ import annotations

import struct

from sightline.formats.picture_headers.header import HeaderError, PictureHeader, shown_delay_ms
from sightline.model.byte_source import ByteSource, unpack_at

MAX_CHUNKS = 100_000
_ALPHA, _ANIMATION = 0x10, 0x02


def webp_header(data: ByteSource) -> PictureHeader:
    try:
        return _read(data)
    except (struct.error, IndexError):
        raise HeaderError("WebP", "it is cut off") from None


def _read(data: ByteSource) -> PictureHeader:
    first = data[12:16]
    if first == b"VP8 ":
        if data[23:26] != b"\x9d\x01\x2a":
            raise HeaderError("WebP", "it does not begin with a whole picture")
        width, height = unpack_at("<HH", data, 26)
        return _still(width & 0x3FFF, height & 0x3FFF, has_alpha=False)
    if first == b"VP8L":
        if data[20] != 0x2F:
            raise HeaderError("WebP", "it does not begin with a picture")
        (bits,) = unpack_at("<I", data, 21)
        return _still((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1, has_alpha=bool(bits >> 28 & 1))
    if first == b"VP8X":
        flags = data[20]
        width, height = _uint24(data, 24) + 1, _uint24(data, 27) + 1
        still = _still(width, height, has_alpha=bool(flags & _ALPHA))
        if not flags & _ANIMATION:
            return still
        delays_ms = _delays_ms(data)
        return PictureHeader(
            still.mime_type,
            width,
            height,
            still.bits,
            still.channels,
            delays_ms=tuple(delays_ms) if len(delays_ms) > 1 else (),
        )
    raise HeaderError("WebP", f"it begins with {first!r}")


def _still(width: int, height: int, *, has_alpha: bool) -> PictureHeader:
    if not width or not height:
        raise HeaderError("WebP", f"its size is {width:,} × {height:,} pixels")
    return PictureHeader("image/webp", width, height, 8, 3 + has_alpha)


def _delays_ms(data: ByteSource) -> list[int]:
    delays_ms: list[int] = []
    pos = 12
    for _ in range(MAX_CHUNKS):
        if pos + 8 > len(data):
            return delays_ms
        name, size = unpack_at("<4sI", data, pos)
        if name == b"ANMF" and pos + 24 <= len(data):
            delays_ms.append(shown_delay_ms(_uint24(data, pos + 8 + 12)))
        pos += 8 + size + size % 2
    raise HeaderError("WebP", f"it has more than {MAX_CHUNKS:,} chunks")


def _uint24(data: ByteSource, pos: int) -> int:
    low, high = unpack_at("<HB", data, pos)
    return int(low | high << 16)
