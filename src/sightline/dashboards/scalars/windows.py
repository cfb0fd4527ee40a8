"""What charts and the run table show of scalars: windows as a frame, and last values."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import msgspec
import numpy as np

from sightline.dashboards.scalars.media_types import FRAME_MEDIA_TYPE
from sightline.query.last_values import last_values
from sightline.query.windows import WindowSpec, scalar_windows
from sightline.wire import frame
from sightline.wire.numbers import json_numbers
from sightline.wire.routes import ApiError, Binary, Context
from sightline.wire.scalar_schemas import (
    LastValues,
    LastValuesAnswer,
    LastValuesRequest,
    ScalarQuery,
    ScalarRequest,
    Smoothing,
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
    room = _Room(MAX_ANSWER_POINTS)
    answered: dict[object, list[frame.FramePart]] = {}
    for position, query in enumerate(request.queries):
        key = (tuple(query.runs), *msgspec.structs.astuple(msgspec.structs.replace(query, runs=())))
        found = answered.get(key)
        if found is None:
            found = answered[key] = list(_parts(context, query, where=f"queries[{position}]", room=room))
        else:
            room.take(part.window for part in found)  # it is sent again, though not made again
        parts += [part._replace(query=position) for part in found]
    body = frame.encode_frame(parts, server_id=context.server_id, revision=revision)
    return Binary(body, FRAME_MEDIA_TYPE)


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


def _parts(context: Context, query: ScalarQuery, *, where: str, room: _Room) -> Iterator[frame.FramePart]:
    spec = _spec(query, where=where)
    runs, numbers = _runs(context, query.runs)
    slices: Iterable[Sequence[Any]] = [runs]
    if len(runs) * query.buckets * _POINTS_PER_BUCKET > room.points and len(runs) > RUNS_PER_SLICE:
        slices = [runs[at : at + RUNS_PER_SLICE] for at in range(0, len(runs), RUNS_PER_SLICE)]
        spec = _with_common_range(runs, query, spec)
    for some in slices:
        windows = scalar_windows(some, query.tag, spec, superseded=query.superseded)
        room.take(windows)
        for window in windows:
            yield frame.FramePart(0, numbers[window.run], window)


def _with_common_range(runs: Sequence[Any], query: ScalarQuery, spec: WindowSpec) -> WindowSpec:
    """With the stretch of x that all the runs share: left to itself, each slice would take its own."""
    if spec.x_range is not None and not (spec.is_log_x and spec.x_range[0] <= 0):
        return spec
    low, high = math.inf, -math.inf
    for run in runs:
        series = run.read_scalars(query.tag)
        if series is None:
            continue
        x = _x_of(series.all if query.superseded else series, series, query.x)
        x = x[np.isfinite(x) & (x > 0)] if query.is_log_x else x[np.isfinite(x)]
        if len(x):
            low, high = min(low, float(x.min())), max(high, float(x.max()))
    if low > high:
        return spec
    if spec.x_range is not None:
        high = max(low, spec.x_range[1])
    return replace(spec, x_range=(low, high))


def _x_of(series: Any, visible: Any, axis: str) -> Any:
    if axis == "step":
        return series.step.astype(np.float64)
    if axis == "wall":
        return series.wall_time
    walls = visible.wall_time[np.isfinite(visible.wall_time)]
    return series.wall_time - (walls[0] if len(walls) else math.nan)


def _runs(context: Context, asked: list[int]) -> tuple[list[Any], dict[str, int]]:
    """The runs that exist, each once, and their numbers by name."""
    runs, numbers = [], {}
    for number in dict.fromkeys(asked):
        name = context.run_name(number)
        run = None if name is None else context.store.get(name)
        if name is not None and run is not None:
            runs.append(run)
            numbers[name] = number
    return runs, numbers


def _spec(query: ScalarQuery, *, where: str) -> WindowSpec:
    if query.x_range is not None and query.x_range[0] > query.x_range[1]:
        raise ApiError(422, f"x_range ends before it begins: {list(query.x_range)} - at `$.{where}.x_range`")
    return WindowSpec(
        x=query.x,
        x_range=query.x_range,
        is_log_x=query.is_log_x,
        buckets=query.buckets,
        smoothing=_smoothing(query.smoothing, where=f"{where}.smoothing"),
    )


def _smoothing(asked: Smoothing | None, *, where: str) -> Any:
    if asked is None or asked.kind == "none":
        return None
    if asked.kind in ("ema", "time_ema") and asked.amount >= 1:
        raise ApiError(422, f"The weight of an average is below 1: {asked.amount} - at `$.{where}.amount`")
    return asked.kind, asked.amount


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
