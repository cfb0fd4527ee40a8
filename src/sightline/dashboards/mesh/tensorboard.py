"""``/data/plugin/mesh``: which meshes there are, what their parts are, and the numbers of one part."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from sightline.dashboards.context import Context
from sightline.dashboards.kind_tags import kind_tags
from sightline.model.errors import DataError
from sightline.model.kinds import Kind
from sightline.query.media_items import FoundItem, find_series
from sightline.query.meshes import COLOR, FACE, VERTEX, MeshTag, mesh_tag
from sightline.query.stored_types import MediaSeries
from sightline.wire.routes import ApiError
from sightline.wire.tensorboard import Fields, Pieces, invalid_argument, list_pieces, not_found

_ALL_COMPONENTS = 1 << VERTEX | 1 << FACE | 1 << COLOR
"""Writers that do not say which parts there are may have written any."""

_PARTS = {
    "VERTEX": (VERTEX, np.dtype("<f4")),
    "FACE": (FACE, np.dtype("<i4")),
    "COLOR": (COLOR, np.dtype("u1")),
}


class _Part(NamedTuple):
    """One tag of a mesh in a run."""

    series: MediaSeries[Any]
    facts: MeshTag


def tags(context: Context, _: Fields) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for one in kind_tags(context, Kind.mesh).all():
        part = _part(context, one.run, one.tag)
        if part is not None:
            samples = part.facts.shape[0] if part.facts.shape else 0
            found.setdefault(one.run, {})[part.facts.name] = {"samples": samples}
    return found


def meshes(context: Context, fields: Fields) -> Pieces:
    """Every part of every step; an empty list when there is no such run or mesh."""
    entries = [
        {
            "wall_time": wall_time,
            "step": step,
            "content_type": part.facts.content,
            "components": part.facts.components or _ALL_COMPONENTS,
            "config": part.facts.config,
            "data_shape": list(part.facts.shape),
        }
        for part in _parts(context, fields)
        for step, wall_time in zip(part.series.step.tolist(), part.series.wall_time.tolist(), strict=True)
    ]
    entries.sort(key=lambda entry: entry["step"])
    return Pieces(list_pieces(entries))


def data(context: Context, fields: Fields) -> Pieces:
    """One sample of one part at a step; nothing when there is no such step."""
    word = fields.first("content_type") or ""
    if word not in _PARTS:
        raise ApiError(400, "Bad content_type")
    content, numbers = _PARTS[word]
    sample = _whole(fields, "sample")
    step = _whole(fields, "step")
    pieces = []
    for part in _parts(context, fields):
        if part.facts.content != content:
            continue
        for position in np.flatnonzero(part.series.step == step).tolist():
            try:
                batch = FoundItem(part.series, position).read().array
            except DataError as error:
                raise not_found(str(error)) from None
            if batch.ndim == 0 or not 0 <= sample < len(batch):
                raise not_found(f"There is no sample {sample} at step {step}")
            with np.errstate(over="ignore", invalid="ignore"):
                pieces.append(batch[sample].astype(numbers).tobytes())
    return Pieces(iter(pieces), "arraybuffer", is_logged=True)


def _parts(context: Context, fields: Fields) -> Iterator[_Part]:
    """Of the mesh that is asked for."""
    run, name = fields.first("run"), fields.first("tag")
    for one in kind_tags(context, Kind.mesh).all():
        part = _part(context, one.run, one.tag) if one.run == run else None
        if part is not None and part.facts.name == name:
            yield part


def _part(context: Context, run: str, tag: str) -> _Part | None:
    series = find_series(context.store, run, Kind.mesh, tag)
    facts = None if series is None else mesh_tag(series.metadata)
    return None if series is None or facts is None else _Part(series, facts)


def _whole(fields: Fields, name: str) -> int:
    text = fields.first(name) or "0"
    try:
        return int(float(text))
    except (ValueError, OverflowError):
        raise invalid_argument(f"{name} must be a whole number: {text[:80]!r}") from None
