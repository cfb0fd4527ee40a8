"""What a formula is once it is read.

A formula consists of stretches in which every point is computed from the points at the same step. Those are
postfix programs over the values of their *leaves*: tags, and functions that look at a whole line (``ema``,
``diff``). Such a function has a stretch of its own as argument, and works on all points of that, before its
result is joined with the rest: ``ema(train/loss, 0.9) - val/loss`` smooths all of train/loss, then takes what
it needs at the steps of val/loss.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from sightline.query.joins import Points

MAX_LENGTH = 4096
"""Characters."""
MAX_DEPTH = 40
"""Of parentheses and signs inside each other. The parser takes a few frames of the stack for each."""
MAX_OPERATIONS = 500
"""Numbers, tags, operators and functions."""

Operand = float | NDArray[np.float64]


class Name(Enum):
    """What every point knows without any tag."""

    step = "step"
    time = "time"
    """Seconds since the first point of the tag whose steps count."""


@dataclass(frozen=True, slots=True)
class Pointwise:
    """An operator or a function of numbers at the same point."""

    name: str
    compute: Callable[..., NDArray[np.float64]]
    """Takes and gives floats or columns of them."""
    least_arguments: int
    most_arguments: int
    trouble: str = "numbers that are too large"
    """What has happened when the result is not finite though everything it is made from is."""


@dataclass(frozen=True, slots=True)
class Apply:
    """Takes so many operands off the stack and puts the result on it."""

    what: Pointwise
    arguments: int


@dataclass(frozen=True, slots=True)
class Load:
    """Puts the values of a leaf on the stack."""

    leaf: int


Operation = float | Name | Load | Apply


@dataclass(frozen=True, slots=True)
class Linewise:
    """A function of all points of a line, with a number for its setting."""

    name: str
    compute: Callable[[Points, float], Points]
    setting: str = ""
    """What the number is, for people; empty: there is none."""
    least: float = 0.0
    limit: float = 0.0
    """The setting is at least the one and below the other."""
    is_whole: bool = False


@dataclass(frozen=True, slots=True)
class TagLeaf:
    tag: str


@dataclass(frozen=True, slots=True)
class LineLeaf:
    function: Linewise
    argument: Stretch
    setting: float


@dataclass(frozen=True, slots=True)
class HistogramLeaf:
    """A number of each histogram of a tag."""

    statistic: str
    """A column of ``query.histograms.HistogramStatistics``, or "quantile"."""
    tag: str
    share: float = 0.0
    """Of the quantile, from 0 to 1."""


Leaf = TagLeaf | HistogramLeaf | LineLeaf


@dataclass(frozen=True, slots=True)
class Stretch:
    """Points that are computed one by one."""

    leaves: tuple[Leaf, ...]
    operations: tuple[Operation, ...]


@dataclass(frozen=True, slots=True)
class Formula:
    text: str
    whole: Stretch
    tags: dict[str, int]
    """Each tag of numbers and where it stands first, in the order of the text."""
    histograms: tuple[HistogramLeaf, ...] = ()
