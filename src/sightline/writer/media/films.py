"""Films out of frames: GIF by Pillow, MP4 and WebM by PyAV.

Pure functions: frames [time, height, width, 3] of uint8 in, the bytes of a file out. TensorBoard shows
GIFs only, with 256 colors a frame; the other formats are a tenth of its size and look better. Encoders use
one thread: the other processors belong to training.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sightline.writer.engine.background import forks_wait

if TYPE_CHECKING:
    import PIL.Image


class Codec(NamedTuple):
    """How PyAV is asked for a format."""

    encoder: str
    encoder_options: dict[str, str]
    container_options: dict[str, str]


# Quality: differences to the frames that one has to look for. The index of an MP4 goes to its beginning.
CODECS = {
    "mp4": Codec("libx264", {"preset": "veryfast", "crf": "18"}, {"movflags": "+faststart"}),
    "webm": Codec("libvpx-vp9", {"crf": "24", "b:v": "0", "deadline": "good", "cpu-used": "4"}, {}),
}
FORMATS = (*CODECS, "gif")

_GIF_COLORS = 256
_FEW_COLORS = 4096
_GIF_LOOP_FOREVER = b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
# Browsers take anything shorter for a mistake and show the frame for a tenth of a second.
_SHORTEST_CS = 2
_LONGEST_CS = 0xFFFF

_KEYFRAME_EVERY = 24  # a viewer can jump without decoding everything before
# The numbers that say how RGB became YUV (ITU-R BT.601, values 16 to 235). Unsaid, players guess by the size.
_BT601 = 6
_VIDEO_RANGE = 1


def has_av() -> bool:
    """Whether PyAV is installed. It is not imported: that takes a while."""
    try:
        return find_spec("av") is not None
    except ValueError:  # somebody has put something else in its place
        return False


def tiled_frames(films: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """One film out of a batch [N, T, H, W, C], side by side as in torch.

    The batch is filled up with black films to a power of two.
    """
    count, length, height, width, channels = films.shape
    places = 1 << (count - 1).bit_length()
    rows = 1 << (count.bit_length() - 1) // 2
    columns = places // rows
    if places > count:
        black = np.zeros((places - count, length, height, width, channels), dtype=np.uint8)
        films = np.concatenate((films, black))
    grid = films.reshape(rows, columns, length, height, width, channels).transpose(2, 0, 3, 1, 4, 5)
    return grid.reshape(length, rows * height, columns * width, channels)


def gif_from(frames: NDArray[np.uint8], fps: float) -> bytes:
    """A GIF that repeats for ever, with every frame in it, also those that equal the one before."""
    with forks_wait():
        from PIL import GifImagePlugin, Image

    height, width = frames.shape[1:3]
    pieces = [b"GIF89a", struct.pack("<HHBBB", width, height, 0, 0, 0), _GIF_LOOP_FOREVER]
    for frame, duration_cs in zip(frames, _durations_cs(len(frames), fps), strict=True):
        picture = _with_palette(Image.fromarray(frame))
        pieces += GifImagePlugin.getdata(picture, duration=duration_cs * 10, include_color_table=True)
    pieces.append(b";")
    return b"".join(pieces)


def _durations_cs(count: int, fps: float) -> list[int]:
    """Hundredths of a second for each frame, so that the film as a whole keeps its time."""
    ends = [round(100 * frame / fps) for frame in range(count + 1)]
    return [min(max(end - start, _SHORTEST_CS), _LONGEST_CS) for start, end in pairwise(ends)]


def _with_palette(image: PIL.Image.Image) -> PIL.Image.Image:
    """The picture in 256 colors: just as it is, when it has no more."""
    with forks_wait():
        from PIL import Image

    if image.getcolors(_FEW_COLORS) is not None:
        # Exact for as many as there are places, and a second for a frame of many.
        return image.quantize(_GIF_COLORS, method=Image.Quantize.MEDIANCUT)
    # Colors from all of the picture, so that a small mark keeps its own; what is between two of them is mixed
    # from neighbouring pixels, or smooth parts would have bands.
    colors = image.quantize(_GIF_COLORS, method=Image.Quantize.FASTOCTREE)
    return image.quantize(palette=colors, dither=Image.Dither.FLOYDSTEINBERG)


def film_from(frames: NDArray[np.uint8], fps: float, container: str) -> bytes:
    """An MP4 (H.264) or WebM (VP9) file. Odd sizes get one more row or column, a copy of the last one."""
    with forks_wait():
        import tempfile  # with Fraction, more to load than all the rest of this module
        from fractions import Fraction

        av: Any = import_module("av")
    codec = CODECS[container]
    frames = _evened(frames)
    with tempfile.TemporaryDirectory(prefix="sightline-") as directory:
        # A real file: PyAV moves the index of an MP4 to the front only where it can open the output again.
        path = os.path.join(directory, f"film.{container}")
        with av.open(path, "w", format=container, options=codec.container_options) as output:
            rate = Fraction(fps).limit_denominator(1001)
            stream = output.add_stream(codec.encoder, rate=rate, options=codec.encoder_options)
            stream.height, stream.width = frames.shape[1:3]
            stream.pix_fmt = "yuv420p"
            _set_up(stream.codec_context)
            for frame in chain(_yuv_frames(frames), [None]):  # None: what the encoder still holds
                output.mux(stream.encode(frame))
        with open(path, "rb") as file:
            return file.read()


def _set_up(encoder: Any) -> None:
    encoder.thread_count = 1
    encoder.gop_size = _KEYFRAME_EVERY
    encoder.max_b_frames = 0  # the first frame is at time 0, in every player
    encoder.colorspace = encoder.color_primaries = encoder.color_trc = _BT601
    encoder.color_range = _VIDEO_RANGE


def _yuv_frames(frames: NDArray[np.uint8]) -> Iterator[Any]:
    av: Any = import_module("av")
    for frame in frames:
        rgb = av.VideoFrame.from_ndarray(frame, format="rgb24")
        yield rgb.reformat(format="yuv420p", dst_colorspace="ITU601")


def _evened(frames: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Frames whose sides are even, as the halved resolution of colors needs it."""
    odd_rows, odd_columns = frames.shape[1] % 2, frames.shape[2] % 2
    if not odd_rows and not odd_columns:
        return np.ascontiguousarray(frames)
    return np.pad(frames, ((0, 0), (0, odd_rows), (0, odd_columns), (0, 0)), mode="edge")
