"""Values that are no numbers, as pages ask for them: by run, tag, index and step.

Pages want steps that never fall. A file may hold step 5 behind step 9, so series are put in order of steps
here, and an index is a position in that order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from sightline.model.errors import DataError, UnknownNameError
from sightline.model.kinds import Kind
from sightline.store.media import MediaSeries
from sightline.store.runs import RunStore


@dataclass(frozen=True)
class FoundItem:
    """One value, decoded, and a word that is another one when the value is."""

    item: Any
    """The item of the kind that was asked for (``formats.items``)."""
    identity: str
    """Of the bytes in the file: the same word means the same value, for as long as the log is open."""


def find_series(store: RunStore, run: str, kind: Kind, tag: str) -> MediaSeries[Any] | None:
    """In order of steps. None when there is no such run, or no such tag of this kind in it."""
    found = store.get(run)
    series = None if found is None else found.media(kind).get(tag)
    return None if series is None else series.by_step()


def find_item(store: RunStore, run: str, kind: Kind, tag: str, *, index: int, step: int) -> FoundItem:
    """The value at an index, if it has the step; the last one of the step otherwise.

    Raises UnknownNameError when there is none, DataError when it cannot be read.
    """
    series = find_series(store, run, kind, tag)
    if series is None:
        raise UnknownNameError(f"{kind} tag", tag)
    position = position_of(series, index=index, step=step)
    return FoundItem(series[position], series.identity(position))


def position_of(series: MediaSeries[Any], *, index: int, step: int) -> int:
    """Where the value lies in the series now. Raises UnknownNameError when no value has the step."""
    steps = series.step
    # A browser has doubles only: of a step beyond 2**53 it gives back the nearest one.
    if index < len(steps) and float(steps[index]) == float(step):
        return index
    positions = np.flatnonzero(steps.astype(np.float64) == float(step))
    if not positions.size:
        raise UnknownNameError(f"step of {series.kind} {series.tag!r}", str(step))
    return int(positions[-1])


def sample_count(series: MediaSeries[Any]) -> int:
    """Pictures or sounds at one step: the greater of the first and the last value, which is enough for nearly
    every log and does not read them all. 0 when neither can be read."""
    counts = []
    for position in dict.fromkeys((0, len(series) - 1)) if len(series) else ():
        try:
            item = series[position]
        except DataError:
            continue
        counts.append(len(item.samples) if hasattr(item, "samples") else 1)
    return max(counts, default=0)
