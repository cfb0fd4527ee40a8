"""AVIF: the boxes of a film around items, of which one is the picture, and a stream of AV1 in each.

The size is said twice, by the box and by the stream, and the decoder makes room for what the stream says. So
both are read, and a picture is decoded only when they agree, in the forms that encoders and cameras write:
one frame an item, of one size, and a grid of such items as tiles. Everything else (in layers, cut out of or
laid over others) is for browsers.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field

from sightline.media.films import film_in_boxes
from sightline.media.headers.av1 import UnusualStreamError, stream_size
from sightline.media.headers.boxes import Steps, boxes_of
from sightline.media.headers.header import HeaderError, PictureHeader, shown_delay_ms
from sightline.media.headers.numbers import unpack_at
from sightline.model.byte_source import ByteSource
from sightline.model.errors import MediaError

MAX_ITEMS = 1_000
MAX_FRAMES = 100_000
"""Of an animation; a film may be longer, and is none of these."""

MAX_TILED_PIXELS = 32 << 20
"""Of all tiles together, which a decoder may hold at once."""

_FEW_PIXELS = 1 << 20
_MOST_BESIDE = 8
"""Times as many pixels as the picture has may be in its tiles: the last ones reach beyond it, and there may
be as many again for opacity."""

_PICTURE, _GRID = b"av01", b"grid"
_BESIDES = frozenset((b"Exif", b"mime", b"uri "))
_ALPHA = (b"urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0", b"urn:mpeg:hevc:2015:auxid:1\0")
_UNUSUAL_PROPERTIES = {b"clap": "cut out of a larger one", b"lsel": "in layers", b"a1op": "in layers"}
_TURNED = {(0, -1): 1, (1, -1): 8, (2, -1): 3, (3, -1): 6}
_TURNED |= {(0, 1): 2, (1, 1): 7, (2, 1): 4, (3, 1): 5}
_TURNED |= {(0, 0): 4, (1, 0): 5, (2, 0): 2, (3, 0): 7}
"""EXIF's number for a turn to the left, in quarters, and then a mirror: −1 for none, 0 upside down, 1 left to
right."""


@dataclass
class _Item:
    kind: bytes = b""
    extents: list[tuple[int, int]] = field(default_factory=list)
    """Begin and length, in the file."""
    is_elsewhere: bool = False
    properties: list[tuple[bytes, bytes]] = field(default_factory=list)

    def fact(self, name: bytes) -> bytes | None:
        return next((content for found, content in self.properties if found == name), None)

    @property
    def size(self) -> tuple[int, int]:
        width, height = struct.unpack_from(">II", self.fact(b"ispe") or b"", 4)
        return width, height


@dataclass
class _Items:
    by_id: dict[int, _Item] = field(default_factory=dict)
    primary_id: int = -1
    properties: list[tuple[bytes, bytes]] = field(default_factory=list)

    def item(self, number: int) -> _Item:
        if number not in self.by_id and len(self.by_id) >= MAX_ITEMS:
            raise HeaderError("AVIF", f"it has more than {MAX_ITEMS:,} parts")
        return self.by_id.setdefault(number, _Item())


def avif_header(data: ByteSource) -> PictureHeader:
    try:
        items = _items(data)
        primary = items.by_id[items.primary_id]
        width, height = primary.size
        settings = primary.fact(b"av1C") or _settings_of_tiles(items) or b"\0\0\0\0"
        bits = (12 if settings[2] & 0x20 else 10) if settings[2] & 0x40 else 8
        channels = 1 if settings[2] & 0x10 else 3
        has_alpha = any((item.fact(b"auxC") or b"")[4:].startswith(_ALPHA) for item in items.by_id.values())
        turn = (primary.fact(b"irot") or b"\0")[0] & 3
        mirror = primary.fact(b"imir")
        orientation = _TURNED[turn, mirror[0] & 1 if mirror else -1]
    except (struct.error, IndexError, KeyError):
        raise HeaderError("AVIF", "it is cut off, or has no size") from None
    if not width or not height:
        raise HeaderError("AVIF", f"its size is {width:,} × {height:,} pixels")
    if orientation >= 5:
        width, height = height, width
    return PictureHeader(
        "image/avif",
        width,
        height,
        bits,
        channels + has_alpha,
        delays_ms=_delays_ms(data),
        orientation=orientation,
    )


def essential_avif(data: bytes) -> bytes:
    """The same still picture without its animation, for Pillow.

    Raises MediaError when decoding would take more room than the header says, or when that cannot be told.
    """
    try:
        items = _items(data)
        primary = items.by_id[items.primary_id]
        if any(item.kind not in _BESIDES | {_PICTURE, _GRID} for item in items.by_id.values()):
            raise _for_browsers("made of several others")
        if sum(length for item in items.by_id.values() for _, length in item.extents) > len(data):
            raise HeaderError("AVIF", "its parts are longer than all of it")
        grids = [item for item in items.by_id.values() if item.kind == _GRID]
        for item in items.by_id.values():
            if item.kind == _PICTURE:
                _check_stream(data, item, None if grids else primary.size)
        if grids:
            _check_grids(data, items, grids)
    except UnusualStreamError as error:
        raise _for_browsers(str(error)) from None
    except (struct.error, IndexError, KeyError):
        raise HeaderError("AVIF", "it is cut off") from None
    still = bytearray(data)
    for name, start, end, name_at in boxes_of(data, 0, len(data), Steps()):
        if name == b"ftyp":
            # Brands of four letters: nothing may promise an animation any more.
            still[start:end] = data[start:end].replace(b"avis", b"avif")
        elif name == b"moov":
            still[name_at : name_at + 4] = b"free"
    return bytes(still)


def _for_browsers(how: str) -> MediaError:
    return MediaError(
        f"Only browsers can show this AVIF picture, which is {how}; the server does not decode it"
    )


def _settings_of_tiles(items: _Items) -> bytes | None:
    """A grid has none of its own: those of its first tile."""
    tiles = (item for item in items.by_id.values() if item.kind == _PICTURE and item.fact(b"auxC") is None)
    return next((settings for tile in tiles if (settings := tile.fact(b"av1C"))), None)


def _check_grids(data: bytes, items: _Items, grids: list[_Item]) -> None:
    """What a decoder makes room for: the size that each grid says once more, and all tiles."""
    width, height = items.by_id[items.primary_id].size
    for grid in grids:
        if grid.is_elsewhere or len(grid.extents) != 1:
            raise _for_browsers("kept in another place")
        _check_properties(grid)
        start, length = grid.extents[0]
        content = data[start : start + length]
        found = struct.unpack_from(">II" if content[1] & 1 else ">HH", content, 4)
        if found != grid.size or found[0] > width or found[1] > height:
            raise HeaderError(
                "AVIF", f"it claims {width:,} × {height:,} pixels, and holds {found[0]:,} × {found[1]:,}"
            )
    tiles = [item.size for item in items.by_id.values() if item.kind == _PICTURE]
    pixels = sum(tile_width * tile_height for tile_width, tile_height in tiles)
    if pixels > min(MAX_TILED_PIXELS, max(_FEW_PIXELS, _MOST_BESIDE * width * height)):
        raise _for_browsers(f"made of {pixels:,} pixels in tiles")


def _check_properties(item: _Item) -> None:
    for name, how in _UNUSUAL_PROPERTIES.items():
        if item.fact(name) is not None:
            raise _for_browsers(how)


def _check_stream(data: bytes, item: _Item, most: tuple[int, int] | None) -> None:
    """``most``: None for tiles, which may reach beyond the picture."""
    _check_properties(item)
    if item.is_elsewhere:
        raise _for_browsers("kept in another place")
    said = item.size
    pieces = [data[start : start + length] for start, length in item.extents]
    if any(len(piece) < length for piece, (_, length) in zip(pieces, item.extents, strict=True)):
        raise HeaderError("AVIF", "it is cut off")
    found = stream_size(b"".join(pieces))
    if found != said or (most is not None and (said[0] > most[0] or said[1] > most[1])):
        raise HeaderError(
            "AVIF",
            f"it claims {said[0]:,} × {said[1]:,} pixels, and holds {found[0]:,} × {found[1]:,}",
        )


def _delays_ms(data: ByteSource) -> tuple[int, ...]:
    """Evenly spread: which frame is shown how long is for players, and they have the file."""
    if data[8:12] != b"avis":
        return ()
    film = film_in_boxes(data)
    if not 1 < film.frames <= MAX_FRAMES:
        return ()
    return (shown_delay_ms(1000 * film.duration_s / film.frames),) * film.frames


# ── boxes ────────────────────────────────────────────────────────────────────────────────────────────────


def _items(data: ByteSource) -> _Items:
    steps = Steps()
    items = _Items()
    for name, start, end, _ in boxes_of(data, 0, len(data), steps):
        if name != b"meta":
            continue
        boxes = list(boxes_of(data, start + 4, end, steps))
        idat = next((box.start for box in boxes if box.name == b"idat"), 0)
        for inner, at, until, _ in boxes:
            if inner == b"pitm":
                (items.primary_id,) = unpack_at(">I" if data[at] else ">H", data, at + 4)
            elif inner == b"iinf":
                _read_kinds(data, at, until, steps, items)
            elif inner == b"iloc":
                _read_places(_Reader(data, at, until, steps), idat, items)
            elif inner == b"iprp":
                _read_properties(data, at, until, steps, items)
        return items
    raise IndexError


def _read_kinds(data: ByteSource, start: int, end: int, steps: Steps, items: _Items) -> None:
    first = start + (8 if data[start] else 6)
    for name, at, _, _ in boxes_of(data, first, end, steps):
        if name == b"infe" and data[at] in (2, 3):
            number, _, kind = unpack_at(">IH4s" if data[at] == 3 else ">HH4s", data, at + 4)
            items.item(number).kind = kind


def _read_places(reader: _Reader, idat: int, items: _Items) -> None:
    version = reader.number(1)
    reader.number(3)
    sizes = reader.number(2)
    offset_bytes, length_bytes, base_bytes = sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15
    index_bytes = sizes & 15 if version else 0
    wide = 4 if version >= 2 else 2
    for _ in range(reader.number(wide)):
        item = items.item(reader.number(wide))
        way = reader.number(2) & 15 if version else 0
        item.is_elsewhere = reader.number(2) != 0 or way > 1 or (way == 1 and not idat)
        base = reader.number(base_bytes) + (idat if way == 1 else 0)
        for _ in range(reader.number(2)):
            reader.number(index_bytes)
            offset, length = reader.number(offset_bytes), reader.number(length_bytes)
            item.extents.append((base + offset, length))


def _read_properties(data: ByteSource, start: int, end: int, steps: Steps, items: _Items) -> None:
    for name, at, until, _ in boxes_of(data, start, end, steps):
        if name == b"ipco":
            for inner, inner_start, inner_end, _ in boxes_of(data, at, until, steps):
                items.properties.append((inner, data[inner_start : min(inner_end, inner_start + 256)]))
        elif name == b"ipma":
            reader = _Reader(data, at, until, steps)
            version, flags = reader.number(1), reader.number(3)
            for _ in range(reader.number(4)):
                item = items.item(reader.number(4 if version else 2))
                for _ in range(reader.number(1)):
                    place = reader.number(2) & 0x7FFF if flags & 1 else reader.number(1) & 0x7F
                    if place:
                        item.properties.append(items.properties[place - 1])


class _Reader:
    """Numbers of any width, one after the other."""

    def __init__(self, data: ByteSource, start: int, end: int, steps: Steps) -> None:
        self._data, self._pos, self._end, self._steps = data, start, end, steps

    def number(self, width: int) -> int:
        self._steps.take()
        piece = self._data[self._pos : self._pos + width]
        self._pos += width
        if self._pos > self._end or len(piece) < width:
            raise IndexError
        return int.from_bytes(piece, "big")
