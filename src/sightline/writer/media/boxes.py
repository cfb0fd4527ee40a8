"""Boxes with labels, drawn on a picture the way torch draws them, pixel by pixel.

A red frame, two pixels wide; the label in black on a red plate inside the lower left corner.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sightline.model.errors import BadArgumentError
from sightline.writer.engine.background import forks_wait

if TYPE_CHECKING:
    import PIL.Image
    import PIL.ImageDraw
    import PIL.ImageFont

_FRAME_PX = 2
_FRAME_COLOR = "Red"
_TEXT_COLOR = "black"
_MARGIN = 0.05  # around a label, as a part of its height
# Far outside of any picture, and small enough for Pillow's 32-bit coordinates.
_FARTHEST_PX = 1e6


def boxes_from(array: NDArray[Any]) -> NDArray[Any]:
    """An array of boxes, one row each: left, top, right, bottom. Raises BadArgumentError for other shapes."""
    if array.size == 0:
        return array.reshape(0, 4)
    if array.ndim != 2 or array.shape[1] != 4 or array.dtype.kind not in "iuf":
        raise BadArgumentError(
            "Boxes are an array [count, 4] of numbers (xmin, ymin, xmax, ymax in pixels), not"
            f" {array.dtype} of shape {array.shape}"
        )
    return array


def labels_from(labels: Sequence[object] | str | None, count: int) -> list[str] | None:
    """One label for each box. A single text is the label of a single box. Raises BadArgumentError."""
    if labels is None:
        return None
    texts = [labels] if isinstance(labels, str) else [str(label) for label in labels]
    if len(texts) != count:
        raise BadArgumentError(f"{len(texts)} labels do not fit {count} boxes. Pass one label for each box")
    return texts


def draw_boxes(image: PIL.Image.Image, boxes: NDArray[Any], labels: Sequence[str] | None) -> int:
    """Draws on the image. Returns how many boxes were left out because a corner is not a number."""
    with forks_wait():
        from PIL import ImageDraw, ImageFont

    draw = ImageDraw.Draw(image)
    font = ImageFont.load_default()
    corners = boxes.astype(np.float64)
    drawable = np.isfinite(corners).all(axis=1)
    corners = corners.clip(-_FARTHEST_PX, _FARTHEST_PX)
    for position in np.flatnonzero(drawable).tolist():
        left, top, right, bottom = corners[position].tolist()
        outline = [(left, top), (left, bottom), (right, bottom), (right, top), (left, top)]
        draw.line(outline, width=_FRAME_PX, fill=_FRAME_COLOR)
        if labels and labels[position]:
            _draw_label(draw, font, labels[position], left, bottom)
    return int(np.count_nonzero(~drawable))


def _draw_label(
    draw: PIL.ImageDraw.ImageDraw,
    font: PIL.ImageFont.FreeTypeFont | PIL.ImageFont.ImageFont,
    label: str,
    left: float,
    bottom: float,
) -> None:
    x_min, y_min, x_max, y_max = font.getbbox(label)
    width, height = x_max - x_min, y_max - y_min
    margin = float(np.ceil(_MARGIN * height))
    draw.rectangle([(left, bottom - height - 2 * margin), (left + width, bottom)], fill=_FRAME_COLOR)
    draw.text((left + margin, bottom - height - margin), label, fill=_TEXT_COLOR, font=font)
