"""Logged histograms of a tag in a run: their buckets, statistics of each, and maps of where the values lie
over the steps. All of it is computed by the core, from every value that is asked for; nothing is sampled.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sightline import _core
from sightline.model.errors import BadArgumentError
from sightline.model.kinds import Kind
from sightline.query.decoded_series import (
    EVERY_VALUE,
    MAX_NUMBERS,
    DecodedSeries,
    ValueChoice,
    decoded_fields,
)
from sightline.query.media_items import find_series
from sightline.store.media import MediaSeries
from sightline.store.run import Run
from sightline.store.runs import RunStore

Floats = NDArray[np.float64]
Columns = Mapping[str, NDArray[Any]]
"""As the core decodes histograms."""

STATISTICS = ("count", "min", "max", "mean", "std", "zeros")
"""In the order of the core's columns; quantiles follow."""
BASIS_POINTS = (0, 668, 1587, 3085, 5000, 6915, 8413, 9332, 10000)
"""Of the quantiles, in hundredths of a percent: the normal distribution at −∞, −1.5 … 1.5, +∞ sigma."""
_COLUMNS = len(STATISTICS) + len(BASIS_POINTS)

_KIND = Kind.histogram
_BYTES_AT_ONCE = 64 << 20
"""Of values in their files, while they are decoded."""
_LEAST_LINEAR_PART = 1e-9
_LINEAR_PERCENTILE = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class HistogramSeries(DecodedSeries):
    """Buckets of all values: ``counts[i]`` lie between ``left[i]`` and ``right[i]``. Widths of zero occur."""

    left: Floats
    right: Floats
    counts: Floats


def histograms_of(
    store: RunStore,
    runs: Sequence[str],
    tag: str,
    *,
    choice: ValueChoice = EVERY_VALUE,
    most_numbers: int = MAX_NUMBERS,
) -> Iterator[tuple[str, HistogramSeries]]:
    """By run; those without the tag are left out. Raises BadArgumentError when it is too much."""
    found = decoded_fields(store, runs, _KIND, tag, choice=choice, most_numbers=most_numbers)
    for run, fields in found:
        yield run, HistogramSeries(**fields)


def bucket_tables(store: RunStore, run: str, tag: str) -> Iterator[tuple[float, int, Floats]] | None:
    """(wall time, step, rows of left edge, right edge and count) of every value that can be read, decoded as
    they are asked for. None when the run has no such histograms."""
    series = find_series(store, run, _KIND, tag)
    return None if series is None else _tables(series)


def _tables(series: MediaSeries[Any]) -> Iterator[tuple[float, int, Floats]]:
    position = 0
    for columns in _portions(series):
        size, *buckets = _buckets(columns)
        table = np.column_stack(buckets)
        end = 0
        for count, state in zip(size.tolist(), columns["state"].tolist(), strict=True):
            begin, end = end, end + count
            if state == 0:
                yield float(series.wall_time[position]), int(series.step[position]), table[begin:end]
            position += 1


# ── statistics ───────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class HistogramStatistics:
    """Of each value, computed from its buckets. NaN where there is nothing to compute it from."""

    step: NDArray[np.int64]
    wall_time: Floats
    superseded_count: int
    state: NDArray[np.uint8]
    """As in DecodedSeries."""
    numbers: Floats
    """A row for each value: STATISTICS, then the quantiles at BASIS_POINTS."""

    def column(self, name: str) -> Floats:
        column: Floats = self.numbers[:, STATISTICS.index(name)]
        return column

    @property
    def quantiles(self) -> Floats:
        """A row of nine for each value, as TensorBoard computes them: 0 for a histogram without buckets."""
        quantiles: Floats = self.numbers[:, len(STATISTICS) :]
        return quantiles

    def at_quantile(self, share: float) -> Floats:
        """Between the nine it lies on a straight line. NaN for histograms of nothing."""
        points = np.asarray(BASIS_POINTS) / BASIS_POINTS[-1]
        place = int(np.clip(np.searchsorted(points, share), 1, len(points) - 1))
        part = (share - points[place - 1]) / (points[place] - points[place - 1])
        low, high = self.quantiles[:, place - 1], self.quantiles[:, place]
        return np.where(self.column("count") > 0, low + part * (high - low), np.nan)


def statistics_of(
    store: RunStore, run: str, tag: str, choice: ValueChoice = EVERY_VALUE
) -> HistogramStatistics | None:
    """None when the run has no such histograms."""
    series = find_series(store, run, _KIND, tag)
    return None if series is None else _statistics_of(series, choice)


def statistics_of_run(run: Run, tag: str) -> HistogramStatistics | None:
    """Of every value. None when the run has no such histograms."""
    series = run.media(_KIND).get(tag)
    return None if series is None else _statistics_of(series.by_step(), EVERY_VALUE)


def _statistics_of(series: MediaSeries[Any], choice: ValueChoice) -> HistogramStatistics:
    chosen = choice.of(series)
    numbers, states = _numbers_of(_portions(chosen))
    return HistogramStatistics(chosen.step, chosen.wall_time, series.superseded_count, states, numbers)


def _numbers_of(portions: Iterable[Columns]) -> tuple[Floats, NDArray[np.uint8]]:
    """(the rows of HistogramStatistics, the states of the values)"""
    numbers, states = [np.empty((0, _COLUMNS))], [np.empty(0, np.uint8)]
    for columns in portions:
        numbers.append(_core.histogram_statistics(*_buckets(columns)).reshape(-1, _COLUMNS))
        states.append(columns["state"])
    return np.concatenate(numbers), np.concatenate(states)


def _portions_again(series: MediaSeries[Any]) -> Callable[[], Iterable[Columns]]:
    """All values as often as somebody asks; decoded anew when they are too many to be held."""
    first = list(islice(_portions(series), 2))
    return (lambda: _portions(series)) if len(first) > 1 else (lambda: first)


