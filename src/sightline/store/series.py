"""One scalar series: the numbers of a tag of a run, as read-only NumPy columns.

A series object is a snapshot. Its three columns always have the same length and never change under the
reader's hands, however fast the file grows; ask the run again to see more. When all visible points come from
one file, the columns *are* the core's memory; only several files (restarts, parallel writers) make a copy.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from sightline.store.branches import Branches, RestartTimes, Rows, split_branches


@dataclass(frozen=True, slots=True)
class ScalarPart:
    """The rows of one file."""

    rows: Rows
    wall_time: NDArray[np.float64]
    value: NDArray[np.float64]


@final
class ScalarSeries:
    """All points of one scalar: ``step`` (int64), ``wall_time`` (float64, seconds) and ``value`` (float64).

    Superseded points, those that a restarted job wrote again, are not in these columns; they are in
    ``superseded``, and ``all`` has everything in the order it was written.
    """

    __slots__ = ("__weakref__", "_branches", "_parts", "run", "step", "tag", "value", "wall_time")

    def __init__(
        self, *, run: str, tag: str, parts: Sequence[ScalarPart], branches: Branches | None = None
    ) -> None:
        """``parts`` are in write order; ``branches`` None means: every row, as written."""
        self.run = run
        self.tag = tag
        self._parts = tuple(parts)
        self._branches = branches
        visible = None if branches is None else branches.visible
        self.step: NDArray[np.int64] = chosen_rows([part.rows.step for part in parts], visible, np.int64)
        self.wall_time: NDArray[np.float64] = chosen_rows(
            [part.wall_time for part in parts], visible, np.float64
        )
        self.value: NDArray[np.float64] = chosen_rows([part.value for part in parts], visible, np.float64)

    def __len__(self) -> int:
        return len(self.step)

    @property
    def superseded_count(self) -> int:
        """How many points are hidden because a restarted job wrote their steps again."""
        return 0 if self._branches is None else len(self._branches.superseded)

    @property
    def superseded(self) -> ScalarSeries:
        """The hidden points, in write order; an empty series when there are none."""
        if self._branches is None:
            return ScalarSeries(run=self.run, tag=self.tag, parts=())
        hidden = self._branches.superseded
        return ScalarSeries(
            run=self.run, tag=self.tag, parts=self._parts, branches=Branches(hidden, hidden[:0])
        )

    @property
    def all(self) -> ScalarSeries:
        """Every point that was ever written, visible or not, in write order."""
        if self._branches is None:
            return self
        return ScalarSeries(run=self.run, tag=self.tag, parts=self._parts)

    def __repr__(self) -> str:
        span = f", steps {self.step[0]} to {self.step[-1]}" if len(self) else ""
        return f"ScalarSeries(run={self.run!r}, tag={self.tag!r}, {len(self):,} points{span})"


def scalar_series(*, run: str, tag: str, parts: Sequence[ScalarPart], restarts: RestartTimes) -> ScalarSeries:
    """Apply the restart rule to the parts, which are in write order."""
    branches = split_branches([part.rows for part in parts], restarts)
    return ScalarSeries(run=run, tag=tag, parts=parts, branches=branches)


def chosen_rows(
    columns: Sequence[NDArray[Any]], rows: NDArray[np.intp] | None, dtype: type[np.generic]
) -> NDArray[Any]:
    """One read-only column from the columns of the parts; a single part without a choice is not copied."""
    if rows is None and len(columns) == 1:
        return columns[0]
    joined = np.concatenate(columns) if columns else np.empty(0, dtype=dtype)
    # The core's arrays are read-only already; what we make ourselves must not be less safe.
    column = joined if rows is None else joined[rows]
    column.flags.writeable = False
    return column
