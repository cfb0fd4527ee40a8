"""Pixels out of arrays: axes named by letters, 8 bits a channel, grids, PNG.

Pure functions, shared by images, figures, films and sprites. Pictures travel as NHWC: a batch, even of one.
Values are read as torch reads them: uint8 is 0 to 255 and taken as it is; every other type is 0 to 1, with
what lies outside clipped. That includes integers: a mask of 0 and 1 is black and white in any type, and
pixels of 0 to 255 have to be uint8. Not a number becomes 0.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sightline.formats.messages import Image
from sightline.model.errors import BadArgumentError
from sightline.writer.engine.background import forks_wait

if TYPE_CHECKING:
    import PIL.Image

    from sightline.writer.engine.base import WriterBase

GRID_COLUMNS = 8  # at most, as in torch
# A third of the time of Pillow's usual 6 on photographs, for 2 % more bytes; 3 is hardly quicker, and 10 %
# larger.
PNG_LEVEL = 4
# grey, grey with alpha, RGB, RGBA. The first is written as RGB, as in torch.
_CHANNELS = (1, 2, 3, 4)
_AXES = {"N": "batch", "T": "time", "C": "channels", "H": "height", "W": "width"}


def arranged(array: NDArray[Any], dataformats: str, *, order: str) -> NDArray[Any]:
    """A view with the axes in another order. The letters of `dataformats` say what each axis is now.

    Batch and channels may be missing; they become axes of size 1. Raises BadArgumentError.
    """
    letters = dataformats.upper()
    known = "".join(sorted(order))
    if len(set(letters)) != len(letters) or not set(letters) <= set(order):
        raise BadArgumentError(f"dataformats needs different letters of {known}, not {dataformats!r}")
    missing = [letter for letter in order if letter not in letters]
    if not set(missing) <= {"N", "C"}:
        unnamed = " and ".join(_AXES[letter] for letter in missing)
        raise BadArgumentError(f"dataformats={dataformats!r} does not say which axis is {unnamed}")
    if len(letters) != array.ndim:
        raise BadArgumentError(
            f"dataformats={dataformats!r} names {len(letters)} axes, but the array has {array.ndim}: shape"
            f" {array.shape}. Pass one letter for each axis"
        )
    if array.dtype.kind not in "biuf":
        raise BadArgumentError(f"Pixels are numbers, not {array.dtype}")
    present = array.transpose([letters.index(letter) for letter in order if letter in letters])
    view = np.expand_dims(present, [order.index(letter) for letter in missing])
    if view.size == 0:
        raise BadArgumentError(f"There is no pixel in an array of shape {array.shape}")
    channels = view.shape[order.index("C")]
    if channels not in _CHANNELS:
        raise BadArgumentError(
            f"A picture has 1 to 4 channels, not {channels}: the shape is {array.shape}, dataformats"
            f" {dataformats!r}"
        )
    return view


class Pixels(NamedTuple):
    """8 bits a channel, and what got lost on the way there."""

    values: NDArray[np.uint8]
    nan_count: int = 0
    is_integer_clipped: bool = False


def pixels_from(array: NDArray[Any]) -> Pixels:
    """Any numbers as pixels. One channel, the last axis, becomes three."""
    pixels = _pixels(array)
    if pixels.values.shape[-1] == 1:
        return pixels._replace(values=np.repeat(pixels.values, 3, axis=-1))
    return pixels


def _pixels(array: NDArray[Any]) -> Pixels:
    if array.dtype == np.uint8:
        return Pixels(np.ascontiguousarray(array))
    is_clipped = array.dtype.kind in "iu" and bool(array.max() > 1 or array.min() < 0)
    with np.errstate(over="ignore", invalid="ignore"):
        # The multiplication is one of float32 for every type, so that the last bit is that of torch.
        scaled = np.multiply(array, 255, dtype=np.float32, casting="unsafe")
        nan_count = 0
        if np.isnan(scaled.min()):
            is_nan = np.isnan(scaled)
            nan_count = int(np.count_nonzero(is_nan))
            scaled[is_nan] = 0
    values = np.clip(scaled, 0, 255, out=scaled).astype(np.uint8, order="C")
    return Pixels(values, nan_count, is_clipped)


def logged_pixels(writer: WriterBase, tag: str, array: NDArray[Any]) -> NDArray[np.uint8]:
    """Any numbers as pixels. The writer says what was lost, once per tag."""
    pixels = pixels_from(array)
    if pixels.nan_count:
        writer._warn_once(
            tag, "%r: %d pixel values are not a number; they are written as 0", pixels.nan_count
        )
    if pixels.is_integer_clipped:
        writer._warn_once(
            tag,
            "%r: pixels of type %s are read as 0 to 1, as in torch, and clipped. Pass uint8 for 0 to 255",
            array.dtype,
        )
    return pixels.values


def padded(pictures: Sequence[NDArray[np.uint8]], fill: int) -> NDArray[np.uint8]:
    """One batch out of several. Smaller pictures get a margin at the right and at the bottom."""
    if len(pictures) == 1:
        return pictures[0]
    if len({part.shape[1:] for part in pictures}) == 1:
        return np.concatenate(pictures)
    height = max(part.shape[1] for part in pictures)
    width = max(part.shape[2] for part in pictures)
    batch = np.full((sum(map(len, pictures)), height, width, pictures[0].shape[3]), fill, dtype=np.uint8)
    start = 0
    for part in pictures:
        batch[start : start + len(part), : part.shape[1], : part.shape[2]] = part
        start += len(part)
    return batch


def tiled(pictures: NDArray[np.uint8], columns: int = GRID_COLUMNS) -> NDArray[np.uint8]:
    """One picture, HWC, out of a batch: rows from the top, empty places black."""
    count, height, width, channels = pictures.shape
    columns = min(count, columns)
    rows = -(-count // columns)
    cells = pictures
    if rows * columns > count:
        cells = np.zeros((rows * columns, height, width, channels), dtype=np.uint8)
        cells[:count] = pictures
    grid = cells.reshape(rows, columns, height, width, channels).swapaxes(1, 2)
    return grid.reshape(rows * height, columns * width, channels)


def pil_image(pixels: NDArray[np.uint8]) -> PIL.Image.Image:
    """Pillow's image of HWC pixels."""
    with forks_wait():
        from PIL import Image as PilImage

        PilImage.preinit()  # imports the common formats, which saving would do otherwise

    return PilImage.fromarray(pixels)


def png_from(image: PIL.Image.Image) -> bytes:
    out = io.BytesIO()
    image.save(out, "PNG", compress_level=PNG_LEVEL)
    return out.getvalue()


def image_message(pixels: NDArray[np.uint8], encoded: bytes) -> Image:
    """The value for an encoded picture, with the sizes of its pixels, HWC."""
    height, width, channels = pixels.shape
    return Image(height=height, width=width, colorspace=channels, encoded_image_string=encoded)
