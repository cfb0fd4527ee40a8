"""A formula computed for one run. Each operation goes through the points once, some of them at a time: what
lies in between then needs little memory, however long the formula is, and stays in the processor's cache."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sightline.query.formulas.program import (
    Apply,
    Formula,
    HistogramLeaf,
    LineLeaf,
    Load,
    Name,
    Operand,
    Operation,
    Pointwise,
    Stretch,
    TagLeaf,
)
from sightline.query.joins import Floats, Points, joined

_POINTS_AT_ONCE = 1 << 16


class Evaluated(NamedTuple):
    points: Points
    left_out: int
    """Points of the tag whose steps count that another tag has no value for."""
    trouble: dict[str, int]
    """What went wrong, and at how many points the result is not finite because of it."""


Series = Mapping[str | HistogramLeaf, Points]
"""By tag, and by what is taken of histograms."""


def evaluate(formula: Formula, series: Series) -> Evaluated:
    """``series`` has all of the formula's tags. A point that another tag has no value for is left out."""
    with np.errstate(all="ignore"):
        return _stretch(formula.whole, series)


def _stretch(stretch: Stretch, series: Series) -> Evaluated:
    troubles: dict[str, int] = {}
    leaves: list[Points] = []
    for leaf in stretch.leaves:
        match leaf:
            case TagLeaf(tag):
                leaves.append(series[tag])
            case HistogramLeaf():
                leaves.append(series[leaf])
            case LineLeaf(function, argument, setting):
                inner = _stretch(argument, series)
                _add(troubles, inner.trouble)
                leaves.append(function.compute(inner.points, setting))
    common = joined(leaves)
    value = np.empty(len(common.grid))
    for begin in range(0, len(value), _POINTS_AT_ONCE):
        rows = slice(begin, begin + _POINTS_AT_ONCE)
        value[rows], trouble = _computed(
            stretch.operations, common.grid.chosen(rows), [column[rows] for column in common.values]
        )
        _add(troubles, trouble)
    return Evaluated(common.grid.with_values(value), common.left_out, troubles)


def _computed(
    operations: Sequence[Operation], grid: Points, values: Sequence[Floats]
) -> tuple[Floats, dict[str, int]]:
    """(the result at some points, how many are not finite by what went wrong)"""
    trouble = _Trouble(len(grid))
    stack: list[Operand] = []
    for operation in operations:
        match operation:
            case Load(position):
                stack.append(values[position])
            case Apply(what, arguments):
                operands = stack[-arguments:]
                del stack[-arguments:]
                result = what.compute(*operands)
                trouble.look(what, operands, result)
                stack.append(result)
            case Name.step:
                stack.append(grid.step.astype(np.float64))
            case Name.time:
                stack.append(grid.relative_s)
            case float():
                stack.append(operation)
    value = np.asarray(np.broadcast_to(stack[0], len(grid)), np.float64)
    return value, trouble.counts(value)


def _add(total: dict[str, int], more: Mapping[str, int]) -> None:
    for reason, count in more.items():
        total[reason] = total.get(reason, 0) + count


class _Trouble:
    """Points at which an operation made something that is not finite from what was."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._at: dict[str, NDArray[np.bool_]] = {}

    def look(self, what: Pointwise, operands: list[Operand], result: Floats) -> None:
        is_odd = ~np.isfinite(result)
        if not is_odd.any():
            return
        for operand in operands:
            is_odd = is_odd & np.isfinite(operand)
        if is_odd.any():
            here = np.broadcast_to(is_odd, self._count)
            before = self._at.get(what.trouble)
            self._at[what.trouble] = here if before is None else before | here

    def counts(self, value: Floats) -> dict[str, int]:
        """Of the points that are not finite in the end: ``max(1 / x, 0)`` may have healed some."""
        if not self._at:
            return {}
        is_odd = ~np.isfinite(value)
        counts = {reason: int(np.count_nonzero(at & is_odd)) for reason, at in self._at.items()}
        return {reason: count for reason, count in counts.items() if count}
