"""The last value of some metrics in every run: columns of the run table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sightline import _core
from sightline.store.runs import RunStore


class LastValues(NamedTuple):
    """One tag: element i of each column is about the same run."""

    tag: str
    runs: list[str]
    """By the time they began, then by name."""
    step: NDArray[np.int64]
    value: NDArray[np.float64]
    """Whatever was written, also what is not finite."""


def last_values(store: RunStore, tags: Sequence[str]) -> list[LastValues]:
    """For each tag, in their order, the runs that have it and their last visible point.

    ``store`` is ``log.store``. Runs in several files, or with restarts, are decided one by one; all others
    are answered by the core in one go.
    """
    names = store.names()
    return [_last_of(store, names, tag) for tag in tags]


def _last_of(store: RunStore, names: list[str], tag: str) -> LastValues:
    states, steps, values = store.index.last_scalars(names, tag)
    has_value = states == _core.SCALARS_PLAIN
    for position in np.flatnonzero(states == _core.SCALARS_BRANCHING).tolist():
        run = store.get(names[position])
        series = None if run is None else run.read_scalars(tag)
        if series is not None and len(series):
            steps[position], values[position] = series.step[-1], series.value[-1]
            has_value[position] = True
    chosen = np.flatnonzero(has_value)
    runs = [names[position] for position in chosen.tolist()]
    return LastValues(tag, runs, steps[chosen], values[chosen])
