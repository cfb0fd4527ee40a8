"""Steps and times of every value of some tags in some runs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from sightline.dashboards.context import Context
from sightline.dashboards.media.frames import encode_media_frame, encode_steps_frame
from sightline.dashboards.media.schemas import MediaSeriesRequest
from sightline.query.media_items import find_series, sample_count
from sightline.query.stored_types import MediaSeries
from sightline.wire.routes import FRAME_MEDIA_TYPE, ApiError, Binary, check_server_id, known_runs
from sightline.wire.value_frames import ValuePart

MAX_VALUES = 4_000_000
"""Of one answer: up to 64 MB of columns."""
JOINED_VALUES = 1_000_000
"""Whose steps are joined at a time."""


def series_of(context: Context, request: MediaSeriesRequest) -> Binary:
    """Numbers that stand for no run are left out, and so are runs without the tag."""
    check_server_id(context, request.server_id)
    revision = context.revision
    parts: list[ValuePart[Any]] = []
    samples: list[int] = []
    values = 0
    for part in _found(context, request):
        values += len(part.series.step)
        _check_size(values)
        parts.append(part)
        samples.append(sample_count(part.series))
    body = encode_media_frame(parts, samples, server_id=context.server_id, revision=revision)
    return Binary(body, FRAME_MEDIA_TYPE)


def steps_of(context: Context, request: MediaSeriesRequest) -> Binary:
    """What a bar for a thousand series needs: runs of one job have the same steps, which come once."""
    check_server_id(context, request.server_id)
    revision = context.revision
    steps = np.empty(0, np.int64)
    waiting: list[npt.NDArray[np.int64]] = []
    waiting_values = 0
    for part in _found(context, request):
        waiting.append(part.series.step)
        waiting_values += len(part.series.step)
        # Not one by one, which would go over all of them each time, and not all at once, for the memory.
        if waiting_values > max(JOINED_VALUES, len(steps)):
            steps = np.unique(np.concatenate([steps, *waiting]))
            _check_size(len(steps))
            waiting, waiting_values = [], 0
    steps = np.unique(np.concatenate([steps, *waiting]))
    _check_size(len(steps))
    body = encode_steps_frame(steps, server_id=context.server_id, revision=revision)
    return Binary(body, FRAME_MEDIA_TYPE)


def _found(context: Context, request: MediaSeriesRequest) -> Iterator[ValuePart[MediaSeries[Any]]]:
    for position, query in enumerate(request.queries):
        if not query.kind.is_media:
            where = f"$.queries[{position}].kind"
            raise ApiError(422, f"Series of kind {query.kind} have no values in files - at `{where}`")
        for name, number in known_runs(context, query.runs).items():
            series = find_series(context.store, name, query.kind, query.tag)
            if series is not None:
                yield ValuePart(position, number, series)


def _check_size(values: int) -> None:
    if values > MAX_VALUES:
        raise ApiError(413, f"The answer would have more than {MAX_VALUES:,} values: ask for less")
