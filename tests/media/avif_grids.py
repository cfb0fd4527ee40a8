"""AVIF pictures that are made of tiles, box by box: no encoder that we have writes them, cameras do."""

from __future__ import annotations

import struct

import PIL.Image

from sightline.media.headers.boxes import Steps, boxes_of
from tests.media.encoded import encode


def avif_grid(picture: PIL.Image.Image, tile: int, **options: object) -> bytes:
    """The picture in tiles of ``tile`` pixels to a side; the last ones may reach beyond it."""
    width, height = picture.size
    columns, rows = -(-width // tile), -(-height // tile)
    canvas = PIL.Image.new(picture.mode, (columns * tile, rows * tile))
    canvas.paste(picture)
    places = [(column * tile, row * tile) for row in range(rows) for column in range(columns)]
    files = [encode(canvas.crop((x, y, x + tile, y + tile)), "AVIF", speed=10, **options) for x, y in places]
    streams = [_content(file, b"mdat") for file in files]
    settings = _box(b"av1C", _content(files[0], b"meta", b"iprp", b"ipco", b"av1C"))
    pixi = _box(b"pixi", _content(files[0], b"meta", b"iprp", b"ipco", b"pixi"))
    size = (width, height)
    numbers = range(2, 2 + len(streams))
    grid = struct.pack(">BBBBHH", 0, 0, rows - 1, columns - 1, *size)
    kinds = [_full(b"infe", 2, 0, struct.pack(">HH4s", 1, 0, b"grid"), b"\0")]
    kinds += [_full(b"infe", 2, 1, struct.pack(">HH4s", number, 0, b"av01"), b"\0") for number in numbers]
    properties = _box(
        b"iprp",
        _box(
            b"ipco",
            _full(b"ispe", 0, 0, struct.pack(">II", *size)),
            _full(b"ispe", 0, 0, struct.pack(">II", tile, tile)),
            settings,
            pixi,
        ),
        _full(
            b"ipma",
            0,
            0,
            struct.pack(">I", 1 + len(streams)),
            struct.pack(">HBBB", 1, 2, 1, 4),
            *(struct.pack(">HBBBB", number, 3, 2, 0x83, 4) for number in numbers),
        ),
    )
    head = _box(b"ftyp", b"avif", bytes(4), b"avifmif1miaf")

    def meta(first: int) -> bytes:
        offsets = [first + sum(map(len, streams[:place])) for place in range(len(streams))]
        return _full(
            b"meta",
            0,
            0,
            _full(b"hdlr", 0, 0, bytes(4), b"pict", bytes(13)),
            _full(b"pitm", 0, 0, struct.pack(">H", 1)),
            _full(
                b"iloc",
                1,
                0,
                struct.pack(">HH", 0x4400, 1 + len(streams)),
                struct.pack(">HHHHII", 1, 1, 0, 1, 0, len(grid)),
                *(
                    struct.pack(">HHHHII", number, 0, 0, 1, offset, len(stream))
                    for number, offset, stream in zip(numbers, offsets, streams, strict=True)
                ),
            ),
            _full(b"iinf", 0, 0, struct.pack(">H", len(kinds)), *kinds),
            _full(
                b"iref",
                0,
                0,
                _box(b"dimg", struct.pack(">HH", 1, len(streams)), *(struct.pack(">H", n) for n in numbers)),
            ),
            properties,
            _box(b"idat", grid),
        )

    first = len(head) + len(meta(0)) + 8
    return head + meta(first) + _box(b"mdat", *streams)


def _box(name: bytes, *content: bytes) -> bytes:
    joined = b"".join(content)
    return struct.pack(">I4s", 8 + len(joined), name) + joined


def _full(name: bytes, version: int, flags: int, *content: bytes) -> bytes:
    return _box(name, struct.pack(">I", version << 24 | flags), *content)


def _content(data: bytes, *path: bytes) -> bytes:
    start, end = 0, len(data)
    for name in path:
        found = {inner: (at, until) for inner, at, until, _ in boxes_of(data, start, end, Steps())}
        start, end = found[name]
        start += 4 if name == b"meta" else 0
    return data[start:end]
