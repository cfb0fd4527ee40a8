"""Many series as one binary answer: a JSON header, then raw columns that the browser takes as typed arrays.

    bytes  0 … 3   "SLF1"
    bytes  4 … 7   length of the header, little-endian u32; 8 + length is a multiple of 8
    header         as JSON, spaces at the end; what is in it is up to the dashboard
    columns        little-endian, each at a multiple of 8 bytes behind the header

A column travels in the smallest form that keeps what a chart can tell apart (schemas.Column): nothing at all
when its numbers are evenly spaced, as most steps are; 4 bytes where they fit. An answer often has thousands
of short series, and a few NumPy calls for each would take longer than reading them, so all series are laid
end to end and looked at together: there is no loop over series before the header, and none over points
anywhere.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from sightline.wire.schemas import Column
from sightline.wire.text import wire_json

MAGIC = b"SLF1"

_ALIGNMENT = 8
_EXACT_LIMIT = 2.0**53
"""Whole numbers up to here are exact in a double, which is all that a browser has."""
_U32_LIMIT = 2.0**32
_WALL_SCALES_S = (1e-6, 1e-3)
"""Units of wall times, the finest first: microseconds reach for 71 minutes, milliseconds for 49 days."""

_POINTS_PER_PIECE = 131_072
"""Series are encoded so many points at a time: 1 MB a column, which measured fastest."""

AnyPart = TypeVar("AnyPart")
ColumnType = Literal["f64", "f32", "u32", "range"]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


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


def framed(header: Struct, body: Body) -> bytes:
    """The whole answer."""
    text = wire_json(header)
    text += b" " * (-(len(MAGIC) + 4 + len(text)) % _ALIGNMENT)
    return b"".join([MAGIC, struct.pack("<I", len(text)), text, *body.chunks])


# ── all series, end to end ───────────────────────────────────────────────────────────────────────────────


class Lengthwise:
    """One column of every series that has points, laid end to end. None: the series has no such column."""

    def __init__(self, columns: Sequence[NDArray[Any] | None], dtype: type[np.generic]) -> None:
        given = [np.empty(0, dtype) if column is None else column for column in columns]
        lengths = np.fromiter(map(len, given), np.int64, len(given))
        self.present: NDArray[np.intp] = np.flatnonzero(lengths)
        """Positions of the series that have points: an empty piece would confuse reduceat."""
        self.series_count = len(columns)
        self.counts = lengths[self.present]
        self.starts = np.cumsum(self.counts) - self.counts
        self.flat: NDArray[Any] = (
            # Widened: differences of unsigned numbers would wrap around.
            np.concatenate([given[i] for i in self.present.tolist()], dtype=dtype)
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
class Choice:
    """One way to send a column, and the series it is taken for."""

    type: ColumnType
    is_taken: Flags
    base: Floats
    scale: Floats
    elements: Callable[[], NDArray[Any]] | None = None
    """Of all points of all series, made when the choice is taken for any; None for ranges. For series that
    it is not taken for they may be nonsense."""


def chosen_columns(series: Lengthwise, choices: Sequence[Choice], body: Body) -> list[Column]:
    """For each series the column by the first choice that is taken for it; doubles where none is."""
    is_open = np.ones(len(series.present), np.bool_)
    doubles = _plain("f64", is_open.copy(), lambda: series.flat.astype(np.float64, copy=False))
    columns: list[Column] = [Column("range", 0, 0.0, 0.0)] * series.series_count
    for choice in (*choices, doubles):
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


def as_floats(is_taken: Flags, numbers: NDArray[Any]) -> Choice:
    return _plain("f32", is_taken, lambda: as_f32(numbers))


def _plain(type: ColumnType, is_taken: Flags, elements: Callable[[], NDArray[Any]]) -> Choice:
    """Elements that are the numbers themselves."""
    return Choice(type, is_taken, np.zeros(len(is_taken)), np.ones(len(is_taken)), elements)


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

    return chosen_columns(
        series,
        [
            Choice("range", is_range, first, gaps.astype(np.float64)),
            Choice("u32", is_u32, least, np.ones(len(least)), above_least),
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
    return chosen_columns(
        series,
        [
            Choice("range", is_range, first, gaps * scales),
            Choice("u32", is_u32, earliest, scales, lambda: ticks.astype(np.uint32)),
        ],
        body,
    )


def value_columns(series: Lengthwise, is_narrow: Flags, body: Body) -> list[Column]:
    """Never anything but the very numbers that were logged."""
    values = series.flat
    bits = values.view(np.int64)
    # Compared by bits: zero and minus zero differ, and the sum that a range is made of would lose the minus.
    is_constant = series.is_true_for_all(bits == series.of_points(bits[series.starts]))
    first = values[series.starts]
    is_constant &= np.isfinite(first) & ~((first == 0) & np.signbit(first))
    ranges = Choice("range", is_constant, first, np.zeros(len(first)))
    return chosen_columns(series, [ranges, as_floats(is_narrow, values)], body)


def exact_columns(series: Lengthwise, body: Body) -> list[Column]:
    """The very numbers, in 4 bytes each where they fit."""
    return value_columns(series, fits_f32(series, tolerance=0.0), body)


def grid_columns(series: Lengthwise, body: Body) -> list[Column]:
    """The very numbers; whole and evenly spaced ones, as most steps are, as a range."""
    numbers = series.flat
    is_whole = series.is_true_for_all((np.abs(numbers) <= _EXACT_LIMIT) & (np.rint(numbers) == numbers))
    gaps = series.gaps(numbers)
    is_range = is_whole & series.is_evenly_spaced(numbers, gaps)
    is_f32 = fits_f32(series, tolerance=0.0)
    ranges = Choice("range", is_range, numbers[series.starts], gaps)
    return chosen_columns(series, [ranges, as_floats(is_f32, numbers)], body)


def as_f32(numbers: Floats) -> NDArray[np.float32]:
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        return numbers.astype(np.float32)


def fits_f32(series: Lengthwise, *, tolerance: float) -> Flags:
    """For each series: is every number the same as a float, up to the relative tolerance?"""
    numbers = series.flat
    back = as_f32(numbers).astype(np.float64)
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        is_same = (back == numbers) | np.isnan(numbers)
        if tolerance:
            is_same |= np.abs(back - numbers) <= tolerance * np.abs(numbers)
    return series.is_true_for_all(is_same)
