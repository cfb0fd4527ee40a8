"""Logged histograms of a tag in a run: their buckets, statistics of each, and maps of where the values lie
over the steps. All of it is computed by the core, from every value that is asked for; nothing is sampled.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
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
_CELLS_AT_ONCE = 1 << 22
"""Of a map, before neighbouring values share a column."""
_UNREADABLE: Columns = {
    "size": np.zeros(1, np.uint32),
    "state": np.ones(1, np.uint8),
    "left": np.empty(0),
    "right": np.empty(0),
    "counts": np.empty(0),
}
"""In place of one value that is too large."""
_FARTHEST = 2.0**1022
"""Buckets may end where doubles do: what is between two ends of an axis must be a number, too."""
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
    def number_count(self) -> int:
        return self.numbers.size

    @property
    def quantiles(self) -> Floats:
        """A row of nine for each value, as TensorBoard computes them: 0 for a histogram without buckets."""
        quantiles: Floats = self.numbers[:, len(STATISTICS) :]
        return quantiles

    @property
    def linear_width(self) -> float:
        """Of a symmetric logarithm on which all of them are seen."""
        low, high = np.clip(_extent(self.numbers), -_FARTHEST, _FARTHEST).tolist()
        return _linear_width(self.numbers, high - low or 1.0)

    def at_quantile(self, share: float) -> Floats:
        """Between the nine it lies on a straight line. NaN for histograms of nothing."""
        points = np.asarray(BASIS_POINTS) / BASIS_POINTS[-1]
        place = int(np.clip(np.searchsorted(points, share), 1, len(points) - 1))
        part = (share - points[place - 1]) / (points[place] - points[place - 1])
        low, high = self.quantiles[:, place - 1], self.quantiles[:, place]
        return np.where(self.column("count") > 0, low + part * (high - low), np.nan)


def statistics_of(
    store: RunStore,
    run: str,
    tag: str,
    choice: ValueChoice = EVERY_VALUE,
    *,
    most_numbers: int | None = None,
) -> HistogramStatistics | None:
    """None when the run has no such histograms. Raises BadArgumentError when it is too much."""
    series = find_series(store, run, _KIND, tag)
    if series is None:
        return None
    chosen = choice.of(series)
    if most_numbers is not None:
        _check_size(len(chosen) * _COLUMNS, most_numbers)
    return _statistics_of(chosen, series.superseded_count)


def statistics_of_run(run: Run, tag: str) -> HistogramStatistics | None:
    """Of every value. None when the run has no such histograms."""
    series = run.media(_KIND).get(tag)
    return None if series is None else _statistics_of(series.by_step(), series.superseded_count)


def _check_size(numbers: int, most_numbers: int) -> None:
    if numbers > most_numbers:
        raise BadArgumentError(f"There are {numbers:,} numbers, more than {most_numbers:,}: ask for less")


def _statistics_of(series: MediaSeries[Any], superseded_count: int) -> HistogramStatistics:
    found = _numbers_of(series, lambda: _portions(series))
    return HistogramStatistics(series.step, series.wall_time, superseded_count, found.states, found.numbers)


@dataclass(frozen=True, slots=True)
class _Numbers:
    """The rows of HistogramStatistics, and the states of the values."""

    numbers: Floats
    states: NDArray[np.uint8]

    @property
    def size_bytes(self) -> int:
        return self.numbers.nbytes + self.states.nbytes


def _numbers_of(series: MediaSeries[Any], portions: Callable[[], Iterable[Columns]]) -> _Numbers:
    """Kept for a while: lines of many formulas ask for the same."""
    identity = series.identity_of_all
    found: _Numbers | None = series.kept_statistics.get(identity)
    if found is None:
        numbers, states = [np.empty((0, _COLUMNS))], [np.empty(0, np.uint8)]
        for columns in portions():
            numbers.append(_core.histogram_statistics(*_buckets(columns)).reshape(-1, _COLUMNS))
            states.append(columns["state"])
        found = _Numbers(np.concatenate(numbers), np.concatenate(states))
        if np.all(found.states < 2):  # a file that is gone may come back
            series.kept_statistics.keep(identity, found)
    return found


def _portions_again(series: MediaSeries[Any]) -> Callable[[], Iterable[Columns]]:
    """All values as often as somebody asks; decoded anew when they are too many to be held."""
    held: list[Columns] = []

    def portions() -> Iterable[Columns]:
        if held:
            return held
        found = _portions(series)
        first = list(islice(found, 2))
        if len(first) > 1:
            return chain(first, found)
        held.extend(first)
        return held

    return portions


def _portions(series: MediaSeries[Any]) -> Iterator[Columns]:
    """All values, decoded so many at once as memory is meant for."""
    ends = np.cumsum(series.size_bytes, dtype=np.int64)
    begin, most = 0, len(series)
    while begin < len(series):
        before = int(ends[begin - 1]) if begin else 0
        end = max(begin + 1, int(np.searchsorted(ends, before + _BYTES_AT_ONCE)))
        end = min(end, begin + most, len(series))
        columns = series.chosen(np.arange(begin, end)).decoded(MAX_NUMBERS)
        if columns is None and end - begin > 1:
            most = (end - begin) // 2  # few bytes may stand for many numbers
            continue
        yield _UNREADABLE if columns is None else columns
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

    @property
    def number_count(self) -> int:
        return self.shares.size


def map_of(
    store: RunStore,
    run: str,
    tag: str,
    *,
    rows: int,
    most_columns: int | None = None,
    value_range: tuple[float, float] | None = None,
    is_symlog: bool = False,
    linear_width: float | None = None,
    most_numbers: int = MAX_NUMBERS,
) -> HistogramMap | None:
    """None when the run has no such histograms. Without a range everything is in the map, and without a
    linear width a symmetric logarithm has one that suits the values. Raises BadArgumentError for an axis that
    makes no sense, and when it is too much."""
    series = find_series(store, run, _KIND, tag)
    if series is None:
        return None
    starts = _column_starts(len(series), most_columns)
    _check_size(len(starts) * rows, most_numbers)
    portions = _portions_again(series)
    statistics = _numbers_of(series, portions)
    axis = _axis_of(statistics.numbers, value_range, is_symlog=is_symlog, linear_width=linear_width)
    edges = axis.edges(rows)
    total = statistics.numbers[:, STATISTICS.index("count")]
    shares = _shares_of(portions(), edges, total, starts)
    if len(starts) < len(series):
        filled = np.maximum(np.add.reduceat((total > 0).astype(np.float32), starts), 1)
        shares /= filled[:, np.newaxis]
        total = np.add.reduceat(total, starts) / filled
    return HistogramMap(
        series.step[starts],
        series.wall_time[starts],
        series.superseded_count,
        axis,
        len(edges) - 1,
        total,
        shares,
        int(np.count_nonzero(statistics.states)),
    )


def _shares_of(
    portions: Iterable[Columns], edges: Floats, total: Floats, starts: NDArray[np.intp]
) -> NDArray[np.float32]:
    """The sums of the values that share a column."""
    places = len(edges) - 1
    shares = np.zeros((len(starts), places), np.float32)
    begin = 0
    for size, left, right, counts in _slices(portions, max(1, _CELLS_AT_ONCE // places)):
        found = _core.histogram_map(size, _within(left), _within(right), counts, edges).reshape(-1, places)
        end = begin + len(found)
        found /= np.where(total > 0, total, 1.0)[begin:end, np.newaxis].astype(np.float32)
        first = int(np.searchsorted(starts, begin, side="right")) - 1
        last = int(np.searchsorted(starts, end))
        shares[first:last] += np.add.reduceat(found, np.maximum(starts[first:last] - begin, 0), axis=0)
        begin = end
    return shares


def _slices(
    portions: Iterable[Columns], values: int
) -> Iterator[tuple[NDArray[np.uint32], Floats, Floats, Floats]]:
    """The buckets of so many values, at most."""
    for columns in portions:
        size, left, right, counts = _buckets(columns)
        ends = np.cumsum(size, dtype=np.int64)
        for begin in range(0, len(size), values):
            some = size[begin : begin + values]
            end = int(ends[begin + len(some) - 1])
            rows = slice(end - int(some.sum()), end)
            yield some, left[rows], right[rows], counts[rows]


def _within(edges: Floats) -> Floats:
    """No farther away than an axis goes. Infinite ones stay: buckets without an end are in no map."""
    return np.where(np.isinf(edges), edges, np.clip(edges, -_FARTHEST, _FARTHEST))


def _column_starts(values: int, most_columns: int | None) -> NDArray[np.intp]:
    if most_columns is None or values <= most_columns:
        return np.arange(values)
    return (np.arange(most_columns) * values) // most_columns


def _axis_of(
    statistics: Floats,
    value_range: tuple[float, float] | None,
    *,
    is_symlog: bool,
    linear_width: float | None,
) -> ValueAxis:
    if value_range is None:
        value_range = _extent(statistics)
    else:
        check_axis(value_range)
    low, high = np.clip(value_range, -_FARTHEST, _FARTHEST).tolist()
    if low == high:
        pad = abs(low) / 2 or 0.5
        low, high = np.clip((low - pad, high + pad), -_FARTHEST, _FARTHEST).tolist()
    if not is_symlog:
        return ValueAxis(low, high, None)
    return ValueAxis(
        low, high, _linear_width(statistics, high - low) if linear_width is None else linear_width
    )


def check_axis(value_range: tuple[float, float] | None, linear_width: float | None = None) -> None:
    """The parts of an axis that somebody asks for. Raises BadArgumentError for what makes no sense."""
    ValueAxis(*(value_range or (0.0, 1.0)), linear_width)


def _extent(statistics: Floats) -> tuple[float, float]:
    """Of all finite values; may have no width."""
    least, greatest = statistics[:, STATISTICS.index("min")], statistics[:, STATISTICS.index("max")]
    least, greatest = least[np.isfinite(least)], greatest[np.isfinite(greatest)]
    low = float(least.min()) if len(least) else 0.0
    high = float(greatest.max()) if len(greatest) else 0.0
    return min(low, high), max(low, high)


def _linear_width(statistics: Floats, span: float) -> float:
    """So that the usual values of the narrowest distributions are still seen, but for a few distributions."""
    sizes = _usual_sizes(statistics)
    sizes = sizes[np.isfinite(sizes) & (sizes > 0)]
    width = float(np.percentile(sizes, _LINEAR_PERCENTILE)) if len(sizes) else span
    return max(width, span * _LEAST_LINEAR_PART)


def _usual_sizes(statistics: Floats) -> Floats:
    """How far from 0 the middle of each distribution reaches; where that is as good as 0, its wider parts."""
    statistics = np.clip(statistics, -_FARTHEST, _FARTHEST)
    quantiles = np.abs(statistics[:, len(STATISTICS) :])
    spans = statistics[:, STATISTICS.index("max")] - statistics[:, STATISTICS.index("min")]
    sizes: Floats = statistics[:, STATISTICS.index("std")]
    for inner in range(1, len(BASIS_POINTS) // 2):
        size = (quantiles[:, inner] + quantiles[:, -1 - inner]) / 2
        sizes = np.where(size > _LEAST_LINEAR_PART * spans, size, sizes)
    return sizes
