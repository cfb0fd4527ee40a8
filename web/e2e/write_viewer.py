"""Writes pictures whose every pixel is known, for tests of the viewer: ``write_viewer.py DIRECTORY``.

``digits`` (16 × 12, RGB): red is x, green is y, blue is the step; in run ``other`` red is 3 more. ``depth``
(16-bit gray): 1000 · y + 10 · x + step. ``mask`` (gray and alpha): value 200, alpha 10 · x. ``small`` is half
as wide in the other run. ``bomb`` says that it is 30,000 × 30,000.
"""

from __future__ import annotations

import io
import struct
import sys
import zlib
from pathlib import Path

import numpy as np
from PIL import Image

from sightline import SummaryWriter
from sightline.formats.messages import Image as ImageMessage
from sightline.formats.messages import Summary, Value

HEIGHT, WIDTH = 12, 16
STEPS = (0, 100, 200)


def digits(step: int, *, shift: int = 0) -> np.ndarray:
    y, x = np.mgrid[:HEIGHT, :WIDTH]
    return np.stack([x + shift, y, np.full_like(x, step)], axis=-1).astype(np.uint8)


def depth(step: int) -> np.ndarray:
    y, x = np.mgrid[:HEIGHT, :WIDTH]
    return (1000 * y + 10 * x + step).astype(np.uint16)


def mask() -> np.ndarray:
    x = np.mgrid[:HEIGHT, :WIDTH][1]
    return np.stack([np.full_like(x, 200), 10 * x], axis=-1).astype(np.uint8)


def bomb() -> bytes:
    """A picture that is only a header, but a large one."""
    header = struct.pack(">IIBBBBB", 30_000, 30_000, 8, 2, 0, 0, 0)
    chunks = [(b"IHDR", header), (b"IDAT", zlib.compress(bytes(1000))), (b"IEND", b"")]
    parts = [b"\x89PNG\r\n\x1a\n"]
    for name, data in chunks:
        parts.append(struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)))
    return b"".join(parts)


def png(pixels: np.ndarray) -> bytes:
    target = io.BytesIO()
    Image.fromarray(pixels).save(target, "PNG")
    return target.getvalue()


def add(writer: SummaryWriter, tag: str, data: bytes, step: int) -> None:
    """As it is: the writer's own methods know 8 bits only."""
    value = Value(
        tag=tag, image=ImageMessage(height=HEIGHT, width=WIDTH, colorspace=3, encoded_image_string=data)
    )
    writer.file_writer.add_summary(Summary(value=[value]), step)


def write_run(directory: Path, *, is_other: bool) -> None:
    with SummaryWriter(str(directory)) as writer:
        for step in STEPS:
            writer.add_image("pictures/digits", digits(step, shift=3 * is_other), step, dataformats="HWC")
            add(writer, "pictures/depth", png(depth(step)), step)
        small = digits(7)[:, : WIDTH // 2] if is_other else digits(7)
        writer.add_image("pictures/small", small, 0, dataformats="HWC")
        add(writer, "pictures/mask", png(mask()), 0)
        add(writer, "pictures/bomb", bomb(), 0)


if __name__ == "__main__":
    root = Path(sys.argv[1])
    write_run(root / "first", is_other=False)
    write_run(root / "other", is_other=True)
