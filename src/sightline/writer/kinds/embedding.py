"""Points in space: ``add_embedding``. The only method that writes files beside the event file.

The call checks everything and copies it; the background thread makes the files (see ``projector_files``).
A disk that is full is logged and counted there, like any other trouble after the call.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sightline.model.errors import BadArgumentError
from sightline.writer.engine.arguments import checked_tag
from sightline.writer.engine.arrays import array_from, is_torch_tensor
from sightline.writer.engine.base import NullSink, WriterBase
from sightline.writer.media.pictures import arranged, logged_pixels
from sightline.writer.media.projector_files import (
    EmbeddingPlace,
    folder_of_tag,
    metadata_lines,
    sprite_from,
    write_embedding,
)

_LONGEST_NAME_BYTES = 255


class EmbeddingMethods(WriterBase):
    def add_embedding(
        self,
        mat: Any,
        metadata: Any = None,
        label_img: Any = None,
        global_step: Any = None,
        tag: str = "default",
        metadata_header: Sequence[object] | None = None,
    ) -> None:
        """Logs points for the projector: `mat` is [points, dimensions].

        `metadata` is a label for each point, or a row of labels, named by `metadata_header`. Tabs and line
        breaks in them become spaces. `label_img` is a thumbnail for each point, [points, channels, height,
        width], read as by ``add_image``; where all of them need more than 8192 pixels a side, they are scaled
        down, with a warning. The same tag and step replace an earlier embedding; all others stay.
        """
        name = _checked_name(tag)
        points = _points_from(mat)
        rows = None if metadata is None else _rows_from(metadata, metadata_header, len(points))
        images = None if label_img is None else _thumbnails_from(label_img, len(points))
        step, _ = self._place(global_step, None)
        if isinstance(self._sink, NullSink):
            return
        place = EmbeddingPlace(self._directory, name, step)
        row_bytes = sum(len(cell) for row in rows or () for cell in row)
        self._submit(
            lambda: self._write_files(place, points, rows, images),
            f"embedding {name!r} of step {step}",
            size_bytes=points.nbytes + row_bytes + (0 if images is None else images.nbytes),
        )

    def _write_files(
        self,
        place: EmbeddingPlace,
        points: NDArray[Any],
        rows: Sequence[Sequence[str]] | None,
        images: NDArray[Any] | None,
    ) -> None:
        if place.is_taken:
            self._warn_once(
                place.tag, "%r: the embedding of step %d is replaced. Does global_step change?", place.step
            )
        sprite = None
        if images is not None:
            sprite = sprite_from(logged_pixels(self, place.tag, images))
            if sprite.width_px != images.shape[2]:
                self._warn_once(
                    place.tag,
                    "%r: thumbnails are scaled down to %d x %d pixels",
                    sprite.width_px,
                    sprite.height_px,
                )
        write_embedding(place, points, None if rows is None else metadata_lines(rows), sprite)


def _checked_name(tag: object) -> str:
    name = checked_tag(tag)
    if len(folder_of_tag(name).encode("utf-8", "replace")) > _LONGEST_NAME_BYTES:
        raise BadArgumentError(f"The tag of an embedding names a folder; {len(name)} characters are too many")
    return name


def _points_from(mat: Any) -> NDArray[Any]:
    points = array_from(mat, is_copy=True)
    if points.ndim != 2 or points.size == 0 or points.dtype.kind not in "biuf":
        raise BadArgumentError(
            "An embedding is an array [points, dimensions] of numbers, not"
            f" {points.dtype} of shape {points.shape}"
        )
    return points


def _rows_from(metadata: Any, header: Sequence[object] | None, count: int) -> list[list[str]]:
    """Rows of cells. Two columns or more begin with the header; one has none, or it would be a point."""
    listed = _listed(metadata)
    if len(listed) != count:
        raise BadArgumentError(
            f"{len(listed)} labels do not fit {count} points. Pass one label for each point"
        )
    if not header:
        return [[_text(label)] for label in listed]
    rows = [[_text(cell) for cell in _listed(row)] for row in listed]
    for position, row in enumerate(rows):
        if len(row) != len(header):
            raise BadArgumentError(
                f"Row {position} of the metadata has {len(row)} cells, but the header has {len(header)}"
            )
    return rows if len(header) == 1 else [[_text(name) for name in header], *rows]


def _listed(value: Any) -> list[Any]:
    if isinstance(value, np.ndarray) or is_torch_tensor(value):
        listed: list[Any] = array_from(value).tolist()
        return listed
    return list(value)


def _text(value: Any) -> str:
    return str(array_from(value).tolist()) if is_torch_tensor(value) else str(value)


def _thumbnails_from(label_img: Any, count: int) -> NDArray[Any]:
    images = array_from(label_img, is_copy=True)
    if images.ndim != 4 or len(images) != count:
        raise BadArgumentError(
            f"label_img is an array [points, channels, height, width] for {count} points, not one of shape"
            f" {images.shape}"
        )
    return arranged(images, "NCHW", order="NHWC")
