"""Facts read from the first bytes of encoded images, films and sounds.

What a summary says of its media cannot be trusted: sizes are often zero, and no type is stored. The encoded
data knows better. These functions look at headers only, decode nothing, never raise, and answer "unknown"
(``""`` or None) for anything odd.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import NamedTuple

from sightline.model.byte_source import ByteSource

_MAGICS = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"BM", "image/bmp"),
    (b"\x1aE\xdf\xa3", "video/webm"),
    (b"fLaC", "audio/flac"),
    (b"OggS", "audio/ogg"),
    (b"ID3", "audio/mpeg"),
)
_MAX_CHUNKS = 10_000
"""Segments of a JPEG, chunks of a WAV file: real ones have a handful before what is looked for. Walking on
through a file that is made of nothing else would take minutes."""

_RIFF_TYPES = {b"WEBP": "image/webp", b"WAVE": "audio/wav"}


def mime_type(encoded: ByteSource) -> str:
    """The MIME type of encoded media, by its magic bytes; "" when unknown."""
    data = encoded[:12]
    for magic, found in _MAGICS:
        if data.startswith(magic):
            return found
    if data.startswith(b"RIFF"):
        return _RIFF_TYPES.get(data[8:12], "")
    if data[4:8] == b"ftyp":  # the ISO container: films, and AVIF images
        return "image/avif" if data[8:12] in (b"avif", b"avis") else "video/mp4"
    # An MPEG audio frame: eleven bits set, then a version, then a layer other than 0.
    if len(data) >= 2 and data[0] == 0xFF and data[1] & 0xE0 == 0xE0 and data[1] & 0x06:
        return "audio/mpeg"
    return ""


def image_size_px(data: bytes) -> tuple[int, int] | None:
    """Width and height of an encoded image; None when its header does not tell."""
    measure = _SIZE_OF_TYPE.get(mime_type(data))
    try:
        return measure(data) if measure else None
    except (struct.error, IndexError):  # the header is cut off
        return None


def _png_size(data: bytes) -> tuple[int, int] | None:
    if data[12:16] != b"IHDR":
        return None
    width, height = struct.unpack_from(">II", data, 16)
    return width, height


def _gif_size(data: bytes) -> tuple[int, int] | None:
    width, height = struct.unpack_from("<HH", data, 6)
    return width, height


def _bmp_size(data: bytes) -> tuple[int, int] | None:
    (header_bytes,) = struct.unpack_from("<I", data, 14)
    if header_bytes == 12:  # OS/2
        width, height = struct.unpack_from("<HH", data, 18)
    else:
        width, height = struct.unpack_from("<ii", data, 18)
    return width, abs(height)  # negative: rows from the top


def _webp_size(data: bytes) -> tuple[int, int] | None:
    chunk = data[12:16]
    if chunk == b"VP8X":
        return _uint24(data, 24) + 1, _uint24(data, 27) + 1
    if chunk == b"VP8L" and data[20] == 0x2F:
        (bits,) = struct.unpack_from("<I", data, 21)
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if chunk == b"VP8 " and data[23:26] == b"\x9d\x01\x2a":
        width, height = struct.unpack_from("<HH", data, 26)
        return width & 0x3FFF, height & 0x3FFF
    return None


def _uint24(data: bytes, pos: int) -> int:
    return data[pos] | data[pos + 1] << 8 | data[pos + 2] << 16


# Start-of-frame markers; the codes between them define tables.
_JPEG_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_JPEG_WITHOUT_LENGTH = frozenset((0x01, *range(0xD0, 0xD8)))
_JPEG_SCAN, _JPEG_END = 0xDA, 0xD9


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    """Walk the segments to the first frame header."""
    pos = 2
    for _ in range(_MAX_CHUNKS):
        if data[pos] != 0xFF:
            return None
        marker = data[pos + 1]
        if marker == 0xFF:  # padding
            pos += 1
        elif marker in _JPEG_WITHOUT_LENGTH:
            pos += 2
        elif marker in _JPEG_FRAMES:
            height, width = struct.unpack_from(">HH", data, pos + 5)
            return width, height
        elif marker in (_JPEG_SCAN, _JPEG_END):
            return None
        else:
            pos += 2 + max(2, struct.unpack_from(">H", data, pos + 2)[0])
    return None


_SIZE_OF_TYPE: dict[str, Callable[[bytes], tuple[int, int] | None]] = {
    "image/png": _png_size,
    "image/jpeg": _jpeg_size,
    "image/gif": _gif_size,
    "image/bmp": _bmp_size,
    "image/webp": _webp_size,
}


class WavFacts(NamedTuple):
    """What the header of a WAV file tells."""

    sample_rate_hz: int
    channels: int
    frames: int


def wav_facts(data: bytes) -> WavFacts | None:
    """The facts of a WAV file; None for other data or when the header is damaged."""
    if mime_type(data) != "audio/wav":
        return None
    rate = channels = frame_bytes = 0
    pos = 12
    for _ in range(_MAX_CHUNKS):
        if pos + 8 > len(data):
            return None
        name, (size,) = data[pos : pos + 4], struct.unpack_from("<I", data, pos + 4)
        pos += 8
        if name == b"fmt " and size >= 16 and pos + 16 <= len(data):
            channels, rate, _, frame_bytes = struct.unpack_from("<HIIH", data, pos + 2)
        elif name == b"data":
            # Writers that stream leave the size open; what is there counts.
            present = min(size, len(data) - pos)
            return WavFacts(rate, channels, present // frame_bytes) if rate and frame_bytes else None
        pos += size + size % 2
    return None
