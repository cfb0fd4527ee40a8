"""Windows of series, and groups of runs, as frames (``wire.frame``)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from sightline.dashboards.scalars.schemas import (
    FrameHeader,
    GroupFrame,
    GroupFrameHeader,
    QueryNote,
    SeriesFrame,
)
from sightline.query.aggregates import GroupAggregate
from sightline.query.windows import Window
from sightline.wire.frame import (
    Body,
    Flags,
    Floats,
    Lengthwise,
    as_f32,
    as_floats,
    chosen_columns,
    exact_columns,
    fits_f32,
    framed,
    grid_columns,
    pieces_of,
    step_columns,
    value_columns,
    wall_columns,
)
from sightline.wire.schemas import Column
from sightline.wire.structs import struct_of

_INVISIBLE = 1e-7
"""Relative error that a smoothed line may have: a float's own."""

_INVISIBLE_SHARE = 1e-5
"""The same as a share of all that a group's line spans: a hundredth of a pixel."""


class FramePart(NamedTuple):
    """One series of an answer: which query it answers, the run's number, and the points."""

    query: int
    run: int
    window: Window


class GroupPart(NamedTuple):
    """One group of an answer: which query it answers, and its position there."""

    query: int
    group: int
    line: GroupAggregate


def encode_frame(
    parts: Sequence[FramePart], *, server_id: str, revision: int, notes: Sequence[QueryNote] = ()
) -> bytes:
    """The whole answer."""
    body = Body()
    pieces = pieces_of(parts, lambda part: len(part.window.step))
    series = [one for some in pieces for one in _encode_piece(some, body)]
    return framed(FrameHeader(server_id, revision, series, list(notes)), body)


def encode_group_frame(
    parts: Sequence[GroupPart], *, server_id: str, revision: int, notes: Sequence[QueryNote] = ()
) -> bytes:
    """The whole answer about groups."""
    body = Body()
    lines = [part.line for part in parts]
    columns = zip(
        grid_columns(Lengthwise([line.x for line in lines], np.float64), body),
        _line_columns([line.center for line in lines], lines, body),
        _line_columns([line.low for line in lines], lines, body),
        _line_columns([line.high for line in lines], lines, body),
        step_columns(Lengthwise([line.members for line in lines], np.int64), body),
        strict=True,
    )
    groups = []
    for part, (x, center, low, high, members) in zip(parts, columns, strict=True):
        assert center is not None
        groups.append(
            struct_of(
                GroupFrame,
                part.line,
                query=part.query,
                group=part.group,
                count=len(part.line.x),
                x=x,
                center=center,
                low=low,
                high=high,
                members=members,
                breaks=part.line.breaks.tolist(),
            )
        )
    return framed(GroupFrameHeader(server_id, revision, groups, list(notes)), body)


def _encode_piece(parts: Sequence[FramePart], body: Body) -> Iterator[SeriesFrame]:
    windows = [part.window for part in parts]
    values = Lengthwise([window.value for window in windows], np.float64)
    is_narrow = fits_f32(values, tolerance=0.0)
    columns = zip(
        step_columns(Lengthwise([window.step for window in windows], np.int64), body),
        wall_columns(Lengthwise([window.wall for window in windows], np.float64), body),
        value_columns(values, is_narrow, body),
        _smoothed_columns(windows, is_narrow, body),
        _x_columns(windows, body),
        strict=True,
    )
    for part, (step, wall, value, smoothed, x) in zip(parts, columns, strict=True):
        window = part.window
        yield struct_of(
            SeriesFrame,
            window,
            query=part.query,
            run=part.run,
            count=len(window.step),
            first_wall_s=_finite(window.first_wall_s),
            step=step,
            wall=wall,
            value=value,
            smoothed=smoothed,
            x=x,
        )


def _finite(number: float) -> float:
    """A series without any finite wall time has no zero of relative time; any will do."""
    return float(number) if math.isfinite(number) else 0.0


def _smoothed_columns(windows: Sequence[Window], is_narrow: Flags, body: Body) -> list[Column | None]:
    """Floats where the values are: a line need not be finer than the points it is made of."""
    lines = [window.smoothed for window in windows]
    series = Lengthwise(lines, np.float64)
    # The flags are those of the series with values; a series with a smoothed line is one of them.
    has_values = [position for position, window in enumerate(windows) if len(window.value)]
    narrow_at = dict(zip(has_values, is_narrow.tolist(), strict=True))
    is_f32 = fits_f32(series, tolerance=_INVISIBLE)
    is_f32 &= np.array([narrow_at[position] for position in series.present.tolist()], np.bool_)
    return _where_given(lines, chosen_columns(series, [as_floats(is_f32, series.flat)], body))


def _x_columns(windows: Sequence[Window], body: Body) -> list[Column | None]:
    """The very numbers, as for values: a zoom may look at the millionth part of an axis."""
    numbers = [window.x for window in windows]
    return _where_given(numbers, exact_columns(Lengthwise(numbers, np.float64), body))


def _line_columns(
    columns: Sequence[Floats | None], lines: Sequence[GroupAggregate], body: Body
) -> list[Column | None]:
    """Floats where nobody can tell them from doubles on a chart that shows the whole line."""
    series = Lengthwise(columns, np.float64)
    spans = np.array([0.0 if line.y_range is None else line.y_range[1] - line.y_range[0] for line in lines])
    numbers = series.flat
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        error = np.abs(as_f32(numbers).astype(np.float64) - numbers)
        is_near = error <= _INVISIBLE_SHARE * series.of_points(spans[series.present])
        is_narrow = series.is_true_for_all((is_near & (error <= _INVISIBLE * np.abs(numbers))) | ~(error > 0))
    return _where_given(columns, value_columns(series, is_narrow, body))


def _where_given(given: Sequence[Floats | None], columns: Sequence[Column]) -> list[Column | None]:
    return [None if one is None else column for one, column in zip(given, columns, strict=True)]
