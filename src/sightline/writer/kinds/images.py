"""Pictures: ``add_image``, ``add_images``, ``add_image_with_boxes``, ``add_figure``.

Written as by torch: one PNG per call in the legacy ``image`` field, batches as one grid. The call checks the
shape and copies the data; scaling, tiling and compression are left to the background thread.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sightline.formats.messages import Value
from sightline.model.errors import BadArgumentError
from sightline.writer.engine.arguments import checked_tag
from sightline.writer.engine.arrays import array_from
from sightline.writer.engine.background import forks_wait
from sightline.writer.engine.base import WriterBase
from sightline.writer.media import figures
from sightline.writer.media.boxes import boxes_from, draw_boxes, labels_from
from sightline.writer.media.pictures import (
    arranged,
    image_message,
    logged_pixels,
    padded,
    pil_image,
    png_from,
    tiled,
)

_BLACK, _WHITE = 0, 255


class ImageMethods(WriterBase):
    def add_image(
        self,
        tag: str,
        img_tensor: Any,
        global_step: Any = None,
        walltime: float | None = None,
        dataformats: str = "CHW",
    ) -> None:
        """Logs a picture of 1 to 4 channels (grey, grey and alpha, RGB, RGBA).

        The letters of `dataformats` name the axes: H and W, and C and N when they are there; a batch becomes
        a grid of at most 8 columns. uint8 is 0 to 255; any other type is 0 to 1 and clipped, integers too.
        Pixels that are not a number become 0, with one warning per tag.
        """
        self._add_pictures(tag, [_pictures_from(img_tensor, dataformats)], global_step, walltime)

    def add_images(
        self,
        tag: str,
        img_tensor: Any,
        global_step: Any = None,
        walltime: float | None = None,
        dataformats: str = "NCHW",
    ) -> None:
        """Logs a batch of pictures as one grid of at most 8 columns; see ``add_image``.

        Also takes a list of pictures, each of them in `dataformats` without N. They may differ in size:
        smaller ones get a black margin at the right and at the bottom.
        """
        if not isinstance(img_tensor, (list, tuple)):
            self.add_image(tag, img_tensor, global_step, walltime, dataformats)
            return
        letters = dataformats.upper().replace("N", "")
        pictures = [_pictures_from(one, letters) for one in img_tensor]
        self._add_pictures(tag, pictures, global_step, walltime)

    def add_image_with_boxes(
        self,
        tag: str,
        img_tensor: Any,
        box_tensor: Any,
        global_step: Any = None,
        walltime: float | None = None,
        rescale: float = 1,
        dataformats: str = "CHW",
        labels: Sequence[object] | str | None = None,
    ) -> None:
        """Logs a picture with red boxes, each with a label if there are `labels`.

        A row of `box_tensor` is xmin, ymin, xmax, ymax in pixels. The picture is resized by the factor
        `rescale` after drawing; the value states the size before, as in torch. Boxes with a corner that is
        not a number are left out, with one warning per tag.
        """
        checked_tag(tag)
        array = _pictures_from(img_tensor, dataformats)
        boxes = boxes_from(array_from(box_tensor, is_copy=True))
        texts = labels_from(labels, len(boxes))
        if not 0 < rescale < math.inf:
            raise BadArgumentError(f"rescale is a factor greater than 0, not {rescale!r}")

        def encode() -> list[Value]:
            picture = tiled(logged_pixels(self, tag, array))
            image = pil_image(picture)
            left_out = draw_boxes(image, boxes, texts)
            if left_out:
                self._warn_once(tag, "%r: %d boxes are not drawn: a corner is not a number", left_out)
            return [Value(tag=tag, image=image_message(picture, png_from(_resized(image, rescale))))]

        self._defer(encode, global_step, walltime, array.nbytes + boxes.nbytes)

    def add_figure(
        self,
        tag: str,
        figure: Any,
        global_step: Any = None,
        close: bool = True,
        walltime: float | None = None,
    ) -> None:
        """Logs a figure of matplotlib, or a list of them as one grid of at most 8 columns.

        Figures of a list may differ in size: smaller ones get a white margin at the right and at the bottom.
        Rendering happens in the call, since matplotlib is bound to its thread. `close` closes the figures.
        """
        checked_tag(tag)
        listed = list(figure) if isinstance(figure, (list, tuple)) else [figure]
        for one in listed:
            figures.check_figure(one)
        pictures = [figures.pixels_of(one, is_closed=close)[np.newaxis] for one in listed]
        self._add_pictures(tag, pictures, global_step, walltime, fill=_WHITE)

    def _add_pictures(
        self,
        tag: str,
        pictures: Sequence[NDArray[Any]],
        global_step: Any,
        walltime: float | None,
        *,
        fill: int = _BLACK,
    ) -> None:
        """Writes NHWC arrays, which belong to the writer now, as one picture."""
        checked_tag(tag)
        if not pictures:
            raise BadArgumentError("There is no picture in the list")
        channels = {3 if part.shape[3] == 1 else part.shape[3] for part in pictures}
        if len(channels) > 1:
            raise BadArgumentError(f"Pictures of one grid need the same channels, not {sorted(channels)}")

        def encode() -> list[Value]:
            picture = tiled(padded([logged_pixels(self, tag, part) for part in pictures], fill))
            return [Value(tag=tag, image=image_message(picture, png_from(pil_image(picture))))]

        self._defer(encode, global_step, walltime, sum(part.nbytes for part in pictures))


def _pictures_from(value: Any, dataformats: str) -> NDArray[Any]:
    """A copy of a value as NHWC. Raises BadArgumentError."""
    return arranged(array_from(value, is_copy=True), dataformats, order="NHWC")


def _resized(image: Any, rescale: float) -> Any:
    with forks_wait():
        from PIL import Image as PilImage

    size_px = (max(1, int(image.width * rescale)), max(1, int(image.height * rescale)))
    return image if size_px == image.size else image.resize(size_px, PilImage.Resampling.LANCZOS)