def _portions(series: MediaSeries[Any]) -> Iterator[Columns]:
    """All values, decoded so many at once as memory is meant for."""
    ends = np.cumsum(series.size_bytes, dtype=np.int64)
    begin = 0
    while begin < len(series):
        before = int(ends[begin - 1]) if begin else 0
        end = max(begin + 1, int(np.searchsorted(ends, before + _BYTES_AT_ONCE)))
        portion = series.chosen(np.arange(begin, min(end, len(series))))
        columns = portion.decoded(MAX_NUMBERS)
        if columns is None:
            raise BadArgumentError(
                f"There are more than {MAX_NUMBERS:,} numbers in a value of {series.tag!r}"
            )
        yield columns
        begin = end


def _buckets(columns: Columns) -> tuple[NDArray[np.uint32], Floats, Floats, Floats]:
    return columns["size"], columns["left"], columns["right"], columns["counts"]


# ── maps ─────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class ValueAxis:
    """Of a map: rows of the same height, from ``low`` to ``high``. Raises BadArgumentError for what makes no
    sense."""

    low: float
    high: float
    linear_width: float | None
    """Symmetric logarithm: near 0, where the axis is linear. None: it is linear everywhere."""

    def __post_init__(self) -> None:
        if not (math.isfinite(self.low) and math.isfinite(self.high) and self.low < self.high):
            raise BadArgumentError(
                f"An axis goes from one finite number to a greater one, not {self.low} to {self.high}"
            )
        if self.linear_width is not None and not 0 < self.linear_width < math.inf:
            raise BadArgumentError(f"The linear width of an axis is above 0, not {self.linear_width}")

    def edges(self, rows: int) -> Floats:
        """Ascending; a row or more is missing where doubles do not lie close enough."""
        width = self.linear_width
        if width is None:
            return np.unique(np.linspace(self.low, self.high, rows + 1))
        low, high = (math.copysign(math.log1p(abs(end) / width), end) for end in (self.low, self.high))
        places = np.linspace(low, high, rows + 1)[1:-1]
        inner = np.copysign(np.expm1(np.abs(places)) * width, places)
        return np.unique(np.concatenate([[self.low], inner, [self.high]]))


@dataclass(frozen=True, slots=True)
class HistogramMap:
    """Where the values of a tag lie over its steps. ``step`` and ``wall_time`` are those of the columns: of
    each value, or of the first of several that share a column."""

    step: NDArray[np.int64]
    wall_time: Floats
    superseded_count: int
    axis: ValueAxis
    rows: int
    total: Floats
    """How many numbers a histogram counted; of several the mean."""
    shares: NDArray[np.float32]
    """(columns, rows): the share of them in each row, the lowest values first. 0 where there are none."""
    damaged_count: int


def map_of(
    store: RunStore,
    run: str,
    tag: str,
    *,
    rows: int,
    most_columns: int | None = None,
    value_range: tuple[float, float] | None = None,
    is_symlog: bool = False,
) -> HistogramMap | None:
    """None when the run has no such histograms. Without a range everything is in the map."""
    series = find_series(store, run, _KIND, tag)
    if series is None:
        return None
    portions = _portions_again(series)
    statistics, states = _numbers_of(portions())
    axis = _axis_of(statistics, value_range, is_symlog=is_symlog)
    edges = axis.edges(rows)
    places = len(edges) - 1
    maps = [_core.histogram_map(*_buckets(columns), edges).reshape(-1, places) for columns in portions()]
    total = statistics[:, STATISTICS.index("count")]
    shares = np.concatenate([np.empty((0, places), np.float32), *maps])
    shares /= np.where(total > 0, total, 1.0)[:, np.newaxis].astype(np.float32)
    starts = _column_starts(len(series), most_columns)
    if len(starts) < len(series):
        filled = np.maximum(np.add.reduceat((total > 0).astype(np.float32), starts), 1)
        shares = np.add.reduceat(shares, starts, axis=0) / filled[:, np.newaxis]
        total = np.add.reduceat(total, starts) / filled
    return HistogramMap(
        series.step[starts],
        series.wall_time[starts],
        series.superseded_count,
        axis,
        places,
        total,
        shares,
        int(np.count_nonzero(states)),
    )


def _column_starts(values: int, most_columns: int | None) -> NDArray[np.intp]:
    if most_columns is None or values <= most_columns:
        return np.arange(values)
    return (np.arange(most_columns) * values) // most_columns


def _axis_of(statistics: Floats, value_range: tuple[float, float] | None, *, is_symlog: bool) -> ValueAxis:
    low, high = _extent(statistics) if value_range is None else value_range
    return ValueAxis(low, high, _linear_width(statistics, high - low) if is_symlog else None)


def _extent(statistics: Floats) -> tuple[float, float]:
    """Of all finite values, and never without a width."""
    least, greatest = statistics[:, STATISTICS.index("min")], statistics[:, STATISTICS.index("max")]
    least, greatest = least[np.isfinite(least)], greatest[np.isfinite(greatest)]
    low = float(least.min()) if len(least) else 0.0
    high = float(greatest.max()) if len(greatest) else 0.0
    if low < high:
        return low, high
    pad = abs(low) / 2 or 0.5
    return low - pad, low + pad


def _linear_width(statistics: Floats, span: float) -> float:
    """So that the narrowest distributions are still seen, but for a few."""
    std = statistics[:, STATISTICS.index("std")]
    std = std[np.isfinite(std) & (std > 0)]
    width = float(np.percentile(std, _LINEAR_PERCENTILE)) if len(std) else span
    return max(width, span * _LEAST_LINEAR_PART)
