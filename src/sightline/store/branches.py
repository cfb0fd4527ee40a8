"""Which points of a series count: the restart and parallel-writer rule, as pure NumPy.

A run may have several event files. Two stories lie behind that, and they need opposite answers:

    restart            file A  0 ─────────── 1000 ✗ crash         A's points from 800 on are *superseded*:
                       file B               800 ────────── 2000    hidden by default, never dropped
    parallel writers   file A  0 ── 10 ── 20 ──────────── 2000    both are merged by step,
                       file B    5 ── 15 ── 25 ────────── 1995    nothing is superseded

What tells them apart is wall time: a file that ended before the other began was left behind by a restart;
files whose time ranges overlap were written side by side. A SessionLog START says "restarted here" outright.
Rows are numbered in *write order*: files by start time (ties by name), rows of a file as they lie in it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Start = tuple[int, float]
"""(step, wall_time) of a SessionLog START."""

Break = tuple[int, int, float]
"""(row, start_step, start_wall_time): a START that stands in the file just before ``row``."""

NO_LIMIT = np.iinfo(np.int64).max
"""Threshold of a part that nothing supersedes. A point at this very step could not be superseded either."""


@dataclass(frozen=True, slots=True)
class FileSpan:
    """When one file of the run was written, as far as the rule needs to know."""

    name: str
    first_wall_time: float
    last_wall_time: float
    starts: Sequence[Start] = ()

    @property
    def begin(self) -> float:
        """NaN while unknown: such a file is taken as a parallel writer, because nothing proves otherwise."""
        if math.isnan(self.first_wall_time) or math.isnan(self.last_wall_time):
            return math.nan
        return min(self.first_wall_time, self.last_wall_time)

    @property
    def end(self) -> float:
        """Not before any of the file's own STARTs, so that a clock set back cannot let a file hide itself."""
        if math.isnan(self.first_wall_time) or math.isnan(self.last_wall_time):
            return math.nan
        own = (time for _, time in self.starts if not math.isnan(time))
        return max(self.first_wall_time, self.last_wall_time, *own)


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of one series that lie in one file, in write order."""

    file: FileSpan
    step: NDArray[np.int64]
    hidden: NDArray[np.bool_] | None = None
    """Rows that a START later in the same file superseded; see hidden_by_breaks."""


@dataclass(frozen=True, slots=True)
class Branches:
    """Row numbers (write order) of the visible line and of what it superseded; together they are all rows."""

    visible: NDArray[np.intp]
    superseded: NDArray[np.intp]


def write_order(files: Sequence[FileSpan]) -> list[int]:
    """Positions of the files by start time, ties by name; files without a known time come last."""

    def key(position: int) -> tuple[bool, float, str]:
        begin = files[position].begin
        is_unknown = math.isnan(begin)
        return is_unknown, 0.0 if is_unknown else begin, files[position].name

    return sorted(range(len(files)), key=key)


def hidden_by_breaks(step: NDArray[np.int64], breaks: Iterable[Break]) -> NDArray[np.bool_] | None:
    """Rows superseded by a START further down in the same file; None when there are none."""
    restarts = [(row, start_step) for row, start_step, _ in breaks if row > 0]
    if not restarts:
        return None
    # A row is measured by the lowest START further down. A job that is restarted often has many STARTs and
    # many rows, so both are gone through once. Rows behind the last START have none: they are left out.
    rows, start_steps = np.array(restarts, dtype=np.int64).T
    limits = np.full(rows.max(), NO_LIMIT, dtype=np.int64)
    np.minimum.at(limits, rows - 1, start_steps)
    lowest_below = np.minimum.accumulate(limits[::-1])[::-1]
    hidden = np.zeros(len(step), dtype=np.bool_)
    np.greater_equal(step[: len(limits)], lowest_below, out=hidden[: len(limits)])
    return hidden if hidden.any() else None


class RestartTimes:
    """Every START of a run, ready to be asked "what is the lowest step restarted after this moment?".

    Built once per run and used for all its tags, because a START supersedes the points of earlier files
    even for tags that were never logged again.
    """

    def __init__(self, files: Iterable[FileSpan]) -> None:
        starts = [
            # A START without a usable time cannot be older than its own file.
            (start[1] if not math.isnan(start[1]) else file.begin, start[0])
            for file in files
            for start in file.starts
        ]
        self.is_empty = not starts
        self._lowest = _LowestAfter(starts)

    def lowest_step_after(self, wall_times: NDArray[np.float64]) -> NDArray[np.int64]:
        return self._lowest(wall_times)


class _LowestAfter:
    """Lowest of the given steps that belongs to a time strictly after the asked one. O(log n) each."""

    def __init__(self, timed_steps: Iterable[tuple[float, int]]) -> None:
        # NaN compares with nothing, so an unknown time never counts as "after".
        ordered = sorted((time, step) for time, step in timed_steps if not math.isnan(time))
        self._times = np.array([time for time, _ in ordered], dtype=np.float64)
        steps = np.array([step for _, step in ordered] + [NO_LIMIT], dtype=np.int64)
        self._lowest = np.minimum.accumulate(steps[::-1])[::-1]

    def __call__(self, wall_times: NDArray[np.float64]) -> NDArray[np.int64]:
        # searchsorted places NaN behind every number: an unknown end meets NO_LIMIT, as it should.
        return self._lowest[np.searchsorted(self._times, wall_times, side="right")]


def split_branches(parts: Sequence[Rows], restarts: RestartTimes) -> Branches | None:
    """Apply the rule to the parts of one series, which must be in write order.

    Returns None for the common case in which there is nothing to decide (one part, nothing superseded):
    the caller can then hand out the core's arrays as they are.
    """
    if len(parts) <= 1 and restarts.is_empty and all(part.hidden is None for part in parts):
        return None  # most series of most logs: worth not even asking
    hidden = _hidden_rows(parts, restarts)
    if len(parts) <= 1 and hidden is None:
        return None
    counts = [len(part.step) for part in parts]
    row = np.arange(sum(counts), dtype=np.intp)
    superseded = row[:0] if hidden is None else row[hidden]
    visible = row if hidden is None else row[~hidden]
    if len(parts) > 1 and visible.size:
        visible = _merged_by_step(parts, counts, visible, hidden)
    return Branches(visible=visible, superseded=superseded)


def _hidden_rows(parts: Sequence[Rows], restarts: RestartTimes) -> NDArray[np.bool_] | None:
    """Mask over the concatenated rows, or None when every row is visible."""
    filled = [part for part in parts if len(part.step)]
    ends = np.array([part.file.end for part in parts], dtype=np.float64)
    later_parts = _LowestAfter((part.file.begin, int(part.step[0])) for part in filled)
    limits = np.minimum(later_parts(ends), restarts.lowest_step_after(ends))
    masks: list[NDArray[np.bool_]] = []
    for part, limit in zip(parts, limits, strict=True):
        mask = part.step >= limit if limit != NO_LIMIT else np.zeros(len(part.step), dtype=np.bool_)
        if part.hidden is not None:
            mask = mask | part.hidden
        masks.append(mask)
    if not any(mask.any() for mask in masks):
        return None
    return np.concatenate(masks)


def _merged_by_step(
    parts: Sequence[Rows], counts: Sequence[int], visible: NDArray[np.intp], hidden: NDArray[np.bool_] | None
) -> NDArray[np.intp]:
    """Visible rows of all parts in one line: by step, ties in write order, each part's own order kept.

    The sort key is the highest step so far in the part. It never falls, so a stable sort cannot reorder a
    part, even one whose steps go back. What a restart left of a part ends below the next part's first step,
    so the same sort simply puts them one after the other.
    """
    keys = []
    begin = 0
    for part, count in zip(parts, counts, strict=True):
        step = part.step if hidden is None else part.step[~hidden[begin : begin + count]]
        keys.append(np.maximum.accumulate(step) if len(step) else step)
        begin += count
    key = np.concatenate(keys)
    if np.all(key[:-1] <= key[1:]):
        return visible
    return visible[np.argsort(key, kind="stable")]
