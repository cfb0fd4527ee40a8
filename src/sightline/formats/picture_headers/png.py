"""PNG: a row of chunks, each with its length, name and checksum. APNG adds the frames of an animation."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import NamedTuple

from sightline.formats.picture_headers.exif import exif_orientation
from sightline.formats.picture_headers.header import HeaderError, PictureHeader, shown_delay_ms
from sightline.model.byte_source import ByteSource, unpack_at

SIGNATURE = b"\x89PNG\r\n\x1a\n"
MAX_CHUNKS = 100_000
"""Programs write 8 kB to 64 kB of pixels into one chunk: this is for pictures far beyond our limits."""

_CHANNELS_OF_COLOR_TYPE = {0: 1, 2: 3, 3: 3, 4: 2, 6: 4}
_DEPTHS_OF_COLOR_TYPE = {0: (1, 2, 4, 8, 16), 2: (8, 16), 3: (1, 2, 4, 8), 4: (8, 16), 6: (8, 16)}
_PALETTE = 3
_NEEDED = frozenset((b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND"))
_NEEDED_BY_ANIMATIONS = _NEEDED | {b"acTL", b"fcTL", b"fdAT"}

_MAX_EXIF_BYTES = 1 << 20
MAX_PROFILE_BYTES = 4 << 20
"""Those of printing machines have one or two; nothing longer is looked at."""

DEFLATE_RATIO = 1032
"""What zlib can make of one byte at most."""


class Chunk(NamedTuple):
    name: bytes
    start: int
    """Of what is in it; eight bytes of length and name are before it, four of checksum behind it."""
    length: int

    @property
    def end(self) -> int:
        return self.start + self.length


def chunks_of(data: ByteSource) -> Iterator[Chunk]:
    """The whole chunks up to the end of the picture or of the data, so many at most."""
    pos = len(SIGNATURE)
    for _ in range(MAX_CHUNKS):
        if pos + 12 > len(data):
            return
        length, name = unpack_at(">I4s", data, pos)
        chunk = Chunk(name, pos + 8, length)
        if chunk.end + 4 > len(data):
            return
        yield chunk
        if name == b"IEND":
            return
        pos = chunk.end + 4
    raise HeaderError("PNG", f"it has more than {MAX_CHUNKS:,} chunks")


def png_header(data: ByteSource) -> PictureHeader:
    width, height, depth, color_type = _first_chunk(data)
    is_transparent = False
    delays_ms: list[int] = []
    claimed_frames = 0
    has_pixels = False
    orientation = 0
    for chunk in chunks_of(data):
        if chunk.name == b"tRNS" and not has_pixels:
            is_transparent = color_type not in (4, 6)
        elif chunk.name == b"acTL" and chunk.length == 8 and not has_pixels:
            (claimed_frames,) = unpack_at(">I", data, chunk.start)
        elif chunk.name == b"fcTL" and chunk.length == 26:
            delays_ms.append(_delay_ms(data, chunk))
        elif chunk.name == b"eXIf" and not has_pixels and not orientation and _is_whole(data, chunk):
            # Browsers turn by the first one, and only in front of the pixels.
            orientation = exif_orientation(data[chunk.start : chunk.end])
        elif chunk.name == b"IDAT":
            has_pixels = True
            if not claimed_frames:
                break
    channels = _CHANNELS_OF_COLOR_TYPE[color_type] + is_transparent
    if orientation >= 5:
        width, height = height, width
    return PictureHeader(
        mime_type="image/png",
        width=width,
        height=height,
        bits=8 if color_type == _PALETTE else depth,
        channels=channels,
        delays_ms=tuple(delays_ms) if claimed_frames > 1 and len(delays_ms) > 1 else (),
        orientation=orientation or 1,
    )


def has_separate_still(data: ByteSource) -> bool:
    """Whether an animation has a still picture in front that is not one of its frames."""
    for chunk in chunks_of(data):
        if chunk.name in (b"fcTL", b"IDAT"):
            return chunk.name == b"IDAT"
    return False


def essential_png(data: bytes, *, with_frames: bool) -> bytes:
    """The same picture without anything that no pixel depends on: texts and colour profiles, which may unpack
    to gigabytes, and whatever comes behind the picture.

    Raises HeaderError for more pixels than the bytes can hold.
    """
    wanted = _NEEDED_BY_ANIMATIONS if with_frames else _NEEDED
    pieces = [SIGNATURE]
    pixel_bytes = 0
    for chunk in chunks_of(data):
        if chunk.name in wanted:
            pieces.append(data[chunk.start - 8 : chunk.end + 4])
            pixel_bytes += chunk.length if chunk.name == b"IDAT" else 0
    width, height, depth, color_type = _first_chunk(data)
    samples = 1 if color_type == _PALETTE else _CHANNELS_OF_COLOR_TYPE[color_type]
    row_bytes = 1 + (width * samples * depth + 7) // 8
    if row_bytes * height > (pixel_bytes + 64) * DEFLATE_RATIO:
        raise HeaderError(
            "PNG", f"it claims {width:,} × {height:,} pixels, and has {pixel_bytes:,} bytes for them"
        )
    return b"".join(pieces)


def png_profile(data: bytes) -> bytes:
    """The colour profile, unpacked as far as our limit goes; b"" when there is none, or too much of it."""
    for chunk in chunks_of(data):
        if chunk.name == b"IDAT":
            break
        if chunk.name == b"iCCP":
            # A name, the one way of packing there is (0), and the rest.
            name, _, packed = data[chunk.start : chunk.end].partition(b"\0")
            if len(name) > 79 or packed[:1] != b"\0":
                break
            unpacker = zlib.decompressobj()
            try:
                profile = unpacker.decompress(packed[1:], MAX_PROFILE_BYTES + 1)
            except zlib.error:
                break
            return profile if unpacker.eof and len(profile) <= MAX_PROFILE_BYTES else b""
    return b""


def _first_chunk(data: ByteSource) -> tuple[int, int, int, int]:
    if data[12:16] != b"IHDR" or len(data) < 33 or data[8:12] != b"\0\0\0\x0d":
        raise HeaderError("PNG", "it does not begin with its size")
    width, height, depth, color_type = unpack_at(">IIBB", data, 16)
    if depth not in _DEPTHS_OF_COLOR_TYPE.get(color_type, ()):
        raise HeaderError("PNG", f"there is no colour type {color_type} with {depth} bits")
    if not width or not height:
        raise HeaderError("PNG", f"its size is {width:,} × {height:,} pixels")
    return width, height, depth, color_type


def _is_whole(data: ByteSource, chunk: Chunk) -> bool:
    if chunk.length > _MAX_EXIF_BYTES:
        return False
    checksum = zlib.crc32(data[chunk.start - 4 : chunk.end])
    return data[chunk.end : chunk.end + 4] == checksum.to_bytes(4, "big")


def _delay_ms(data: ByteSource, chunk: Chunk) -> int:
    numerator, denominator = unpack_at(">HH", data, chunk.start + 20)
    return shown_delay_ms(1000 * numerator / (denominator or 100))
