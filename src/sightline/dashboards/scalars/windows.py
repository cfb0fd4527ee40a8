"""What charts and the run table show of scalars: windows as a frame, and last values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from sightline.dashboards.context import Context
from sightline.dashboards.scalars import frames
from sightline.dashboards.scalars.line_requests import (
    LineRequest,
    Room,
    answers_to,
    check_range,
    line_request,
    query_notes,
    smoothing_of,
)
from sightline.dashboards.scalars.schemas import (
    LastValues,
    LastValuesAnswer,
    LastValuesRequest,
    QueryNote,
    ScalarQuery,
    ScalarRequest,
)
from sightline.query.joins import first_finite
from sightline.query.last_values import last_values
from sightline.query.line_notes import LineNote
from sightline.query.lines import LineReader
from sightline.query.stored_types import Run, ScalarSeries
from sightline.query.windows import Window, WindowSpec, line_windows, scalar_windows, with_common_range
from sightline.wire.frame import Floats
from sightline.wire.numbers import json_numbers
from sightline.wire.routes import FRAME_MEDIA_TYPE, Binary

MAX_ANSWER_POINTS = 32_000_000
"""About 400 MB of columns: no page can draw that, and the server has other things to do with its memory. A
smoothed line counts as points of its own."""

RUNS_PER_SLICE = 256
"""So many at a time, where all of them might not fit: what is too much is found out before it is made."""

_POINTS_PER_BUCKET = 4
"""What the reduction keeps of a column of pixels, as a rule: first, last, least and greatest."""


def windows_of(context: Context, request: ScalarRequest) -> Binary:
    """All windows of all queries. Runs that nobody knows, and runs without the tag, are left out."""
    revision = context.revision
    parts: list[frames.FramePart] = []
    notes: list[QueryNote] = []
    room = Room(MAX_ANSWER_POINTS, unit="points", fewer="runs, tags or buckets")
    for position, found in enumerate(answers_to(request.queries, partial(_answer, context, room))):
        room.take(sum(map(_points_of, found.windows)))  # what is sent twice counts twice
        parts += [frames.FramePart(position, found.numbers[one.run], one) for one in found.windows]
        notes += query_notes(found.notes, found.numbers, query=position)
    body = frames.encode_frame(parts, server_id=context.server_id, revision=revision, notes=notes)
    return Binary(body, FRAME_MEDIA_TYPE)


class _Answer(NamedTuple):
    """To one query, whichever it is."""

    windows: list[Window]
    notes: list[LineNote]
    numbers: dict[str, int]


def _points_of(window: Window) -> int:
    return len(window.step) * (1 if window.smoothed is None else 2)


def _answer(context: Context, room: Room, query: ScalarQuery, where: str) -> _Answer:
    spec = _spec(query, where=where)
    asked = line_request(context, query, query.runs, where=where)
    notes: list[LineNote] = []
    windows = (
        _plain_windows(asked.runs, query, spec, room=room)
        if asked.source.is_plain
        else _computed_windows(asked, spec, notes)
    )
    made: list[Window] = []
    points = 0
    for some in windows:
        made += some
        points += sum(map(_points_of, some))
        room.check(points)
    return _Answer(made, notes, asked.numbers)


def _plain_windows(
    runs: Sequence[Run], query: ScalarQuery, spec: WindowSpec, *, room: Room
) -> Iterator[list[Window]]:
    slices: Iterable[Sequence[Run]] = [runs]
    if len(runs) * query.buckets * _POINTS_PER_BUCKET > room.left and len(runs) > RUNS_PER_SLICE:
        slices = [runs[at : at + RUNS_PER_SLICE] for at in range(0, len(runs), RUNS_PER_SLICE)]
        spec = with_common_range(_x_columns(runs, query), spec)
    for some in slices:
        yield scalar_windows(some, query.tag, spec, superseded=query.superseded)


def _computed_windows(asked: LineRequest, spec: WindowSpec, notes: list[LineNote]) -> Iterator[list[Window]]:
    """Adds what there is to say when all are made."""
    reader = LineReader(asked.runs, asked.source, baseline_run=asked.baseline_run)
    yield from line_windows(reader, spec)
    notes += reader.notes()


def _x_columns(runs: Sequence[Run], query: ScalarQuery) -> Iterator[Floats]:
    for run in runs:
        series = run.read_scalars(query.tag)
        if series is not None:
            yield _x_of(series.all if query.superseded else series, series, query.x)


def _x_of(series: ScalarSeries, visible: ScalarSeries, axis: str) -> Floats:
    if axis == "step":
        return series.step.astype(np.float64)
    if axis == "wall":
        return series.wall_time
    return series.wall_time - first_finite(visible.wall_time)


def _spec(query: ScalarQuery, *, where: str) -> WindowSpec:
    check_range(query.x_range, where=where)
    return WindowSpec(
        x=query.x,
        x_range=query.x_range,
        is_log_x=query.is_log_x,
        buckets=query.buckets,
        smoothing=smoothing_of(query.smoothing, where=where),
    )


def last_values_of(context: Context, request: LastValuesRequest) -> LastValuesAnswer:
    revision = context.revision
    return LastValuesAnswer(
        context.server_id,
        revision,
        [
            LastValues(
                tag=one.tag,
                run=context.run_numbers(one.runs),
                step=one.step.tolist(),
                value=json_numbers(one.value),
            )
            for one in last_values(context.store, request.tags)
        ],
    )
