"""GIF: a screen, then blocks; a frame is a rectangle of the screen, with its delay in the block before it."""

from __future__ import annotations

import struct
from contextlib import suppress
from dataclasses import dataclass, field

from sightline.formats.picture_headers.header import HeaderError, PictureHeader, shown_delay_ms
from sightline.model.byte_source import ByteSource, unpack_at

MAX_BLOCKS = 2_000_000
"""Of 255 bytes each: 500 MB. Empty ones cost the same time."""

_EXTENSION, _IMAGE, _TRAILER = 0x21, 0x2C, 0x3B
_GRAPHIC_CONTROL, _COMMENT = 0xF9, 0xFE

MAX_COMMENT_BYTES = 1 << 20
"""Pillow before 13 takes the square of the time for them."""


@dataclass
class _Film:
    delays_ms: list[int] = field(default_factory=list)
    right: int = 0
    bottom: int = 0
    is_transparent: bool = False
    is_cut: bool = True
    """Until the end was seen."""


def gif_header(data: ByteSource) -> PictureHeader:
    """Data that ends in the middle of a frame keeps the frames before it."""
    if len(data) < 13:
        raise HeaderError("GIF", "it is cut off")
    width, height, flags = unpack_at("<HHB", data, 6)
    film = _Film()
    with suppress(struct.error, IndexError):  # cut off: what came before counts
        _walk(data, 13 + _palette_bytes(flags), film)
    # A frame may reach beyond the screen; programs then make the screen larger.
    width, height = max(width, film.right), max(height, film.bottom)
    if not width or not height:
        raise HeaderError("GIF", f"its size is {width:,} × {height:,} pixels")
    if not film.delays_ms:
        raise HeaderError("GIF", "it is cut off before a picture" if film.is_cut else "it holds no picture")
    return PictureHeader(
        mime_type="image/gif",
        width=width,
        height=height,
        bits=8,
        channels=3 + film.is_transparent,
        delays_ms=tuple(film.delays_ms) if len(film.delays_ms) > 1 else (),
        is_cut=film.is_cut,
    )


def _walk(data: ByteSource, pos: int, film: _Film) -> None:
    blocks = comment_bytes = 0
    delay_ms = 0
    while pos < len(data) and data[pos] != _TRAILER:
        begin = pos
        if data[pos] == _EXTENSION:
            if data[pos + 1] == _GRAPHIC_CONTROL and data[pos + 2] == 4:
                flags, hundredths = unpack_at("<BH", data, pos + 3)
                delay_ms = 10 * hundredths
                film.is_transparent = film.is_transparent or bool(flags & 1)
            pos += 2
        elif data[pos] == _IMAGE:
            left, top, width, height, flags = unpack_at("<HHHHB", data, pos + 1)
            film.right = max(film.right, left + width)
            film.bottom = max(film.bottom, top + height)
            film.delays_ms.append(shown_delay_ms(delay_ms))
            delay_ms = 0  # a control block is for one frame
            pos += 10 + _palette_bytes(flags) + 1  # the last one: size of the codes
        else:
            break  # no block: browsers stop here as well
        size = 1
        while size:
            size = data[pos]
            pos += 1 + size
            blocks += 1
            if blocks > MAX_BLOCKS:
                raise HeaderError("GIF", f"it has more than {MAX_BLOCKS:,} blocks")
        if data[begin : begin + 2] == bytes((_EXTENSION, _COMMENT)):
            comment_bytes += pos - begin
            if comment_bytes > MAX_COMMENT_BYTES:
                raise HeaderError("GIF", f"it has more than {MAX_COMMENT_BYTES:,} bytes of comments")
    film.is_cut = pos >= len(data)


def _palette_bytes(flags: int) -> int:
    return 3 << ((flags & 7) + 1) if flags & 0x80 else 0
