"""Series joined by step: the value of one at the steps of another.

A step that both have is taken as it is. Between two steps the value lies on the straight line from one to the
other; there is none before the first and behind the last, and none beside a value that is not finite, because
nobody knows how far it reaches.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Steps = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Points:
    """The points of one series, in the order they count in."""

    step: Steps
    wall: Floats
    value: Floats
    first_wall_s: float
    """The zero of relative time. NaN without a finite one."""

    def __len__(self) -> int:
        return len(self.step)

    @property
    def relative_s(self) -> Floats:
        return self.wall - self.first_wall_s

    def with_values(self, value: Floats) -> Points:
        return replace(self, value=value)

    def chosen(self, rows: NDArray[np.bool_] | NDArray[np.intp] | slice) -> Points:
        """Some of the points, on the same clock."""
        return replace(self, step=self.step[rows], wall=self.wall[rows], value=self.value[rows])


def first_finite(wall: Floats) -> float:
    """NaN without any."""
    if len(wall) and math.isfinite(wall[0]):
        return float(wall[0])
    is_finite = np.isfinite(wall)
    return float(wall[is_finite.argmax()]) if is_finite.any() else math.nan


class AtSteps(NamedTuple):
    value: Floats
    """NaN where there is none."""
    is_inside: NDArray[np.bool_] | None
    """Whether a step lies between the first and the last of the series; None: all of them do."""


def at_steps(series: Points, steps: Steps) -> AtSteps:
    """The series at the steps of another one."""
    if series.step is steps or np.array_equal(series.step, steps):
        return AtSteps(series.value, None)
    if not len(series):
        return AtSteps(np.full(len(steps), math.nan), np.zeros(len(steps), np.bool_))
    known, value = _rising(series.step, series.value)
    right = np.searchsorted(known, steps)
    is_inside = (right < len(known)) & (steps >= known[0])
    right[~is_inside] = 0
    is_met = known[right] == steps
    left = np.where(is_met, right, right - 1)  # outside: any, because nobody looks
    low, high = value[left], value[right]
    # As doubles, because the difference of two steps need not fit into one.
    begin, end = known[left].astype(np.float64), known[right].astype(np.float64)
    with np.errstate(all="ignore"):
        between = low + (high - low) * ((steps.astype(np.float64) - begin) / (end - begin))
    found = np.where(np.isfinite(low) & np.isfinite(high), between, math.nan)
    found = np.where(is_met, high, found)
    found[~is_inside] = math.nan
    return AtSteps(found, None if is_inside.all() else is_inside)


def _rising(step: Steps, value: Floats) -> tuple[Steps, Floats]:
    """Each step once, in rising order; of several points at one step the last counts."""
    if np.all(step[:-1] < step[1:]):
        return step, value
    order = np.argsort(step, kind="stable")
    step = step[order]
    is_last = np.ones(len(step), np.bool_)
    np.not_equal(step[:-1], step[1:], out=is_last[:-1])
    return step[is_last], value[order][is_last]


class Joined(NamedTuple):
    """Several series at common steps."""

    grid: Points
    """The series with the fewest points, at the steps that all reach to."""
    values: list[Floats]
    left_out: int
    """Points of that series which another has no value for."""


def joined(series: Sequence[Points]) -> Joined:
    """All series at the steps of the one with the fewest points; of equals the first."""
    grid = min(series, key=len)
    found = [at_steps(one, grid.step) for one in series]
    outside = [one.is_inside for one in found if one.is_inside is not None]
    if not outside:
        return Joined(grid, [one.value for one in found], 0)
    is_common = np.logical_and.reduce(outside)
    count = len(grid)
    grid = grid.chosen(is_common)
    return Joined(grid, [one.value[is_common] for one in found], count - len(grid))
