"""Groups of runs as one line each: mean or median of their members, a band around it, and how many members
there are at each place.

The grid, the members' values on it and what is made of them are the core's, from full series and without the
GIL; core/include/sightline/aggregate.hpp says what they are. As in ``windows``, most series lie in one file
and never pass through Python; those of restarted runs have their rows chosen by ``store.branches`` first, and
computed lines come from ``lines``.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from sightline import _core
from sightline.model.choices import Band, Center
from sightline.model.errors import BadArgumentError
from sightline.query.line_notes import LineNote, quoted
from sightline.query.lines import LineReader, LineSource
from sightline.store.run import Run, index_of

Floats = NDArray[np.float64]

MAX_COMPUTED_POINTS = 32_000_000
"""Of all lines that are computed for one question: they are held together, in 512 MB."""

_PLACES_AT_ONCE = 1_000_000
"""Groups are asked for in portions of about so many places of their grids."""


@dataclass(frozen=True, slots=True)
class AggregateSpec:
    """How groups are put together. Raises BadArgumentError for what makes no sense."""

    center: Center = "mean"
    band: Band = "std"
    """std: one standard deviation (n - 1) to each side; sem: of the mean; minmax: of the members' own points;
    quartiles: 25 % to 75 %; ci: 95 % of the centre by bootstrap over members, always the same for the same
    numbers."""
    x_range: tuple[float, float] | None = None
    """In units of x; None: everything."""
    is_log_x: bool = False
    """Cells are equally wide in the logarithm of x."""
    buckets: int = 512
    """Most places of the grid. Where the members have no more different x than this, the grid is those; else
    so many cells of equal width."""
    has_neighbours: bool = False
    """Also the nearest x of any member on each side of the range: for a line that leaves the chart."""

    def __post_init__(self) -> None:
        if self.x_range is not None and not all(map(math.isfinite, self.x_range)):
            raise BadArgumentError(f"x_range is two finite numbers, not {self.x_range}")
        if self.buckets < 1:
            raise BadArgumentError(f"buckets is 1 or more, not {self.buckets}")


@dataclass(frozen=True, slots=True)
class GroupAggregate:
    """The line of one group, at the places of its grid at which any member has a value."""

    runs: int
    """Members that have a value somewhere in the range."""
    is_exact: bool
    """The grid holds every x of every member."""
    y_range: tuple[float, float] | None
    """Least and greatest finite number of centre and band in the range; None without any."""
    x: Floats
    center: Floats
    low: Floats | None
    """None without a band; NaN where there is one member."""
    high: Floats | None
    members: NDArray[np.uint32]
    """How many runs the centre is made from."""
    breaks: NDArray[np.uint32]
    """Places before which the line ends, because no member goes on from the place before."""


class GroupReader:
    """The lines of groups of runs of one log, in their order, and what there is to say about them. A group
    without any point has a line without places."""

    def __init__(
        self,
        groups: Sequence[Sequence[Run]],
        source: LineSource,
        spec: AggregateSpec,
        *,
        baseline_run: Run | None = None,
    ) -> None:
        """Reads what the lines are made of. Raises BadArgumentError when computed lines have more than
        MAX_COMPUTED_POINTS points."""
        self._source = source
        self._spec = spec
        self._notes: list[LineNote] = []
        runs = list({run.name: run for group in groups for run in group}.values())
        positions: dict[str, int] = {}
        if not runs:
            self._batch = _core.ScalarBatch("step")
        elif source.is_plain:
            self._batch, positions = _plain_batch(runs, source)
        else:
            self._batch, positions = self._computed_batch(runs, baseline_run)
        # A run that is named twice counts once.
        self._groups = [
            list(dict.fromkeys(positions[run.name] for run in group if run.name in positions))
            for group in groups
        ]
        self._note_empty_groups()

    def lines(self) -> Iterator[GroupAggregate]:
        portion = max(1, _PLACES_AT_ONCE // self._spec.buckets)
        for begin in range(0, len(self._groups), portion):
            yield from self._aggregated(self._groups[begin : begin + portion])

    def notes(self) -> list[LineNote]:
        return self._notes

    def _aggregated(self, groups: Sequence[Sequence[int]]) -> Iterator[GroupAggregate]:
        spec = self._spec
        # Computed lines are smoothed before they come here.
        kind, amount = (self._source.is_plain and self._source.smoothing) or ("none", 0.0)
        answer = self._batch.aggregate(
            np.array([member for group in groups for member in group], np.uint32),
            np.cumsum([0, *map(len, groups)], dtype=np.uint64),
            x_range=spec.x_range,
            is_log_x=spec.is_log_x,
            buckets=spec.buckets,
            smoothing=kind,
            amount=amount,
            center=spec.center,
            band=spec.band,
            has_neighbours=spec.has_neighbours,
        )
        low, high = answer["low"], answer["high"]
        offsets = answer["offsets"].tolist()
        break_offsets = answer["break_offsets"].tolist()
        for i, (begin, end) in enumerate(pairwise(offsets)):
            y_low, y_high = float(answer["y_low"][i]), float(answer["y_high"][i])
            yield GroupAggregate(
                runs=int(answer["runs"][i]),
                is_exact=bool(answer["is_exact"][i]),
                y_range=None if math.isnan(y_low) else (y_low, y_high),
                x=answer["x"][begin:end],
                center=answer["center"][begin:end],
                low=None if low is None else low[begin:end],
                high=None if high is None else high[begin:end],
                members=answer["members"][begin:end],
                breaks=answer["breaks"][break_offsets[i] : break_offsets[i + 1]],
            )

    def _computed_batch(
        self, runs: Sequence[Run], baseline_run: Run | None
    ) -> tuple[_core.ScalarBatch, dict[str, int]]:
        reader = LineReader(runs, self._source, baseline_run=baseline_run)
        batch = _core.ScalarBatch("given")
        positions: dict[str, int] = {}
        points = 0
        for line in reader.lines():
            points += len(line.step)
            if points > MAX_COMPUTED_POINTS:
                raise BadArgumentError(
                    f"The lines of these groups have more than {MAX_COMPUTED_POINTS:,} points to compute: "
                    "choose fewer runs"
                )
            x = np.ascontiguousarray(line.along(self._source.x), np.float64)
            value = np.ascontiguousarray(line.smoothed(self._source.smoothing), np.float64)
            # Neither step nor wall time is looked at where x is given and nothing is smoothed any more.
            positions[line.run] = len(batch)
            batch.add(x.view(np.int64), x, value, x=x)
        self._notes += reader.notes()
        return batch, positions

    def _note_empty_groups(self) -> None:
        if any(note.is_error for note in self._notes):
            return  # that says it already
        empty = sum(not group for group in self._groups)
        if empty:
            what = f"No run with {quoted(self._source.tag)}" if self._source.is_plain else "No line"
            count = len(self._groups)
            where = "the group" if count == 1 else f"{empty:,} of {count:,} groups"
            self._notes.append(LineNote(None, empty == count, f"{what} in {where}"))


def _plain_batch(runs: Sequence[Run], source: LineSource) -> tuple[_core.ScalarBatch, dict[str, int]]:
    """Series of a tag over step or time, and where in the batch each run's is."""
    batch = _core.ScalarBatch(source.x)
    names = [run.name for run in runs]
    states = batch.add_runs(index_of(runs[0]), names, source.tag)
    plain = np.flatnonzero(states == _core.SCALARS_PLAIN).tolist()
    positions = {names[place]: position for position, place in enumerate(plain)}
    for place in np.flatnonzero(states == _core.SCALARS_BRANCHING).tolist():
        visible = runs[place].read_scalars(source.tag)
        if visible is not None and len(visible):  # else it is gone since
            positions[names[place]] = len(batch)
            batch.add(visible.step, visible.wall_time, visible.value)
    return batch, positions
