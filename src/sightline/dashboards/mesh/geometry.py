"""From logged arrays to what can be drawn: one mesh of the batch, without anything that is not a number or
leads nowhere. What was left out is said in notes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sightline.dashboards.mesh.schemas import MAX_FACES, MAX_POINTS
from sightline.model.errors import MediaError

_AXES = 3
_WHITE = 255


@dataclass
class Geometry:
    """``n`` vertices, faces of them, and a colour for each."""

    vertices: NDArray[np.float32]
    samples: int
    faces: NDArray[np.uint32] = field(default_factory=lambda: np.empty((0, _AXES), np.uint32))
    colors: NDArray[np.uint8] | None = None
    notes: list[str] = field(default_factory=list)


def geometry_of(
    vertices: NDArray[Any], faces: NDArray[Any] | None, colors: NDArray[Any] | None, *, sample: int
) -> Geometry:
    """A batch without such a sample gives its last one. Raises MediaError when there is nothing to draw."""
    batch = _batch(vertices)
    if batch is None or len(batch) == 0:
        raise MediaError(f"Vertices have the shape [batch, count, 3], these are {list(vertices.shape)}")
    sample = min(sample, len(batch) - 1)
    with np.errstate(over="ignore", invalid="ignore"):
        points = batch[sample].astype(np.float32)
    is_good = np.isfinite(points).all(axis=1)
    found = Geometry(points[is_good], len(batch))
    if len(found.vertices) < len(points):
        left_out = _of(len(points) - len(found.vertices), len(points), "vertices")
        found.notes.append(f"{left_out} are left out: they are NaN or infinite")
    if colors is not None:
        _add_colors(found, colors, sample, is_good)
    if faces is not None:
        _add_faces(found, faces, sample, is_good)
    _thin(found)
    return found


def _batch(array: NDArray[Any]) -> NDArray[Any] | None:
    """[count, 3] is a batch of one."""
    if array.ndim == _AXES - 1:
        array = array[np.newaxis]
    is_sound = array.ndim == _AXES and array.shape[2] == _AXES and array.dtype.kind in "fiub"
    return array if is_sound else None


def _part_of(array: NDArray[Any], sample: int) -> NDArray[Any] | None:
    """A batch of one is for all samples."""
    batch = _batch(array)
    if batch is None or len(batch) == 0:
        return None
    if len(batch) == 1:
        return np.asarray(batch[0])
    return np.asarray(batch[sample]) if sample < len(batch) else None


def _add_colors(found: Geometry, colors: NDArray[Any], sample: int, is_good: NDArray[np.bool_]) -> None:
    part = _part_of(colors[..., :_AXES] if colors.ndim > 1 else colors, sample)  # an opacity is not drawn
    if part is None or len(part) != len(is_good):
        shape = list(colors.shape)
        found.notes.append(f"Colours are not used: they have the shape {shape}, not one for each vertex")
        return
    part = np.nan_to_num(part[is_good], nan=0.0) if part.dtype.kind == "f" else part[is_good]
    if part.dtype.kind == "f" and part.size and part.max() <= 1 and np.any(part != np.rint(part)):
        part = np.rint(part * _WHITE)
        found.notes.append("Colours are taken as shares of 255: all are between 0 and 1")
    found.colors = np.clip(part, 0, _WHITE).astype(np.uint8)


def _add_faces(found: Geometry, faces: NDArray[Any], sample: int, is_good: NDArray[np.bool_]) -> None:
    part = _part_of(faces, sample)
    if part is None:
        found.notes.append(
            f"Faces are not drawn: they have the shape {list(faces.shape)}, not three corners for each face"
        )
        return
    is_inside = ((part >= 0) & (part < len(is_good)) & (part == np.rint(part))).all(axis=1)
    corners = part[is_inside].astype(np.int64)
    corners = corners[is_good[corners].all(axis=1)]
    if len(corners) < len(part):
        left_out = _of(len(part) - len(corners), len(part), "faces")
        found.notes.append(f"{left_out} are left out: a corner of theirs is missing or not a number")
    new_position = np.cumsum(is_good) - 1
    found.faces = new_position[corners].astype(np.uint32)


def _thin(found: Geometry) -> None:
    count = len(found.vertices)
    if len(found.faces) > MAX_FACES or (len(found.faces) and count > MAX_POINTS):
        raise MediaError(
            f"The mesh is too large to be shown: {count:,} vertices and {len(found.faces):,} faces, and "
            f"{MAX_POINTS:,} and {MAX_FACES:,} are the limits"
        )
    if count > MAX_POINTS:
        chosen = np.linspace(0, count - 1, MAX_POINTS).astype(np.int64)
        found.vertices = found.vertices[chosen]
        found.colors = None if found.colors is None else found.colors[chosen]
        found.notes.append(f"{MAX_POINTS:,} of {count:,} points are shown, an even choice")


def _of(some: int, all_of_them: int, words: str) -> str:
    return f"{some:,} of {all_of_them:,} {words}"
