"""Histograms of a tag in some runs: every value as its buckets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sightline.model.kinds import Kind
from sightline.query.decoded_series import MAX_NUMBERS, DecodedSeries, decoded_fields
from sightline.store.runs import RunStore


@dataclass(frozen=True, slots=True, kw_only=True)
class HistogramSeries(DecodedSeries):
    """Buckets of all values: ``counts[i]`` lie between ``left[i]`` and ``right[i]``. Widths of zero occur."""

    left: NDArray[np.float64]
    right: NDArray[np.float64]
    counts: NDArray[np.float64]


def histograms_of(
    store: RunStore, runs: Sequence[str], tag: str, *, most_numbers: int = MAX_NUMBERS
) -> Iterator[tuple[str, HistogramSeries]]:
    """By run; those without the tag are left out. Raises BadArgumentError when it is too much."""
    for run, fields in decoded_fields(store, runs, Kind.histogram, tag, most_numbers=most_numbers):
        yield run, HistogramSeries(**fields)
