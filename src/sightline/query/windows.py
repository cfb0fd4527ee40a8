"""Scalar series reduced to what a chart can show: a stretch of the x axis in columns of pixels.

Smoothing always sees the whole series, then each column keeps its first, last, least and greatest point, so
that a spike of one step is there at every zoom (core/include/sightline/reduce.hpp). The work is done by the
core, for many series in one call and without the GIL. Most series lie in one file and never pass through
Python; those that were restarted, or written by several, have their rows chosen by ``store.branches`` first.
Lines that are computed (``lines``) are reduced in the same way once they are.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sightline import _core
from sightline.model.choices import XAxis
from sightline.model.errors import BadArgumentError
from sightline.query.joins import first_finite
from sightline.query.lines import Line, LineReader, Smoothing, check_smoothing
from sightline.store.run import Run, index_of

Range = tuple[float, float]


@dataclass(frozen=True, slots=True)
class WindowSpec:
    """What a chart shows of each of its series. Raises BadArgumentError for what makes no sense."""

    x: XAxis = "step"
    x_range: Range | None = None
    """In units of x (relative: seconds since the series' first point), in any order; None: everything."""
    is_log_x: bool = False
    """Columns are equally wide in the logarithm of x."""
    buckets: int = 512
    """Columns of pixels."""
    smoothing: Smoothing | None = None
    """(kind, amount): ema and time_ema take a weight from 0 to below 1, gaussian a standard deviation in
    points, mean a number of points. None and the kind "none": there is no smoothed line."""

    def __post_init__(self) -> None:
        if self.x_range is not None and not all(map(math.isfinite, self.x_range)):
            raise BadArgumentError(f"x_range is two finite numbers, not {self.x_range}")
        if self.buckets < 1:
            raise BadArgumentError(f"buckets is 1 or more, not {self.buckets}")
        check_smoothing(self.smoothing)


@dataclass(frozen=True, slots=True)
class Window:
    """One series reduced to pixels."""

    run: str
    is_superseded: bool
    total: int
    """Points of the whole series."""
    is_exact: bool
    """True: every point of the x range is here."""
    first_wall_s: float
    """The zero of relative time: wall time of the run's first visible point. NaN without a finite one."""
    y_range: Range | None
    """Least and greatest finite value in the x range; None without any."""
    y_core: Range | None
    """5th and 95th percentile of the line that is drawn on top (smoothed if asked for) in the x range; of few
    points, all of them: nobody zooms in to see two points of five."""
    step: NDArray[np.int64]
    wall: NDArray[np.float64]
    value: NDArray[np.float64]
    smoothed: NDArray[np.float64] | None
    superseded_count: int = 0
    """Points of the run that a restart wrote again, shown or not; 0 in a superseded window."""
    x: NDArray[np.float64] | None = None
    """Of each point, never falling, when it is neither step nor wall time."""


def scalar_windows(
    runs: Sequence[Run], tag: str, spec: WindowSpec, *, superseded: bool = False
) -> list[Window]:
    """Windows of the runs that have the tag, in the order of the runs, which must belong to one log.

    Without an ``x_range`` all series share one, from the least x of any of them to the greatest, as on the
    chart they are drawn in. With ``superseded`` a run that was restarted has a second window behind its
    first, with the points that the restart wrote again.
    """
    if not runs:
        return []
    batch = _core.ScalarBatch(spec.x)
    names = [run.name for run in runs]
    states = batch.add_runs(index_of(runs[0]), names, tag)
    # Series in the batch, in its order: those from the files first, then those with chosen rows.
    plain = np.flatnonzero(states == _core.SCALARS_PLAIN).tolist()
    series: list[_Branch] = [(position, False, 0) for position in plain]
    for position in np.flatnonzero(states == _core.SCALARS_BRANCHING).tolist():
        series += _add_branches(batch, runs[position], tag, position=position, superseded=superseded)
    if not series:
        return []
    windows = _reduced(batch, spec, [(names[position], *rest) for position, *rest in series])
    if len(series) == len(plain):
        return windows
    order = sorted(range(len(series)), key=series.__getitem__)
    return [windows[place] for place in order]


POINTS_AT_ONCE = 8_000_000
"""Of computed lines, held while they are reduced: about 256 MB of columns; twice that while it is found out
whether one portion holds all of them."""


def line_windows(reader: LineReader, spec: WindowSpec) -> Iterator[list[Window]]:
    """Windows of computed lines, a portion at a time, all of them on one stretch of x.

    ``spec`` has the axis that the lines were read for. The reader's notes are complete when this has ended.
    """
    portions = _portions(reader)
    first = next(portions, [])
    second = next(portions, None)
    if second is None:
        yield _line_batch(first, spec)
        return
    # Too many to be held together. What each portion would take for the whole axis is only its own part.
    del first, second, portions
    spec = with_common_range((line.along(spec.x) for line in reader.lines()), spec)
    for portion in _portions(reader):
        yield _line_batch(portion, spec)


def _portions(reader: LineReader) -> Iterator[list[Line]]:
    held: list[Line] = []
    points = 0
    for line in reader.lines():
        held.append(line)
        points += len(line.step)
        if points >= POINTS_AT_ONCE:
            yield held
            held, points = [], 0
    if held:
        yield held


def _line_batch(lines: Sequence[Line], spec: WindowSpec) -> list[Window]:
    if not lines:
        return []
    batch = _core.ScalarBatch("given" if spec.x in ("active", "metric") else spec.x)
    for line in lines:
        batch.add(line.step, line.wall, line.value, line.first_wall_s, line.x)
    return _reduced(batch, spec, [(line.run, False, 0) for line in lines])


def with_common_range(columns: Iterable[NDArray[np.float64]], spec: WindowSpec) -> WindowSpec:
    """With the stretch of x that all series share, from the x of each: left to themselves, portions of them
    would each take their own."""
    if spec.x_range is not None and not (spec.is_log_x and spec.x_range[0] <= 0):
        return spec
    low, high = math.inf, -math.inf
    for column in columns:
        x = column[np.isfinite(column) & (column > 0)] if spec.is_log_x else column[np.isfinite(column)]
        if len(x):
            low, high = min(low, float(x.min())), max(high, float(x.max()))
    if low > high:
        return spec
    return replace(spec, x_range=(low, high if spec.x_range is None else max(low, spec.x_range[1])))


LEAST_RANKED = 40
"""Points that a series must have in the range before its percentiles say anything about outliers."""


def _core_of(y_core: Range, y_range: Range, count: int, *, is_exact: bool) -> Range | None:
    if y_core[0] != y_core[0]:
        return None
    return y_range if is_exact and count < LEAST_RANKED and y_range[0] == y_range[0] else y_core


_Branch = tuple[int, bool, int]
"""(position of the run, is superseded, points of the run that are superseded)."""


def _add_branches(
    batch: _core.ScalarBatch, run: Run, tag: str, *, position: int, superseded: bool
) -> list[_Branch]:
    """Adds the visible and, if wanted, the superseded points of a run; returns what was added."""
    visible = run.read_scalars(tag)
    if visible is None:  # gone since
        return []
    added = []
    origin_wall = math.nan
    if len(visible):
        batch.add(visible.step, visible.wall_time, visible.value)
        added.append((position, False, visible.superseded_count))
        # Both branches on the same clock: a superseded stretch begins where it did, not at zero.
        origin_wall = first_finite(visible.wall_time)
    if superseded and visible.superseded_count:
        hidden = visible.superseded
        batch.add(hidden.step, hidden.wall_time, hidden.value, origin_wall)
        added.append((position, True, 0))
    return added


def _reduced(batch: _core.ScalarBatch, spec: WindowSpec, series: Sequence[tuple[Any, ...]]) -> list[Window]:
    """Windows of the series (run, is superseded, superseded points) in the batch's order."""
    kind, amount = spec.smoothing or ("none", 0.0)
    answer = batch.reduce(
        x_range=spec.x_range,
        is_log_x=spec.is_log_x,
        buckets=spec.buckets,
        smoothing=kind,
        amount=amount,
    )
    offsets = answer["offsets"].tolist()
    y_ranges = zip(answer["y_low"].tolist(), answer["y_high"].tolist(), strict=True)
    y_cores = zip(answer["core_low"].tolist(), answer["core_high"].tolist(), strict=True)
    step, wall, value = answer["step"], answer["wall"], answer["value"]
    smoothed, x = answer["smoothed"], answer["x"]
    return [
        Window(
            run,
            is_superseded,
            total,
            bool(is_exact),
            first_wall_s,
            y_range if y_range[0] == y_range[0] else None,
            _core_of(y_core, y_range, end - begin, is_exact=bool(is_exact)),
            step[begin:end],
            wall[begin:end],
            value[begin:end],
            None if smoothed is None else smoothed[begin:end],
            superseded_count,
            None if x is None else x[begin:end],
        )
        for (
            run,
            is_superseded,
            superseded_count,
        ), begin, end, total, is_exact, first_wall_s, y_range, y_core in zip(
            series,
            offsets[:-1],
            offsets[1:],
            answer["total"].tolist(),
            answer["is_exact"].tolist(),
            answer["origin_wall"].tolist(),
            y_ranges,
            y_cores,
            strict=True,
        )
    ]
