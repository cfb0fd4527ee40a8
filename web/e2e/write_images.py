"""Writes pictures for end-to-end tests: ``write_images.py DIRECTORY``.

Runs ``base`` and ``wide`` have what people log: digits and colours as torch writes them, batches as
TensorFlow does, 16 bits, transparency, boxes, a figure and a film. Run ``odd`` has what nobody should: a
picture that is far larger than its bytes, one that ends in the middle, and SVG and HTML that pretend to be
pictures.
"""

from __future__ import annotations

import io
import struct
import sys
import zlib
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from sightline import SummaryWriter

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.event_logs import image_record, image_tensor_record, write_run

STEPS = (0, 100, 200, 300, 400)

SVG = b"""<svg xmlns="http://www.w3.org/2000/svg" onload="window.top.wasRun = 'svg'" width="9" height="9">
<script>window.top.wasRun = 'svg script'</script></svg>"""
HTML = b"""<html><body><script>window.top.wasRun = 'html'</script>
<img src=x onerror="window.top.wasRun = 'img'"></body></html>"""


def png(image: Image.Image) -> bytes:
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def cut_gif() -> bytes:
    """Ends in the middle of its third frame."""
    frames = [
        Image.fromarray(np.random.default_rng(seed).integers(0, 255, (32, 32), np.uint8)) for seed in range(3)
    ]
    out = io.BytesIO()
    frames[0].save(out, "GIF", save_all=True, append_images=frames[1:], duration=250)
    return out.getvalue()[:-300]


def solid(red: int, green: int, blue: int, side: int = 16) -> np.ndarray:
    """As torch has pictures: channels first."""
    return np.broadcast_to(np.array([red, green, blue], np.uint8)[:, None, None], (3, side, side))


def digit(number: int, shift: int) -> np.ndarray:
    image = Image.new("L", (28, 28))
    ImageDraw.Draw(image).text((8 + shift, 4), str(number), fill=255, font_size=20)
    return np.asarray(image)[None]


def gradient_16_bit() -> bytes:
    x = np.linspace(0, 65535, 64).astype(np.uint16)
    return png(Image.fromarray(np.tile(x, (64, 1))))


def see_through() -> bytes:
    image = Image.new("RGBA", (64, 64), (0, 0, 0, 0))
    ImageDraw.Draw(image).ellipse((8, 8, 56, 56), fill=(220, 60, 40, 200))
    return png(image)


def figure(step: int) -> Image.Image:
    """Like a figure of a plotting library: large, white, with thin lines."""
    image = Image.new("RGB", (640, 480), "white")
    draw = ImageDraw.Draw(image)
    draw.rectangle((80, 40, 600, 420), outline="black")
    points = [(80 + x, 230 - 150 * float(np.sin((x + step) / 60))) for x in range(520)]
    draw.line(points, fill=(31, 119, 180), width=3)
    draw.text((300, 440), "epoch", fill="black")
    return image


def bomb() -> bytes:
    """30,000 × 30,000 pixels in a few kilobytes: lines of zeros pack well."""
    side = 30_000

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    packer = zlib.compressobj(9)
    # Of 1 bit: still 900 million pixels, and written in a moment.
    row = bytes(1 + side // 8)
    packed = b"".join(packer.compress(row) for _ in range(side)) + packer.flush()
    header = struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", packed) + chunk(b"IEND", b"")


def write_good(directory: Path, run: int) -> None:
    with SummaryWriter(str(directory)) as writer:
        for i, step in enumerate(STEPS):
            writer.add_scalar("loss", 1 / (1 + i), step)
            writer.add_image("plain/colour", solid(40 + 40 * i, 100, 160 + 40 * run), step)
            writer.add_image("samples/digits", digit(i, run), step)
            writer.add_image("alone", digit(i, run), step)
            # Three channels that are the same, as torch writes what has one.
            writer.add_image("mask", solid(100, 100, 100, 300), step)
            writer.add_image("figures/sine", np.asarray(figure(step)), step, dataformats="HWC")
        photo = np.asarray(figure(0).resize((2000, 1500)))
        writer.add_image("samples/large", photo, 0, dataformats="HWC")
        boxes = np.array([[10, 10, 60, 50], [50, 40, 110, 90]])
        writer.add_image_with_boxes("boxes/found", solid(30, 30, 34, 128), boxes, 100, labels=["cat", "dog"])
        film = np.zeros((1, 8, 3, 32, 32), np.uint8)
        for frame in range(8):
            film[0, frame, 1, :, 4 * frame : 4 * frame + 4] = 255
        writer.add_video("films/moving", film, 0, fps=4)
    batch = [
        image_tensor_record(
            "samples/batch",
            step,
            *(png(Image.new("RGB", (24, 24), (60 * sample, 40 * i, 90))) for sample in range(3)),
        )
        for i, step in enumerate(STEPS)
    ]
    depths = [image_record("depth/sixteen", step, gradient_16_bit()) for step in STEPS]
    alphas = [image_record("depth/see-through", step, see_through()) for step in STEPS]
    many = image_tensor_record("many/samples", 0, *(png(Image.new("L", (4, 4), i % 256)) for i in range(300)))
    write_run(directory, *batch, *depths, *alphas, many, name="events.out.tfevents.1700000000.batch")


def write_odd(directory: Path) -> None:
    whole = png(figure(0))
    write_run(
        directory,
        image_record("odd/bomb", 0, bomb()),
        image_record("odd/truncated", 0, whole[: len(whole) // 3]),
        image_record("odd/svg", 0, SVG),
        image_record("odd/html", 0, HTML),
        image_record("odd/nothing", 0, b""),
        image_record("odd/cut-gif", 0, cut_gif()),
        # After the damaged one, a good one: the tile recovers.
        image_record("odd/truncated", 1, whole),
    )


def main() -> None:
    root = Path(sys.argv[1])
    write_good(root / "base", 0)
    write_good(root / "wide", 1)
    write_odd(root / "odd")


if __name__ == "__main__":
    main()
