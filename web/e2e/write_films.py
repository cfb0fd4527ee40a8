"""Writes films for end-to-end tests: ``write_films.py DIRECTORY``.

Every frame of a film has one colour of its own, so that a test can tell from a single pixel which frame it
sees: frame n has the n-th of COLORS, which films.test.ts knows too, shifted by the film's offset.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path

import av
import numpy as np
from PIL import Image

from sightline import SummaryWriter
from sightline.formats.messages import Image as ImageMessage
from sightline.formats.messages import Summary, Value
from sightline.writer.media.films import gif_from

HEIGHT, WIDTH = 48, 64
COLORS = [(r, g, b) for r in (40, 215) for g in (40, 130, 215) for b in (40, 215)]


def film(count: int, *, offset: int = 0) -> np.ndarray:
    frames = np.empty((1, count, 3, HEIGHT, WIDTH), dtype=np.uint8)
    for frame in range(count):
        frames[0, frame] = np.array(COLORS[(frame + offset) % len(COLORS)], dtype=np.uint8)[:, None, None]
    return frames


def write_run(directory: Path, *, offset: int) -> None:
    with SummaryWriter(str(directory)) as writer:
        for step in (0, 100, 200):
            # The shown colours move by one with every step.
            shift = offset + step // 100
            writer.add_video("films/gif", film(8, offset=shift), step, fps=4, format="gif")
            writer.add_video("films/mp4", film(12, offset=shift), step, fps=4, format="mp4")
        writer.add_image("still", film(1, offset=offset)[0, 0], 0)
        # Half as long as the others' films: it holds its last frame.
        length = 12 if offset else 6
        writer.add_video("films/webm", film(length, offset=offset), 0, fps=4, format="webm")


def write_odd(directory: Path) -> None:
    """Films that browsers cannot play, each behind a header that says it is one."""
    with SummaryWriter(str(directory)) as writer:
        writer.add_video("odd/fine", film(4), 0, fps=4, format="mp4")
    whole = encoded("mp4", "libx264")
    write_images(
        directory / "damaged",
        {
            "odd/cut": whole[: len(whole) // 2],
            "odd/header": whole[:8] + bytes(200),
            "odd/mpeg4": encoded("mp4", "mpeg4"),
            "odd/vp8": encoded("webm", "libvpx"),
            "odd/webp": animated_webp(),
            "odd/long": gif_from(
                np.arange(2_001 * 4 * 4 * 3, dtype=np.uint32).astype(np.uint8).reshape(-1, 4, 4, 3), 50
            ),
        },
    )


def encoded(container: str, codec: str) -> bytes:
    target = io.BytesIO()
    with av.open(target, "w", format=container) as output:
        stream = output.add_stream(codec, rate=4)
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        for frame in film(6)[0].transpose(0, 2, 3, 1):
            output.mux(stream.encode(av.VideoFrame.from_ndarray(np.ascontiguousarray(frame), format="rgb24")))
        output.mux(stream.encode(None))
    return target.getvalue()


def animated_webp() -> bytes:
    frames = [Image.fromarray(np.ascontiguousarray(one)) for one in film(5)[0].transpose(0, 2, 3, 1)]
    target = io.BytesIO()
    frames[0].save(target, "WEBP", save_all=True, append_images=frames[1:], duration=250, lossless=True)
    return target.getvalue()


def write_images(directory: Path, images: dict[str, bytes]) -> None:
    """Bytes that no method of the writer would log as pictures."""
    with SummaryWriter(str(directory)) as writer:
        for tag, data in images.items():
            value = Value(tag=tag, image=ImageMessage(width=WIDTH, height=HEIGHT, encoded_image_string=data))
            writer.file_writer.add_summary(Summary(value=[value]), 0)


def main() -> None:
    directory = Path(sys.argv[1])
    write_run(directory / "a", offset=0)
    write_run(directory / "b", offset=3)
    write_odd(directory / "odd")


if __name__ == "__main__":
    main()
