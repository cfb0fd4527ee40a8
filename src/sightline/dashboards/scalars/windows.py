"""What charts and the run table show of scalars: windows as a frame, and last values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec
import numpy as np

from sightline.dashboards.scalars.asked_lines import (
    AskedLines,
    asked_lines,
    check_range,
    query_notes,
    smoothing_of,
)
from sightline.query.joins import first_finite
from sightline.query.last_values import last_values
from sightline.query.lines import LineNote, LineReader
from sightline.query.windows import Window, WindowSpec, line_windows, scalar_windows, with_common_range
from sightline.wire import frame
from sightline.wire.numbers import json_numbers
from sightline.wire.routes import FRAME_MEDIA_TYPE, ApiError, Binary, Context
from sightline.wire.scalar_schemas import (
    LastValues,
    LastValuesAnswer,
    LastValuesRequest,
    QueryNote,
    ScalarQuery,
    ScalarRequest,
)

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
    parts: list[frame.FramePart] = []
    notes: list[QueryNote] = []
    room = _Room(MAX_ANSWER_POINTS)
    answered: dict[object, _Answer] = {}
    for position, query in enumerate(request.queries):
        key = (tuple(query.runs), *msgspec.structs.astuple(msgspec.structs.replace(query, runs=())))
        found = answered.get(key)
        if found is None:
            found = answered[key] = _answer(context, query, where=f"queries[{position}]", room=room)
        else:
            room.take(part.window for part in found.parts)  # it is sent again, though not made again
        parts += [part._replace(query=position) for part in found.parts]
        notes += query_notes(found.notes, found.numbers, query=position)
    body = frame.encode_frame(parts, server_id=context.server_id, revision=revision, notes=notes)
    return Binary(body, FRAME_MEDIA_TYPE)


class _Answer(NamedTuple):
    """To one query, whichever it is."""

    parts: list[frame.FramePart]
    notes: list[LineNote]
    numbers: dict[str, int]


class _Room:
    """How much more an answer may hold."""

    def __init__(self, points: int) -> None:
        self.points = points

    def take(self, windows: Iterable[frame.SeriesWindow]) -> None:
        """Raises ApiError 413 when it is too much."""
        for window in windows:
            self.points -= len(window.step) * (1 if window.smoothed is None else 2)
        if self.points < 0:
            raise ApiError(
                413,
                f"The answer would have more than {MAX_ANSWER_POINTS:,} points: "
                "ask for fewer runs, tags or buckets at once",
            )


def _answer(context: Context, query: ScalarQuery, *, where: str, room: _Room) -> _Answer:
    spec = _spec(query, where=where)
    asked = asked_lines(context, query, query.runs, where=where)
    notes: list[LineNote] = []
    windows = (
        _plain_windows(asked.runs, query, spec, room=room)
        if asked.source.is_plain
        else _computed_windows(asked, spec, notes)
    )
    parts = []
    for some in windows:
        room.take(some)
        parts += [frame.FramePart(0, asked.numbers[window.run], window) for window in some]
    return _Answer(parts, notes, asked.numbers)


def _plain_windows(
    runs: Sequence[Any], query: ScalarQuery, spec: WindowSpec, *, room: _Room
) -> Iterator[list[Window]]:
    slices: Iterable[Sequence[Any]] = [runs]
    if len(runs) * query.buckets * _POINTS_PER_BUCKET > room.points and len(runs) > RUNS_PER_SLICE:
        slices = [runs[at : at + RUNS_PER_SLICE] for at in range(0, len(runs), RUNS_PER_SLICE)]
        spec = with_common_range(_x_columns(runs, query), spec)
    for some in slices:
        yield scalar_windows(some, query.tag, spec, superseded=query.superseded)


def _computed_windows(asked: AskedLines, spec: WindowSpec, notes: list[LineNote]) -> Iterator[list[Window]]:
    """Adds what there is to say when all are made."""
    reader = LineReader(asked.runs, asked.source, baseline_run=asked.baseline_run)
    yield from line_windows(reader, spec)
    notes += reader.notes()


def _x_columns(runs: Sequence[Any], query: ScalarQuery) -> Iterator[Any]:
    for run in runs:
        series = run.read_scalars(query.tag)
        if series is not None:
            yield _x_of(series.all if query.superseded else series, series, query.x)


def _x_of(series: Any, visible: Any, axis: str) -> Any:
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
