"""What charts and the run table show of scalars: windows as a frame, and last values."""

from __future__ import annotations

from typing import Any

from sightline.query.last_values import last_values
from sightline.query.windows import WindowSpec, scalar_windows
from sightline.wire import frame
from sightline.wire.numbers import json_numbers
from sightline.wire.routes import ApiError, Binary, Context
from sightline.wire.schemas import (
    LastValues,
    LastValuesAnswer,
    LastValuesRequest,
    ScalarQuery,
    ScalarRequest,
    Smoothing,
)

MAX_ANSWER_POINTS = 32_000_000
"""About 400 MB of columns: no page can draw that, and the server has other things to do with its memory."""


def windows_of(context: Context, request: ScalarRequest) -> Binary:
    """All windows of all queries. Runs that nobody knows, and runs without the tag, are left out."""
    revision = context.revision
    parts: list[frame.FramePart] = []
    room = MAX_ANSWER_POINTS
    for position, query in enumerate(request.queries):
        spec = _spec(query, where=f"queries[{position}]")
        runs, numbers = _runs(context, query.runs)
        for window in scalar_windows(runs, query.tag, spec, superseded=query.superseded):
            parts.append(frame.FramePart(position, numbers[window.run], window))
            room -= len(window.step)
        if room < 0:
            raise ApiError(
                413,
                f"The answer would have more than {MAX_ANSWER_POINTS:,} points: "
                "ask for fewer runs, tags or buckets at once",
            )
    body = frame.encode_frame(parts, server_id=context.server_id, revision=revision)
    return Binary(body, frame.MEDIA_TYPE)


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
