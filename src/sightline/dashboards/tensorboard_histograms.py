"""Histograms as TensorBoard's routes answer with them, for three of its tabs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sightline.dashboards.context import Context
from sightline.query.histograms import BASIS_POINTS, bucket_tables, statistics_of
from sightline.wire.routes import ApiError
from sightline.wire.tensorboard import not_found

VALUES_PER_PIECE = 64
"""Of an answer: a value may have a thousand buckets."""


def tables(context: Context, run: str, tag: str) -> Iterator[tuple[float, int, NDArray[np.float64]]]:
    """(wall time, step, rows of left edge, right edge and count) of every value that can be read. Raises
    ApiError 404."""
    found = bucket_tables(context.store, run, tag)
    if found is None:
        raise _no_data(run, tag)
    return found


def quantiles(context: Context, run: str, tag: str) -> Iterator[Any]:
    found = statistics_of(context.store, run, tag)
    if found is None:
        raise _no_data(run, tag)
    rows = zip(
        found.wall_time.tolist(), found.step.tolist(), found.state, found.quantiles.tolist(), strict=True
    )
    return (
        [wall_time, step, list(zip(BASIS_POINTS, values, strict=True))]
        for wall_time, step, state, values in rows
        if state == 0
    )


def _no_data(run: str, tag: str) -> ApiError:
    return not_found(f"No histogram tag {tag!r} for run {run!r}")
