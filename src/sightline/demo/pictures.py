"""Pictures, films and sounds that get clearer as training goes on."""

from __future__ import annotations

import io
import struct
import wave
import zlib

import numpy as np
from numpy.typing import NDArray

from sightline.writer.media.films import gif_from

IMAGE_PX = 64
FILM_FRAMES = 16
SAMPLE_RATE_HZ = 8_000


def png_from_rgb(pixels: NDArray[np.uint8]) -> bytes:
    height, width, _ = pixels.shape

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    rows = b"".join(b"\0" + row.tobytes() for row in pixels)  # 0: the row is not filtered
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)  # 8 bits, RGB
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(rows, 9))
        + chunk(b"IEND", b"")
    )


def wav_from_samples(samples: NDArray[np.float64]) -> bytes:
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(SAMPLE_RATE_HZ)
        file.writeframes((samples * 32_767).astype("<i2").tobytes())
    return out.getvalue()


def picture(name: str, *, clarity: float, rng: np.random.Generator) -> bytes:
    """A shape that comes out of the noise as clarity goes from 0 to 1: what a generator might have drawn."""
    y, x = np.mgrid[-1 : 1 : IMAGE_PX * 1j, -1 : 1 : IMAGE_PX * 1j]
    radius = np.hypot(x, y)
    inside = {
        "circle": radius < 0.6,
        "square": np.maximum(abs(x), abs(y)) < 0.55,
        "ring": abs(radius - 0.6) < 0.15,
        "cross": np.minimum(abs(x), abs(y)) < 0.18,
        "stripes": np.sin(12 * x) > 0,
    }[name]
    colour = np.array([0.95, 0.55, 0.15]) if name in ("circle", "ring") else np.array([0.2, 0.55, 0.9])
    target = np.where(inside[..., None], colour, 0.08)
    noise = rng.uniform(size=target.shape)
    return png_from_rgb((255 * (clarity * target + (1 - clarity) * noise)).astype(np.uint8))


def film(*, clarity: float, rng: np.random.Generator) -> bytes:
    """A ball on its way around, as a GIF."""
    y, x = np.mgrid[-1 : 1 : IMAGE_PX * 1j, -1 : 1 : IMAGE_PX * 1j]
    frames = []
    for angle in 2 * np.pi * np.arange(FILM_FRAMES) / FILM_FRAMES:
        ball = np.hypot(x - 0.55 * np.cos(angle), y - 0.55 * np.sin(angle)) < 0.28
        target = np.where(ball[..., None], [0.95, 0.55, 0.15], 0.08)
        noise = rng.uniform(size=(IMAGE_PX // 4, IMAGE_PX // 4, 1)).repeat(4, axis=0).repeat(4, axis=1)
        frames.append((255 * (clarity * target + (1 - clarity) * noise)).astype(np.uint8))
    return gif_from(np.stack(frames), fps=8)


def sound(*, clarity: float, rng: np.random.Generator) -> bytes:
    time_s = np.arange(SAMPLE_RATE_HZ) / SAMPLE_RATE_HZ
    tone = 0.5 * np.sin(2 * np.pi * 440 * time_s) * np.exp(-4 * time_s)
    return wav_from_samples(clarity * tone + (1 - clarity) * 0.3 * rng.uniform(-1, 1, time_s.size))
