"""What histograms and precision-recall curves have in common: every visible value of a tag in a run, decoded
by the core, as columns laid end to end. Nothing is sampled, unless somebody asks for a choice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sightline.model.errors import BadArgumentError
from sightline.model.kinds import Kind
from sightline.query.media_items import find_series
from sightline.store.media import MediaSeries
from sightline.store.runs import RunStore

MAX_NUMBERS = 1 << 24
"""Of one question: 128 MB of doubles."""


@dataclass(frozen=True, slots=True)
class ValueChoice:
    """Which values of a series are wanted, by its steps, which never fall."""

    most: int | None = None
    """So many, evenly spaced by their places, with the first and the last. None: all."""
    at_steps: tuple[int, ...] | None = None
    """The last value at or before each of these steps; where there is none, the first. ``most`` then does not
    count."""

    def of(self, series: MediaSeries[Any]) -> MediaSeries[Any]:
        count = len(series)
        if count == 0:
            return series
        if self.at_steps is not None:
            wanted = np.array(self.at_steps, np.int64)
            places = np.maximum(np.searchsorted(series.step, wanted, side="right") - 1, 0)
            return series.chosen(np.unique(places))
        if self.most is None or count <= self.most:
            return series
        return series.chosen(np.unique(np.rint(np.linspace(0, count - 1, self.most)).astype(np.intp)))


EVERY_VALUE = ValueChoice()


@dataclass(frozen=True, slots=True, kw_only=True)
class DecodedSeries:
    """Values of one tag in one run, in order of their steps. One element for each value, unless it says
    otherwise."""

    step: NDArray[np.int64]
    wall_time: NDArray[np.float64]
    superseded_count: int
    """Values that a restarted job wrote again; they are not here."""
    size: NDArray[np.uint32]
    """How many elements of the columns of numbers are the value's."""
    state: NDArray[np.uint8]
    """0: good. 1: damaged. 2: its file is gone or was replaced since. Those have a size of 0."""
    number_count: int
    """In all columns of numbers together."""


def decoded_fields(
    store: RunStore,
    runs: Sequence[str],
    kind: Kind,
    tag: str,
    *,
    choice: ValueChoice = EVERY_VALUE,
    most_numbers: int,
) -> Iterator[tuple[str, dict[str, Any]]]:
    """(name of the run, fields of a DecodedSeries with the kind's own columns) for each run that has the tag.

    Raises BadArgumentError when they hold more numbers than that together.
    """
    left = most_numbers
    for run in runs:
        series: MediaSeries[Any] | None = find_series(store, run, kind, tag)
        if series is None:
            continue
        superseded_count = series.superseded_count
        series = choice.of(series)
        columns = series.decoded(left)
        if columns is None:
            raise BadArgumentError(
                f"There are more than {most_numbers:,} numbers in {kind} {tag!r}: ask for less at once"
            )
        number_count = sum(len(column) for name, column in columns.items() if name not in ("size", "state"))
        left -= number_count
        facts = {
            "step": series.step,
            "wall_time": series.wall_time,
            "superseded_count": superseded_count,
            "number_count": number_count,
        }
        yield run, {**facts, **columns}
