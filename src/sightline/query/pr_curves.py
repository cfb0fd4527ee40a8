"""Logged precision-recall curves of a tag in a run, and what is computed from the counts of each: average
precision, the areas below it and below the ROC curve, and the best F1 score.

A logger counts at thresholds of its own choice, so all of it is about scores that were rounded down to the
next threshold. Each curve goes on to both ends: above all scores nothing is predicted (recall 0, precision
1), below all of them everything is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sightline.model.kinds import Kind
from sightline.query.decoded_series import (
    EVERY_VALUE,
    MAX_NUMBERS,
    DecodedSeries,
    ValueChoice,
    decoded_fields,
)
from sightline.store.runs import RunStore

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class PrCurveSeries(DecodedSeries):
    """Thresholds of all values: element j of n in a value belongs to threshold j / (n - 1)."""

    true_positives: Floats
    false_positives: Floats
    true_negatives: Floats
    false_negatives: Floats
    precision: Floats
    recall: Floats


@dataclass(frozen=True, slots=True)
class PrCurveStatistics:
    """Of each curve. NaN where there is nothing to compute it from: without positives only ``positives`` and
    ``negatives`` are known, without negatives there is no ROC curve."""

    step: NDArray[np.int64]
    wall_time: Floats
    superseded_count: int
    state: NDArray[np.uint8]
    """As in DecodedSeries."""
    positives: Floats
    negatives: Floats
    average_precision: Floats
    pr_area: Floats
    """Below the curve as it is drawn, with straight lines between its points."""
    roc_area: Floats
    best_f1: Floats
    best_threshold: Floats
    """Of the best F1; the lowest of several."""


def pr_curves_of(
    store: RunStore,
    runs: Sequence[str],
    tag: str,
    *,
    choice: ValueChoice = EVERY_VALUE,
    most_numbers: int = MAX_NUMBERS,
) -> Iterator[tuple[str, PrCurveSeries]]:
    """By run; those without the tag are left out. Raises BadArgumentError when it is too much."""
    found = decoded_fields(store, runs, Kind.pr_curve, tag, choice=choice, most_numbers=most_numbers)
    for run, fields in found:
        yield run, PrCurveSeries(**fields)


def statistics_of(series: PrCurveSeries) -> PrCurveStatistics:
    curves = _Curves(series)
    positives, negatives = curves.of_lowest(curves.positives), curves.of_lowest(curves.negatives)
    best_f1, best_threshold = curves.best_f1()
    return PrCurveStatistics(
        series.step,
        series.wall_time,
        series.superseded_count,
        series.state,
        positives,
        negatives,
        curves.average_precision(),
        curves.pr_area(),
        curves.roc_area(),
        best_f1,
        best_threshold,
    )


class _Curves:
    """All curves of a series at once: there may be a million of them, with a threshold each."""

    def __init__(self, series: PrCurveSeries) -> None:
        counts = (
            *(series.true_positives, series.false_positives),
            *(series.true_negatives, series.false_negatives),
        )
        with np.errstate(invalid="ignore"):
            is_count = np.logical_and.reduce(
                [(counts_of >= 0) & (counts_of < np.inf) for counts_of in counts]
            )
        # One number that is no count makes a curve's own numbers NaN, and no other's.
        tp, fp, tn, fn = (np.where(is_count, counts_of, np.nan) for counts_of in counts)
        self._size = series.size.astype(np.int64)
        self._is_filled = self._size > 0
        ends = np.cumsum(self._size)[self._is_filled]
        self._last = ends - 1
        self._first = ends - self._size[self._is_filled]
        self._tp, self._fp, self._fn = tp, fp, fn
        self.positives, self.negatives = tp + fn, fp + tn
        self._recall = _share(tp, self.positives, np.nan)
        self._precision = _share(tp, tp + fp, 1.0)
        self._false_rate = _share(fp, self.negatives, np.nan)

    def of_lowest(self, numbers: Floats) -> Floats:
        """Those at the lowest threshold of each."""
        return self._spread(numbers[self._first])

    def average_precision(self) -> Floats:
        """Each gain of recall, times the precision that it is had at."""
        everywhere = _share(self.positives, self.positives + self.negatives, np.nan)[self._first]
        steps = self._recall - self._next(self._recall, 0.0)
        below = (1 - self._recall[self._first]) * everywhere
        return self._sums(steps * self._precision, below)

    def pr_area(self) -> Floats:
        everywhere = _share(self.positives, self.positives + self.negatives, np.nan)[self._first]
        steps = self._recall - self._next(self._recall, 0.0)
        heights = (self._precision + self._next(self._precision, 1.0)) / 2
        below = (1 - self._recall[self._first]) * (everywhere + self._precision[self._first]) / 2
        return self._sums(steps * heights, below)

    def roc_area(self) -> Floats:
        steps = self._false_rate - self._next(self._false_rate, 0.0)
        heights = (self._recall + self._next(self._recall, 0.0)) / 2
        below = (1 - self._false_rate[self._first]) * (1 + self._recall[self._first]) / 2
        return self._sums(steps * heights, below)

    def best_f1(self) -> tuple[Floats, Floats]:
        """(the scores, their thresholds)"""
        scores = _share(2 * self._tp, 2 * self._tp + self._fp + self._fn, np.nan)
        scores[~(self.positives > 0)] = np.nan
        if len(self._first) == 0:
            return self._spread(scores), self._spread(scores)
        best = np.maximum.reduceat(scores, self._first)
        sizes = self._size[self._is_filled]
        is_best = scores == np.repeat(best, sizes)
        place = np.where(is_best, np.arange(len(scores)), len(scores))
        offset = np.minimum.reduceat(place, self._first) - self._first
        threshold = offset / np.maximum(sizes - 1, 1)
        return self._spread(best), self._spread(np.where(np.isnan(best), np.nan, threshold))

    def _next(self, numbers: Floats, above_all: float) -> Floats:
        """At the threshold above each one."""
        following = np.empty_like(numbers)
        following[:-1] = numbers[1:]
        following[self._last] = above_all
        return following

    def _sums(self, parts: Floats, below: Floats) -> Floats:
        """Of each curve; ``below``: the part below its lowest threshold."""
        return self._spread(np.add.reduceat(parts, self._first) + below if len(below) else below)

    def _spread(self, of_filled: Floats) -> Floats:
        """NaN for values without thresholds, which could not be read."""
        spread = np.full(len(self._size), np.nan)
        spread[self._is_filled] = of_filled
        return spread


def _share(part: Floats, whole: Floats, without: float) -> Floats:
    """``without``: where there is no whole."""
    share: Floats = np.full(len(part), without)
    np.divide(part, whole, out=share, where=whole != 0)
    return share
