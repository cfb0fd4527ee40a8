"""Steps and times of every value of some tags in some runs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from sightline.dashboards.context import Context
from sightline.dashboards.media.schemas import (
    MediaSeriesAnswer,
    MediaSeriesEntry,
    MediaSeriesRequest,
    MediaStepsAnswer,
)
from sightline.query.media_items import find_series, sample_count
from sightline.query.stored_types import MediaSeries
from sightline.wire.numbers import json_numbers
from sightline.wire.routes import ApiError, check_server_id, known_runs

MAX_VALUES = 4_000_000
"""Of one answer: about 100 MB of JSON."""
JOINED_VALUES = 1_000_000
"""Whose steps are joined at a time."""


def series_of(context: Context, request: MediaSeriesRequest) -> MediaSeriesAnswer:
    """Numbers that stand for no run are left out, and so are runs without the tag."""
    check_server_id(context, request.server_id)
    revision = context.revision
    entries: list[MediaSeriesEntry] = []
    values = 0
    for number_of_query, run, series in _found(context, request):
        values += len(series)
        _check_size(values)
        entries.append(
            MediaSeriesEntry(
                query=number_of_query,
                run=run,
                step=series.step.tolist(),
                wall_s=json_numbers(series.wall_time),
                samples=sample_count(series),
                superseded_count=series.superseded_count,
            )
        )
    return MediaSeriesAnswer(context.server_id, revision, entries)


def steps_of(context: Context, request: MediaSeriesRequest) -> MediaStepsAnswer:
    """What a bar for a thousand series needs: runs of one job have the same steps, which come once."""
    check_server_id(context, request.server_id)
    revision = context.revision
    steps = np.empty(0, np.int64)
    waiting: list[npt.NDArray[np.int64]] = []
    waiting_values = 0
    for _, _, series in _found(context, request):
        waiting.append(series.step)
        waiting_values += len(series)
        # Not one by one, which would go over all of them each time, and not all at once, for the memory.
        if waiting_values > max(JOINED_VALUES, len(steps)):
            steps = np.unique(np.concatenate([steps, *waiting]))
            _check_size(len(steps))
            waiting, waiting_values = [], 0
    steps = np.unique(np.concatenate([steps, *waiting]))
    _check_size(len(steps))
    return MediaStepsAnswer(context.server_id, revision, steps.tolist())


def _found(context: Context, request: MediaSeriesRequest) -> Iterator[tuple[int, int, MediaSeries[Any]]]:
    """Number of the query, number of the run, and its series."""
    for number_of_query, query in enumerate(request.queries):
        if not query.kind.is_media:
            where = f"$.queries[{number_of_query}].kind"
            raise ApiError(422, f"Series of kind {query.kind} have no values in files - at `{where}`")
        for name, run in known_runs(context, query.runs).items():
            series = find_series(context.store, name, query.kind, query.tag)
            if series is not None:
                yield number_of_query, run, series


def _check_size(values: int) -> None:
    if values > MAX_VALUES:
        raise ApiError(413, f"The answer would have more than {MAX_VALUES:,} values: ask for less")
