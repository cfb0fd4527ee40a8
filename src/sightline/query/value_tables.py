"""One number per run (or group of runs) and tag, as a table for a document."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np

from sightline.query.grouping import RunGroup
from sightline.query.lines import LineReader, LineSource
from sightline.query.statistics import line_statistics
from sightline.store.runs import RunStore

Statistic = Literal["last", "first", "min", "max", "mean", "median"]

_COLUMNS: dict[Statistic, str] = {"last": "end", "first": "start"}


def run_values(store: RunStore, runs: Sequence[str], tag: str, statistic: Statistic) -> dict[str, float]:
    """The number by run, for those that have one."""
    chosen = [run for run in map(store.get, runs) if run is not None]
    source = LineSource(tag=tag)
    found = line_statistics(LineReader(chosen, source).lines(), source).statistics
    numbers = getattr(found, _COLUMNS.get(statistic, statistic))
    return {run: number for run, number in zip(found.run, numbers, strict=True) if math.isfinite(number)}


def run_cells(runs: Sequence[str], values: dict[str, float], *, digits: int) -> list[str]:
    """What the table says for each run; empty for those without a number."""
    return [number_text(values[run], digits) if run in values else "" for run in runs]


def exact_cells(runs: Sequence[str], values: dict[str, float]) -> list[str]:
    """With every digit, for programs."""
    return [repr(values[run]) if run in values else "" for run in runs]


def exact_group_columns(groups: Sequence[RunGroup], values: dict[str, float]) -> list[list[str]]:
    """Mean, standard deviation and number of members of each group, with every digit, as three columns."""
    numbers = [[values[run] for run in group.runs if run in values] for group in groups]
    return [
        [repr(float(np.mean(some))) if some else "" for some in numbers],
        [repr(float(np.std(some, ddof=1))) if len(some) > 1 else "" for some in numbers],
        [str(len(some)) for some in numbers],
    ]


def group_cells(groups: Sequence[RunGroup], values: dict[str, float], *, digits: int) -> list[str]:
    """Mean ± standard deviation (n - 1) over the members that have a number; a single one has none."""
    return [_group_cell([values[run] for run in group.runs if run in values], digits) for group in groups]


def _group_cell(numbers: list[float], digits: int) -> str:
    if not numbers:
        return ""
    mean = number_text(float(np.mean(numbers)), digits)
    return f"{mean} ± {number_text(float(np.std(numbers, ddof=1)), 2)}" if len(numbers) > 1 else mean


def number_text(number: float, digits: int) -> str:
    """With so many significant digits; neither 1e+05 for a hundred thousand nor 0.30000000000000004.

    >>> [number_text(number, 4) for number in (0.123456, 98765.4, 1e-9, 5.0)]
    ['0.1235', '98765', '1.000e-09', '5.000']
    """
    size = abs(number)
    if size != 0 and not 1e-4 <= size < 1e7:
        return f"{number:.{digits - 1}e}"
    before_point = 1 if size < 1 else math.floor(math.log10(size)) + 1
    leading_zeros = 0 if size == 0 or size >= 1 else -math.floor(math.log10(size)) - 1
    after_point = digits - before_point if size >= 1 or size == 0 else digits + leading_zeros
    return f"{number:.{max(0, after_point)}f}"
