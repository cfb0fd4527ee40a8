"""When a run was at work: the stretches of time between its starts, as far as its files tell.

A job that is stopped and started again leaves an event file for each start, or a SessionLog START in one. The
time between the last point of one and the first of the next was a pause. Files whose times overlap were
written side by side (branches.py has the picture): together they are one stretch.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Session = tuple[float, float]
"""Wall times of the first and the last point."""


def stretches(wall: NDArray[np.float64], starts: Sequence[float]) -> list[tuple[int, float, float]]:
    """(STARTs before it, earliest, latest time) of the rows of one series in one file, between its STARTs.

    Rows are written in the order of time, so only the ends of a stretch are looked at; a clock that was set
    back costs accuracy, nothing else.
    """
    cuts = [0, *np.searchsorted(wall, starts).tolist(), len(wall)]
    found = []
    for number, (begin, end) in enumerate(pairwise(cuts)):
        ends = [float(wall[row]) for row in (begin, end - 1)] if begin < end else []
        if ends and all(map(math.isfinite, ends)):
            found.append((number, min(ends), max(ends)))
    return found


def joined_sessions(sessions: Iterable[Session]) -> list[Session]:
    """In the order of time, those that overlap made one."""
    found: list[Session] = []
    for begin, end in sorted(sessions):
        if found and begin <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((begin, end))
    return found
