"""What formulas can do with numbers. docs/formulas.md lists the same for people, and a test compares."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sightline import _core
from sightline.query.formulas.program import Linewise, Operand, Pointwise
from sightline.query.joins import Floats, Points

_MANY = 64
_NO_LOGARITHM = "the logarithm of a number that is not above 0"


def _pointwise(*functions: Pointwise) -> dict[str, Pointwise]:
    return {function.name: function for function in functions}


def _least(*operands: Operand) -> Floats:
    return np.asarray(_folded(np.minimum, operands))


def _greatest(*operands: Operand) -> Floats:
    return np.asarray(_folded(np.maximum, operands))


def _folded(step: np.ufunc, operands: tuple[Operand, ...]) -> Operand:
    result = operands[0]
    for operand in operands[1:]:
        result = step(result, operand)
    return result


def _clip(x: Operand, low: Operand, high: Operand) -> Floats:
    return np.asarray(np.minimum(np.maximum(x, low), high))


OPERATORS = _pointwise(
    Pointwise("+", np.add, 2, 2),
    Pointwise("-", np.subtract, 2, 2),
    Pointwise("*", np.multiply, 2, 2),
    Pointwise("/", np.true_divide, 2, 2, "division by zero"),
    Pointwise("**", np.power, 2, 2, "powers that are no number or too large"),
)

NEGATIVE = Pointwise("-", np.negative, 1, 1)

POINTWISE = _pointwise(
    Pointwise("abs", np.abs, 1, 1),
    Pointwise("sign", np.sign, 1, 1),
    Pointwise("sqrt", np.sqrt, 1, 1, "the root of a negative number"),
    Pointwise("exp", np.exp, 1, 1),
    Pointwise("log", np.log, 1, 1, _NO_LOGARITHM),
    Pointwise("log2", np.log2, 1, 1, _NO_LOGARITHM),
    Pointwise("log10", np.log10, 1, 1, _NO_LOGARITHM),
    Pointwise("min", _least, 2, _MANY),
    Pointwise("max", _greatest, 2, _MANY),
    Pointwise("clip", _clip, 3, 3),
)


# ── functions of a whole line ────────────────────────────────────────────────────────────────────────────


def _ema(line: Points, weight: float) -> Points:
    return line.with_values(_smooth("ema", weight, line))


def _mean(line: Points, count: float) -> Points:
    return line.with_values(_smooth("mean", count, line))


def _smooth(kind: str, amount: float, line: Points) -> Floats:
    return _core.smooth(kind, amount, np.ascontiguousarray(line.value), np.ascontiguousarray(line.wall))


def _diff(line: Points, _: float) -> Points:
    return replace(line.chosen(slice(1, None)), value=np.diff(line.value))


def _lag(line: Points, count: float) -> Points:
    shift = min(int(count), len(line))
    return replace(line.chosen(slice(shift, None)), value=line.value[: len(line) - shift])


def _cumsum(line: Points, _: float) -> Points:
    """A value that is not finite stays where it is and has no part in the sums behind it."""
    is_finite = np.isfinite(line.value)
    sums = np.cumsum(np.where(is_finite, line.value, 0.0))
    return line.with_values(np.where(is_finite, sums, line.value))


def _cummin(line: Points, _: float) -> Points:
    return line.with_values(np.fmin.accumulate(line.value))


def _cummax(line: Points, _: float) -> Points:
    return line.with_values(np.fmax.accumulate(line.value))


LINEWISE = {
    function.name: function
    for function in (
        Linewise("ema", _ema, "weight", least=0, limit=1),
        Linewise("mean", _mean, "number of points", least=1, limit=100_001, is_whole=True),
        Linewise("lag", _lag, "number of points", least=0, limit=10_000_001, is_whole=True),
        Linewise("diff", _diff),
        Linewise("cumsum", _cumsum),
        Linewise("cummin", _cummin),
        Linewise("cummax", _cummax),
    )
}

HISTOGRAM = {f"hist_{name}": name for name in ("count", "min", "max", "mean", "std", "zeros", "quantile")}
"""Functions of the name of a histogram tag, and what they take of each histogram."""

FUNCTION_NAMES = tuple(sorted({*POINTWISE, *LINEWISE, *HISTOGRAM}))
