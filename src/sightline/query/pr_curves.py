"""Precision-recall curves of a tag in some runs: every value as its thresholds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sightline.model.kinds import Kind
from sightline.query.decoded_series import MAX_NUMBERS, DecodedSeries, decoded_fields
from sightline.store.runs import RunStore


@dataclass(frozen=True, slots=True, kw_only=True)
class PrCurveSeries(DecodedSeries):
    """Thresholds of all values: element j of n in a value belongs to threshold j / (n - 1)."""

    true_positives: NDArray[np.float64]
    false_positives: NDArray[np.float64]
    true_negatives: NDArray[np.float64]
    false_negatives: NDArray[np.float64]
    precision: NDArray[np.float64]
    recall: NDArray[np.float64]


def pr_curves_of(
    store: RunStore, runs: Sequence[str], tag: str, *, most_numbers: int = MAX_NUMBERS
) -> Iterator[tuple[str, PrCurveSeries]]:
    """By run; those without the tag are left out. Raises BadArgumentError when it is too much."""
    for run, fields in decoded_fields(store, runs, Kind.pr_curve, tag, most_numbers=most_numbers):
        yield run, PrCurveSeries(**fields)
