"""Groups by the book (docs/http-api.md says what they are), in plain loops over NumPy, with no thought of
speed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]


class Member(NamedTuple):
    x: Numbers
    value: Numbers


class Expected(NamedTuple):
    is_exact: bool
    x: Numbers
    center: Numbers
    low: Numbers
    high: Numbers
    members: list[int]


def aggregate(
    members: Sequence[Member],
    *,
    center: str,
    band: str,
    buckets: int,
    x_range: tuple[float, float] | None = None,
    is_log_x: bool = False,
) -> Expected:
    """Everything but the bootstrap."""
    members = [Member(m.x[np.isfinite(m.x)], m.value[np.isfinite(m.x)]) for m in members]
    has_place = [m.x[m.x > 0] if is_log_x else m.x for m in members]
    everything = np.concatenate([np.empty(0), *has_place])
    if x_range is None:
        x_range = (everything.min(), everything.max()) if len(everything) else (1.0, 1.0)
    low, high = min(x_range), max(x_range)
    if is_log_x and low <= 0:
        low = everything.min() if len(everything) else 1.0
        high = max(low, high)
    different = np.unique(everything[(everything >= low) & (everything <= high)])
    is_exact = len(different) <= buckets
    columns: list[tuple[float, list[Numbers]]] = []
    if is_exact:
        for x in different:
            columns.append((x, [points_at(m, m.x == x, x) for m in members]))
    else:
        scale = np.log10 if is_log_x else np.asarray
        begin, end = scale(low), scale(high)
        for cell in range(buckets):
            middle = begin + (end - begin) * (cell + 0.5) / buckets
            x = float(10**middle if is_log_x else middle)
            found = []
            for m in members:
                inside = (m.x >= low) & (m.x <= high)
                place = (scale(np.where(inside, m.x, high)) - begin) / (end - begin) * buckets
                number = np.minimum(place.astype(np.int64), buckets - 1)
                found.append(points_at(m, inside & (number == cell), x))
            columns.append((x, found))
    rows = [spread(x, [points for points in found if len(points)], center, band) for x, found in columns]
    rows = [row for row in rows if row is not None]
    table = np.array([row[:4] for row in rows]).reshape(len(rows), 4)
    return Expected(is_exact, table[:, 0], table[:, 1], table[:, 2], table[:, 3], [row[4] for row in rows])


def points_at(member: Member, is_there: NDArray[np.bool_], x: float) -> Numbers:
    """The member's finite points there; else one that is interpolated; else none."""
    points = member.value[is_there]
    if len(points):
        return points[np.isfinite(points)]
    before, after = member.x[member.x < x], member.x[member.x > x]
    if not len(before) or not len(after):
        return np.empty(0)
    left_x, right_x = before.max(), after.min()
    left = member.value[member.x == left_x]
    right = member.value[member.x == right_x]
    left, right = left[np.isfinite(left)], right[np.isfinite(right)]
    if not len(left) or not len(right):
        return np.empty(0)
    return np.array([np.interp(x, [left_x, right_x], [mean(left), mean(right)])])


def mean(values: Numbers) -> float:
    return math.fsum(values.tolist()) / len(values)


def spread(x: float, found: list[Numbers], center: str, band: str) -> Any:
    if not found:
        return None
    values = np.array([mean(points) for points in found])
    middle = mean(values) if center == "mean" else float(np.median(values))
    if len(values) == 1:
        return x, middle, math.nan, math.nan, 1
    ends = (math.nan, math.nan)
    if band in ("std", "sem"):
        away = values - values[0]
        size = np.abs(away).max() or 1.0  # NumPy squares: numbers of 1e-159 would lose their digits
        width = float(np.std(away / size, ddof=1) * size)
        width /= math.sqrt(len(values)) if band == "sem" else 1.0
        ends = (middle - width, middle + width)
    elif band == "minmax":
        ends = (min(points.min() for points in found), max(points.max() for points in found))
    elif band == "quartiles":
        ends = tuple(np.percentile(values, [25, 75]))
    return x, middle, *ends, len(values)
