"""Many series as one binary answer: a JSON header, then raw columns that the browser takes as typed arrays.

    bytes  0 … 3   "SLF1"
    bytes  4 … 7   length of the header, little-endian u32; 8 + length is a multiple of 8
    header         FrameHeader, or that of another frame (GroupFrameHeader …), as JSON, spaces at the end
    columns        little-endian, each at a multiple of 8 bytes behind the header

A column travels in the smallest form that keeps what a chart can tell apart (schemas.Column): nothing at all
when its numbers are evenly spaced, as most steps are; 4 bytes where they fit. An answer often has thousands
of short series, and a few NumPy calls for each would take longer than reading them, so all series are laid
end to end and looked at together: there is no loop over series before the header, and none over points
anywhere.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol, TypeVar

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from sightline.wire.scalar_schemas import (
    Column,
    FrameHeader,
    GroupFrame,
    GroupFrameHeader,
    QueryNote,
    SeriesFrame,
)
from sightline.wire.text import wire_json

MAGIC = b"SLF1"

_ALIGNMENT = 8
_EXACT_LIMIT = 2.0**53
"""Whole numbers up to here are exact in a double, which is all that a browser has."""
_U32_LIMIT = 2.0**32
_WALL_SCALES_S = (1e-6, 1e-3)
"""Units of wall times, the finest first: microseconds reach for 71 minutes, milliseconds for 49 days."""
_INVISIBLE = 1e-7
"""Relative error that a smoothed line may have: a float's own."""

_INVISIBLE_SHARE = 1e-5
"""The same as a share of all that a group's line spans: a hundredth of a pixel."""

_POINTS_PER_PIECE = 131_072
"""Series are encoded so many points at a time: 1 MB a column, which measured fastest."""

ColumnType = Literal["f64", "f32", "u32", "range"]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
AnyPart = TypeVar("AnyPart")


class SeriesWindow(Protocol):
    """What ``sightline.query.windows.Window`` is to a frame."""

    @property
    def is_superseded(self) -> bool: ...
    @property
    def total(self) -> int: ...
    @property
    def is_exact(self) -> bool: ...
    @property
    def superseded_count(self) -> int: ...
    @property
    def first_wall_s(self) -> float: ...
    @property
    def y_range(self) -> tuple[float, float] | None: ...
    @property
    def y_core(self) -> tuple[float, float] | None: ...
    @property
    def step(self) -> NDArray[np.int64]: ...
    @property
    def wall(self) -> Floats: ...
    @property
    def value(self) -> Floats: ...
    @property
    def smoothed(self) -> Floats | None: ...
    @property
    def x(self) -> Floats | None: ...


class FramePart(NamedTuple):
    """One series of an answer: which query it answers, the run's number, and the points."""

    query: int
    run: int
    window: SeriesWindow


class GroupLine(Protocol):
    """What ``sightline.query.aggregates.GroupAggregate`` is to a frame."""

    @property
    def runs(self) -> int: ...
    @property
    def is_exact(self) -> bool: ...
    @property
    def y_range(self) -> tuple[float, float] | None: ...
    @property
    def x(self) -> Floats: ...
    @property
    def center(self) -> Floats: ...
    @property
    def low(self) -> Floats | None: ...
    @property
    def high(self) -> Floats | None: ...
    @property
    def members(self) -> NDArray[np.uint32]: ...
    @property
    def breaks(self) -> NDArray[np.uint32]: ...


class GroupPart(NamedTuple):
    """One group of an answer: which query it answers, and its position there."""

    query: int
    group: int
    line: GroupLine


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
        _grid_columns(Lengthwise([line.x for line in lines], np.float64), body),
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
            GroupFrame(
                query=part.query,
                group=part.group,
                count=len(part.line.x),
                runs=part.line.runs,
                is_exact=part.line.is_exact,
                y_range=part.line.y_range,
                x=x,
                center=center,
                low=low,
                high=high,
                members=members,
                breaks=part.line.breaks.tolist(),
            )
        )
    return framed(GroupFrameHeader(server_id, revision, groups, list(notes)), body)


def framed(header: Struct, body: Body) -> bytes:
    """The bytes of a frame whose columns are in ``body``."""
    text = wire_json(header)
    text += b" " * (-(len(MAGIC) + 4 + len(text)) % _ALIGNMENT)
    return b"".join([MAGIC, struct.pack("<I", len(text)), text, *body.chunks])


def pieces_of(parts: Sequence[AnyPart], size_of: Callable[[AnyPart], int]) -> Iterator[Sequence[AnyPart]]:
    """Neighbouring series of so many points that what is computed from them stays in the CPU's cache."""
    begin, points = 0, 0
    for end, part in enumerate(parts, start=1):
        points += size_of(part)
        if points >= _POINTS_PER_PIECE:
            yield parts[begin:end]
            begin, points = end, 0
    if begin < len(parts):
        yield parts[begin:]


