"""Numbers about a stretch of lines, from all their points: what a table beside a chart shows.

Line after line, each a handful of NumPy calls over its points, so that a thousand runs of a thousand points
take a few tens of milliseconds and memory for one run.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sightline.query.lines import Line, LineSource

Floats = NDArray[np.float64]


@dataclass
class StatisticsColumns:
    """Element i of each list is about the same run. NaN, and step None: there is no such number."""

    run: list[str] = field(default_factory=list)
    count: list[int] = field(default_factory=list)
    """Points with a finite value: what everything else is made from."""
    nonfinite_count: list[int] = field(default_factory=list)
    start: list[float] = field(default_factory=list)
    start_step: list[int | None] = field(default_factory=list)
    end: list[float] = field(default_factory=list)
    end_step: list[int | None] = field(default_factory=list)
    change: list[float] = field(default_factory=list)
    percent: list[float] = field(default_factory=list)
    min: list[float] = field(default_factory=list)
    min_step: list[int | None] = field(default_factory=list)
    max: list[float] = field(default_factory=list)
    max_step: list[int | None] = field(default_factory=list)
    mean: list[float] = field(default_factory=list)
    std: list[float] = field(default_factory=list)
    median: list[float] = field(default_factory=list)
    slope: list[float] = field(default_factory=list)


@dataclass
class ValueColumns:
    """The point of each run that is nearest to an x."""

    run: list[str] = field(default_factory=list)
    x: list[float] = field(default_factory=list)
    step: list[int] = field(default_factory=list)
    wall_s: list[float] = field(default_factory=list)
    relative_s: list[float] = field(default_factory=list)
    value: list[float] = field(default_factory=list)
    smoothed: list[float] = field(default_factory=list)
    """The values themselves without smoothing."""


class LineStatistics(NamedTuple):
    statistics: StatisticsColumns
    at: ValueColumns | None


def line_statistics(
    lines: Iterable[Line],
    source: LineSource,
    *,
    x_range: tuple[float, float] | None = None,
    at: float | None = None,
) -> LineStatistics:
    """Statistics of the points in the range, both ends included, and the values nearest to ``at``, wherever
    that is. The lines are those of ``source``; with smoothing, the numbers are about the smoothed line."""
    statistics = StatisticsColumns()
    values = None if at is None else ValueColumns()
    with np.errstate(all="ignore"):
        for line in lines:
            x = line.along(source.x)
            drawn = line.smoothed(source.smoothing)
            _add_statistics(statistics, line, x, drawn, x_range)
            if values is not None and at is not None:
                _add_value(values, line, x, drawn, at)
    return LineStatistics(statistics, values)


def _add_statistics(
    found: StatisticsColumns, line: Line, x: Floats, drawn: Floats, x_range: tuple[float, float] | None
) -> None:
    step, value = line.step, drawn
    if x_range is not None:
        is_inside = (x >= x_range[0]) & (x <= x_range[1])
        if not is_inside.all():
            step, value, x = step[is_inside], value[is_inside], x[is_inside]
    count = len(value)
    is_finite = np.isfinite(value)
    if not is_finite.all():
        step, value, x = step[is_finite], value[is_finite], x[is_finite]
    found.run.append(line.run)
    found.count.append(len(value))
    found.nonfinite_count.append(count - len(value))
    _add_places(found, step, value)
    mean, std = _mean_and_std(value)
    found.mean.append(mean)
    found.std.append(std)
    found.median.append(_median(value))
    found.slope.append(slope(x, value))


def _add_places(found: StatisticsColumns, step: NDArray[np.int64], value: Floats) -> None:
    """The values that belong to one point."""
    if not len(value):
        for column in (found.start, found.end, found.change, found.percent, found.min, found.max):
            column.append(math.nan)
        for steps in (found.start_step, found.end_step, found.min_step, found.max_step):
            steps.append(None)
        return
    places = 0, len(value) - 1, int(value.argmin()), int(value.argmax())
    start, end, least, greatest = value[list(places)].tolist()
    start_step, end_step, least_step, greatest_step = step[list(places)].tolist()
    found.start.append(start)
    found.start_step.append(start_step)
    found.end.append(end)
    found.end_step.append(end_step)
    found.change.append(end - start)
    found.percent.append(100.0 * ((end - start) / abs(start)) if start else math.nan)
    found.min.append(least)
    found.min_step.append(least_step)
    found.max.append(greatest)
    found.max_step.append(greatest_step)


def _mean_and_std(value: Floats) -> tuple[float, float]:
    if not len(value):
        return math.nan, math.nan
    mean = float(value.mean())
    if len(value) == 1:
        return mean, math.nan
    away = value - mean
    return mean, math.sqrt(float(away @ away) / (len(value) - 1))


def _median(value: Floats) -> float:
    """As np.median, which takes ten times as long for a thousand points."""
    count = len(value)
    if not count:
        return math.nan
    middle = count // 2
    if count % 2:
        return float(np.partition(value, middle)[middle])
    low, high = np.partition(value, (middle - 1, middle))[middle - 1 : middle + 1].tolist()
    return float(0.5 * (low + high))


def slope(x: Floats, value: Floats) -> float:
    """Of the least-squares line; NaN for fewer than two different x. Both are centred first: wall times are
    large numbers with small differences."""
    is_finite = np.isfinite(x)
    if not is_finite.all():
        x, value = x[is_finite], value[is_finite]
    if len(x) < 2:
        return math.nan
    # Scaled to at most 1, so that squares neither overflow nor vanish.
    since = x - x[0]
    away = since - since.mean()
    reach = float(np.abs(away).max())
    if not 0 < reach < math.inf:
        return math.nan
    away /= reach
    return float(away @ (value - value.mean())) / float(away @ away) / reach


def _add_value(found: ValueColumns, line: Line, x: Floats, drawn: Floats, at: float) -> None:
    distance = np.abs(x - at)
    distance[np.isnan(distance)] = math.inf
    if not len(distance):
        return
    place = int(distance.argmin())
    if not math.isfinite(distance[place]):
        return
    found.run.append(line.run)
    found.x.append(float(x[place]))
    found.step.append(int(line.step[place]))
    found.wall_s.append(float(line.wall[place]))
    found.relative_s.append(float(line.wall[place]) - line.first_wall_s)
    found.value.append(float(line.value[place]))
    found.smoothed.append(float(drawn[place]))
