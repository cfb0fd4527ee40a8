"""Encoded pictures for tests: from arrays through Pillow, and PNG byte by byte where Pillow cannot."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import PIL.features
import PIL.Image
from numpy.typing import NDArray

HAS_AVIF = "avif" in PIL.features.modules and PIL.features.check("avif")
"""Pillow has it since 11.3."""

COLOR_TYPE_OF_CHANNELS = {1: 0, 2: 4, 3: 2, 4: 6}
ADAM7 = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))
"""Of each pass: first column and row, distance of columns and rows."""


def photo(height: int = 60, width: int = 90, channels: int = 3) -> NDArray[np.uint8]:
    """Smooth, and different in every channel and direction: what is turned, swapped or wrapped shows."""
    rows, columns = np.mgrid[0:height, 0:width]
    planes = [
        255 * rows / max(1, height - 1),
        255 * columns / max(1, width - 1),
        255 * (rows + columns) / max(1, height + width - 2),
        64 + 191 * columns / max(1, width - 1),
    ]
    chosen = planes[:channels] if channels != 2 else [planes[0], planes[3]]
    return np.stack(chosen, axis=-1).astype(np.uint8)


def image(values: NDArray[np.uint8]) -> PIL.Image.Image:
    return PIL.Image.fromarray(values[..., 0] if values.shape[-1] == 1 else values)


def encode(picture: PIL.Image.Image, format_name: str, **options: Any) -> bytes:
    out = io.BytesIO()
    picture.save(out, format_name, **options)
    return out.getvalue()


def exif(orientation: int) -> PIL.Image.Exif:
    written = PIL.Image.Exif()
    written[0x0112] = orientation
    return written


def decode(data: bytes) -> PIL.Image.Image:
    picture = PIL.Image.open(io.BytesIO(data))
    picture.load()
    return picture


def rgba(data: bytes) -> NDArray[np.int16]:
    """As numbers that can be subtracted."""
    return np.asarray(decode(data).convert("RGBA")).astype(np.int16)


def animation(
    frames: Sequence[NDArray[np.uint8]], format_name: str, durations_ms: Sequence[int], **options: Any
) -> bytes:
    first, *others = [image(frame) for frame in frames]
    if format_name == "WEBP":
        options["lossless"] = True
    return encode(
        first, format_name, save_all=True, append_images=others, duration=list(durations_ms), **options
    )


# ── PNG ──────────────────────────────────────────────────────────────────────────────────────────────────


def chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def png(
    *,
    width: int,
    height: int,
    rows: bytes,
    depth: int = 8,
    color_type: int = 0,
    is_interlaced: bool = False,
    more: Sequence[tuple[bytes, bytes]] = (),
) -> bytes:
    """From filtered rows; ``more`` are chunks in front of the pixels."""
    header = struct.pack(">IIBBBBB", width, height, depth, color_type, 0, 0, int(is_interlaced))
    return b"".join(
        [
            b"\x89PNG\r\n\x1a\n",
            chunk(b"IHDR", header),
            *(chunk(name, content) for name, content in more),
            chunk(b"IDAT", zlib.compress(rows)),
            chunk(b"IEND", b""),
        ]
    )


def deep_png(
    values: NDArray[np.uint16],
    *,
    is_interlaced: bool = False,
    more: Sequence[tuple[bytes, bytes]] = (),
) -> bytes:
    """16 bits, any number of channels; every second row is filtered by the one to its left."""
    height, width, channels = values.shape
    passes = ADAM7 if is_interlaced else ((0, 0, 1, 1),)
    rows = []
    for column, row, column_step, row_step in passes:
        part = values[row::row_step, column::column_step]
        if not part.size:
            continue
        for number, line in enumerate(part):
            raw = np.frombuffer(line.astype(">u2").tobytes(), np.uint8)
            if number % 2:
                left = np.concatenate([np.zeros(2 * channels, np.uint8), raw[: -2 * channels]])
                rows.append(b"\x01" + (raw - left).tobytes())
            else:
                rows.append(b"\x00" + raw.tobytes())
    return png(
        width=width,
        height=height,
        rows=b"".join(rows),
        depth=16,
        color_type=COLOR_TYPE_OF_CHANNELS[channels],
        is_interlaced=is_interlaced,
        more=more,
    )


def png_bomb(side: int = 30_000) -> bytes:
    """Black, and as long as its size says: 900 million pixels in about a hundred kilobytes."""
    packer = zlib.compressobj(9)
    row = bytes(1 + (side + 7) // 8)
    pixels = b"".join(packer.compress(row) for _ in range(side)) + packer.flush()
    header = struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)
    return b"".join(
        [b"\x89PNG\r\n\x1a\n", chunk(b"IHDR", header), chunk(b"IDAT", pixels), chunk(b"IEND", b"")]
    )