def _encode_piece(parts: Sequence[FramePart], body: Body) -> Iterator[SeriesFrame]:
    windows = [part.window for part in parts]
    values = Lengthwise([window.value for window in windows], np.float64)
    is_narrow = _fits_f32(values, tolerance=0.0)
    columns = zip(
        step_columns(Lengthwise([window.step for window in windows], np.int64), body),
        wall_columns(Lengthwise([window.wall for window in windows], np.float64), body),
        _value_columns(values, is_narrow, body),
        _smoothed_columns(windows, is_narrow, body),
        _x_columns(windows, body),
        strict=True,
    )
    for part, (step, wall, value, smoothed, x) in zip(parts, columns, strict=True):
        window = part.window
        yield SeriesFrame(
            query=part.query,
            run=part.run,
            is_superseded=window.is_superseded,
            count=len(window.step),
            total=window.total,
            superseded_count=window.superseded_count,
            is_exact=window.is_exact,
            first_wall_s=_finite(window.first_wall_s),
            y_range=window.y_range,
            y_core=window.y_core,
            step=step,
            wall=wall,
            value=value,
            smoothed=smoothed,
            x=x,
        )


def _finite(number: float) -> float:
    """A series without any finite wall time has no zero of relative time; any will do."""
    return float(number) if math.isfinite(number) else 0.0


# ── all series, end to end ───────────────────────────────────────────────────────────────────────────────


class Lengthwise:
    """One column of every series that has points, laid end to end."""

    def __init__(self, columns: Sequence[NDArray[Any]], dtype: type[np.generic]) -> None:
        lengths = np.fromiter(map(len, columns), np.int64, len(columns))
        self.present: NDArray[np.intp] = np.flatnonzero(lengths)
        """Positions of the series that have points: an empty piece would confuse reduceat."""
        self.series_count = len(columns)
        self.counts = lengths[self.present]
        self.starts = np.cumsum(self.counts) - self.counts
        self.flat: NDArray[Any] = (
            # Widened: differences of unsigned numbers would wrap around.
            np.concatenate([columns[i] for i in self.present.tolist()], dtype=dtype)
            if len(self.present)
            else np.empty(0, dtype)
        )

    def is_true_for_all(self, flags: Flags) -> Flags:
        """For each series: is the flag set at all its points?"""
        if not len(self.present):
            return np.empty(0, np.bool_)
        found: Flags = np.logical_and.reduceat(flags, self.starts)
        return found

    def least(self, numbers: NDArray[Any]) -> NDArray[Any]:
        found: NDArray[Any] = np.minimum.reduceat(numbers, self.starts) if len(self.present) else numbers
        return found

    def greatest(self, numbers: NDArray[Any]) -> NDArray[Any]:
        found: NDArray[Any] = np.maximum.reduceat(numbers, self.starts) if len(self.present) else numbers
        return found

    def of_points(self, per_series: NDArray[Any]) -> NDArray[Any]:
        """What is known for each series, for each of its points."""
        return np.repeat(per_series, self.counts)

    def gaps(self, numbers: NDArray[Any]) -> NDArray[Any]:
        """First difference of each series; 0 for those with one point."""
        second = self.starts + (self.counts > 1)
        gaps: NDArray[Any] = numbers[second] - numbers[self.starts]
        return gaps

    def is_evenly_spaced(self, numbers: NDArray[Any], gaps: NDArray[Any]) -> Flags:
        if not len(self.present):
            return np.empty(0, np.bool_)
        is_even = np.ones(len(numbers), np.bool_)
        np.equal(np.diff(numbers), self.of_points(gaps)[:-1], out=is_even[:-1])
        is_even[self.starts + self.counts - 1] = True  # the difference to the next series
        return self.is_true_for_all(is_even)


class Body:
    """The bytes behind the header, as they pile up."""

    def __init__(self) -> None:
        self.chunks: list[bytes] = []
        self._size = 0

    def add(self, elements: NDArray[Any], counts: NDArray[np.int64]) -> NDArray[np.int64]:
        """Columns of one type, end to end; returns the offset of each."""
        per_step = _ALIGNMENT // elements.itemsize
        padded = -(-counts // per_step) * per_step
        starts = np.cumsum(padded) - padded
        if int(padded.sum()) != len(elements):
            shift = starts - (np.cumsum(counts) - counts)
            spread = np.zeros(int(padded.sum()), elements.dtype)
            spread[np.arange(len(elements)) + np.repeat(shift, counts)] = elements
            elements = spread
        offsets = self._size + starts * elements.itemsize
        self.chunks.append(elements.astype(elements.dtype.newbyteorder("<"), copy=False).tobytes())
        self._size += elements.nbytes
        return offsets


@dataclass(frozen=True)
class _Choice:
    """One way to send a column, and the series it is taken for."""

    type: ColumnType
    is_taken: Flags
    base: Floats
    scale: Floats
    elements: Callable[[], NDArray[Any]] | None = None
    """Of all points of all series, made when the choice is taken for any; None for ranges. For series that
    it is not taken for they may be nonsense."""


def _columns(series: Lengthwise, choices: Sequence[_Choice], body: Body) -> list[Column]:
    """For each series the column by the first choice that is taken for it; one of them has to be."""
    columns: list[Column] = [Column("range", 0, 0.0, 0.0)] * series.series_count
    is_open = np.ones(len(series.present), np.bool_)
    for choice in choices:
        is_chosen = choice.is_taken & is_open
        is_open &= ~is_chosen
        chosen = np.flatnonzero(is_chosen)
        if not len(chosen):
            continue
        offsets = np.zeros(len(chosen), np.int64)
        if choice.elements is not None:
            is_all = len(chosen) == len(is_chosen)
            elements = choice.elements()
            chosen_elements = elements if is_all else elements[series.of_points(is_chosen)]
            offsets = body.add(chosen_elements, series.counts[chosen])
        for position, offset, base, scale in zip(
            series.present[chosen].tolist(),
            offsets.tolist(),
            choice.base[chosen].tolist(),
            choice.scale[chosen].tolist(),
            strict=True,
        ):
            columns[position] = Column(choice.type, offset, base, scale)
    return columns


def _plain(
    series: Lengthwise, type: ColumnType, is_taken: Flags, elements: Callable[[], NDArray[Any]]
) -> _Choice:
    """Elements that are the numbers themselves."""
    count = len(series.present)
    return _Choice(type, is_taken, np.zeros(count), np.ones(count), elements)


# ── which form for which column ──────────────────────────────────────────────────────────────────────────


def step_columns(series: Lengthwise, body: Body) -> list[Column]:
    """Exact as doubles are: beyond 2⁵³ a step is rounded to the nearest one."""
    steps = series.flat
    numbers = steps.astype(np.float64)
    least, greatest = series.least(numbers), series.greatest(numbers)
    is_small = (least >= -_EXACT_LIMIT) & (greatest <= _EXACT_LIMIT) & (greatest - least <= _EXACT_LIMIT)
    # Differences of large steps may wrap around; is_small keeps those out.
    gaps = series.gaps(steps)
    first = numbers[series.starts]
    is_range = ((series.counts == 1) | is_small) & series.is_evenly_spaced(steps, gaps)
    is_u32 = is_small & (greatest - least < _U32_LIMIT)

    def above_least() -> NDArray[np.uint32]:
        above = np.where(series.of_points(is_u32), numbers - series.of_points(least), 0.0)
        return above.astype(np.uint32)

    every = np.ones(len(series.present), np.bool_)
    return _columns(
        series,
        [
            _Choice("range", is_range, first, gaps.astype(np.float64)),
            _Choice("u32", is_u32, least, np.ones(len(least)), above_least),
            _plain(series, "f64", every, lambda: numbers),
        ],
        body,
    )


def wall_columns(series: Lengthwise, body: Body) -> list[Column]:
    """Whole micro- or milliseconds since the earliest, or doubles when there are odd times among them."""
    walls = series.flat
    is_finite = series.is_true_for_all(np.isfinite(walls))
    safe = np.where(series.of_points(is_finite), walls, 0.0)
    earliest = series.least(safe)
    with np.errstate(over="ignore"):
        since = safe - series.of_points(earliest)
    latest = series.greatest(since)
    # Each series in the finest unit that reaches from its first to its last time.
    fine, coarse = _WALL_SCALES_S
    is_fine = latest < (_U32_LIMIT - 1) * fine
    is_u32 = is_finite & (latest < (_U32_LIMIT - 1) * coarse)
    scales = np.where(is_fine, fine, coarse)
    reachable = np.where(series.of_points(is_u32), since, 0.0)
    ticks = np.rint(reachable / series.of_points(scales))
    gaps = series.gaps(ticks)
    is_range = is_u32 & series.is_evenly_spaced(ticks, gaps)
    first = earliest + ticks[series.starts] * scales
    every = np.ones(len(series.present), np.bool_)
    return _columns(
        series,
        [
            _Choice("range", is_range, first, gaps * scales),
            _Choice("u32", is_u32, earliest, scales, lambda: ticks.astype(np.uint32)),
            _plain(series, "f64", every, lambda: walls),
        ],
        body,
    )


def _value_columns(series: Lengthwise, is_narrow: Flags, body: Body) -> list[Column]:
    """Never anything but the very numbers that were logged."""
    values = series.flat
    bits = values.view(np.int64)
    # Compared by bits: zero and minus zero differ, and the sum that a range is made of would lose the minus.
    is_constant = series.is_true_for_all(bits == series.of_points(bits[series.starts]))
    first = values[series.starts]
    is_constant &= np.isfinite(first) & ~((first == 0) & np.signbit(first))
    every = np.ones(len(series.present), np.bool_)
    return _columns(
        series,
        [
            _Choice("range", is_constant, first, np.zeros(len(first))),
            _plain(series, "f32", is_narrow, lambda: _as_f32(values)),
            _plain(series, "f64", every, lambda: values),
        ],
        body,
    )


def exact_columns(series: Lengthwise, body: Body) -> list[Column]:
    """The very numbers, in 4 bytes each where they fit."""
    return _value_columns(series, _fits_f32(series, tolerance=0.0), body)


def _smoothed_columns(windows: Sequence[SeriesWindow], is_narrow: Flags, body: Body) -> list[Column | None]:
    """Floats where the values are: a line need not be finer than the points it is made of."""
    empty = np.empty(0)
    series = Lengthwise([empty if w.smoothed is None else w.smoothed for w in windows], np.float64)
    # The flags are those of the series with values; a series with a smoothed line is one of them.
    has_values = [position for position, window in enumerate(windows) if len(window.value)]
    narrow_at = dict(zip(has_values, is_narrow.tolist(), strict=True))
    is_f32 = _fits_f32(series, tolerance=_INVISIBLE)
    is_f32 &= np.array([narrow_at[position] for position in series.present.tolist()], np.bool_)
    every = np.ones(len(series.present), np.bool_)
    columns = _columns(
        series,
        [
            _plain(series, "f32", is_f32, lambda: _as_f32(series.flat)),
            _plain(series, "f64", every, lambda: series.flat),
        ],
        body,
    )
    return [None if w.smoothed is None else column for w, column in zip(windows, columns, strict=True)]


def _x_columns(windows: Sequence[SeriesWindow], body: Body) -> list[Column | None]:
    """The very numbers, as for values: a zoom may look at the millionth part of an axis."""
    if all(window.x is None for window in windows):
        return [None] * len(windows)
    empty = np.empty(0)
    series = Lengthwise([empty if w.x is None else w.x for w in windows], np.float64)
    columns = exact_columns(series, body)
    return [None if w.x is None else column for w, column in zip(windows, columns, strict=True)]


def _grid_columns(series: Lengthwise, body: Body) -> list[Column]:
    """The very numbers; whole and evenly spaced ones, as most steps are, as a range."""
    numbers = series.flat
    is_whole = series.is_true_for_all((np.abs(numbers) <= _EXACT_LIMIT) & (np.rint(numbers) == numbers))
    gaps = series.gaps(numbers)
    is_range = is_whole & series.is_evenly_spaced(numbers, gaps)
    is_f32 = _fits_f32(series, tolerance=0.0)
    every = np.ones(len(series.present), np.bool_)
    return _columns(
        series,
        [
            _Choice("range", is_range, numbers[series.starts], gaps),
            _plain(series, "f32", is_f32, lambda: _as_f32(numbers)),
            _plain(series, "f64", every, lambda: numbers),
        ],
        body,
    )


def _line_columns(
    columns: Sequence[Floats | None], lines: Sequence[GroupLine], body: Body
) -> list[Column | None]:
    """Floats where nobody can tell them from doubles on a chart that shows the whole line."""
    empty = np.empty(0)
    series = Lengthwise([empty if column is None else column for column in columns], np.float64)
    spans = np.array([0.0 if line.y_range is None else line.y_range[1] - line.y_range[0] for line in lines])
    numbers = series.flat
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        error = np.abs(_as_f32(numbers).astype(np.float64) - numbers)
        is_near = error <= _INVISIBLE_SHARE * series.of_points(spans[series.present])
        is_narrow = series.is_true_for_all((is_near & (error <= _INVISIBLE * np.abs(numbers))) | ~(error > 0))
    chosen = _value_columns(series, is_narrow, body)
    return [None if column is None else encoded for column, encoded in zip(columns, chosen, strict=True)]


def _as_f32(numbers: Floats) -> NDArray[np.float32]:
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        return numbers.astype(np.float32)


def _fits_f32(series: Lengthwise, *, tolerance: float) -> Flags:
    """For each series: is every number the same as a float, up to the relative tolerance?"""
    numbers = series.flat
    back = _as_f32(numbers).astype(np.float64)
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        is_same = (back == numbers) | np.isnan(numbers)
        if tolerance:
            is_same |= np.abs(back - numbers) <= tolerance * np.abs(numbers)
    return series.is_true_for_all(is_same)
