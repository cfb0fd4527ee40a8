"""Precision-recall curves: counts at thresholds from 0 to 1, in equal steps.

A prediction p belongs to the bucket floor(p · (n − 1)) of n; everything in a bucket at or above a threshold
counts as predicted positive there. So one pass of counting and a sum from the right give all thresholds at
once. The result is the one torch computes, to the last bit, but n may be any number: torch stops at 127,
because it once had to.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sightline.formats.messages import Value
from sightline.formats.plugin_messages import PrCurvePluginData
from sightline.formats.tensors import tensor_from_array
from sightline.model.errors import BadArgumentError
from sightline.writer.engine.arguments import checked_count, checked_tag, real_array
from sightline.writer.engine.arrays import array_from
from sightline.writer.engine.base import WriterBase, plugin_value

# Below this a denominator counts as this; TensorBoard and torch have the same floor.
_SMALLEST_COUNT = 1e-7
# Rounding may bring a probability this far out of 0 … 1.
_SLACK = 1e-4
# Six rows of this many are 24 MB; nobody can see more thresholds than pixels.
MAX_THRESHOLDS = 1_000_000
# Predictions counted at once: bounds the memory, and is NumPy's own block, so that sums round alike.
_BLOCK = 65_536


class CurveMethods(WriterBase):
    def add_pr_curve(
        self,
        tag: str,
        labels: Any,
        predictions: Any,
        global_step: int | None = None,
        num_thresholds: int = 127,
        weights: Any = None,
        walltime: float | None = None,
    ) -> None:
        """Adds the precision-recall curve of a binary classifier.

        `labels` are 0 or 1 (or bool), `predictions` probabilities of 1, one for each label.
        `num_thresholds` is any number from 2 on. `weights` is one number, or one for each label.
        Predictions that are not a number are left out and reported.
        """
        tag = checked_tag(tag)
        count = checked_count(num_thresholds, "num_thresholds", 2, MAX_THRESHOLDS)
        arrays = _checked_arrays(labels, predictions, weights)
        nan_count = int(np.count_nonzero(np.isnan(arrays[1])))
        if nan_count:
            self._warn_once(tag, "%r: %d predictions are not a number; they are left out", nan_count)
        size_bytes = sum(array.nbytes for array in arrays if array is not None)
        self._defer(lambda: [curve_value(tag, curve_rows(*arrays, count))], global_step, walltime, size_bytes)

    def add_pr_curve_raw(
        self,
        tag: str,
        true_positive_counts: Any,
        false_positive_counts: Any,
        true_negative_counts: Any,
        false_negative_counts: Any,
        precision: Any,
        recall: Any,
        global_step: int | None = None,
        num_thresholds: int = 127,
        weights: Any = None,
        walltime: float | None = None,
    ) -> None:
        """Adds a precision-recall curve that was computed elsewhere: six vectors of one number per threshold.

        The length of the vectors is the number of thresholds; `num_thresholds` and `weights` are accepted
        for older scripts.
        """
        del num_thresholds, weights
        vectors = {
            "true_positive_counts": true_positive_counts,
            "false_positive_counts": false_positive_counts,
            "true_negative_counts": true_negative_counts,
            "false_negative_counts": false_negative_counts,
            "precision": precision,
            "recall": recall,
        }
        rows = [_vector(name, vector) for name, vector in vectors.items()]
        sizes = {len(row) for row in rows}
        if len(sizes) > 1:
            stated = ", ".join(f"{name} {len(row)}" for name, row in zip(vectors, rows, strict=True))
            raise BadArgumentError(f"The six vectors of a curve need the same length, not {stated}")
        value = curve_value(checked_tag(tag), np.stack(rows))
        self._write([value], global_step, walltime)


def curve_value(tag: str, rows: NDArray[Any]) -> Value:
    """The value of six rows: true and false positives, true and false negatives, precision, recall."""
    content = PrCurvePluginData(num_thresholds=rows.shape[1]).encode()
    with np.errstate(over="ignore"):  # a double beyond float32 becomes infinite, as everywhere else
        tensor = tensor_from_array(rows.astype(np.float32))
    return plugin_value(tag, "pr_curves", tensor=tensor, content=content)


def curve_rows(
    labels: NDArray[Any], predictions: NDArray[Any], weights: NDArray[Any] | None, count: int
) -> NDArray[np.float64]:
    """The six rows for flat arrays. Weights: None, one, or one for each label."""
    positives = np.zeros(count)
    negatives = np.zeros(count)
    for start in range(0, len(labels), _BLOCK):
        block = slice(start, start + _BLOCK)
        buckets = _buckets(predictions[block], count)
        is_counted = buckets >= 0
        label = labels[block][is_counted].astype(np.float64)
        weight: Any = (
            1.0 if weights is None else weights[0] if len(weights) == 1 else weights[block][is_counted]
        )
        buckets = buckets[is_counted]
        positives += np.bincount(buckets, label * weight, count)
        negatives += np.bincount(buckets, (1.0 - label) * weight, count)
    true_positives = np.cumsum(positives[::-1])[::-1]
    false_positives = np.cumsum(negatives[::-1])[::-1]
    true_negatives = false_positives[0] - false_positives
    false_negatives = true_positives[0] - true_positives
    precision = true_positives / np.maximum(_SMALLEST_COUNT, true_positives + false_positives)
    recall = true_positives / np.maximum(_SMALLEST_COUNT, true_positives + false_negatives)
    return np.stack((true_positives, false_positives, true_negatives, false_negatives, precision, recall))


def _buckets(predictions: NDArray[Any], count: int) -> NDArray[np.int64]:
    """The bucket of each prediction; −1 for those that are not a number."""
    # In the array's own precision, as torch does: 0.1 as float32 may lie on the other side of an edge than
    # 0.1 as float64.
    scaled = np.floor(predictions * (count - 1))
    buckets: NDArray[np.int64] = np.clip(np.nan_to_num(scaled, nan=0.0), 0, count - 1).astype(np.int64)
    buckets[np.isnan(predictions)] = -1
    return buckets


def _checked_arrays(
    labels: Any, predictions: Any, weights: Any
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any] | None]:
    """Copies of what a curve is computed from, flat."""
    probabilities, truths = _predictions(predictions), _labels(labels)
    if truths.size != probabilities.size:
        raise BadArgumentError(
            f"A curve needs one prediction for each label, not {probabilities.size} for {truths.size}"
        )
    if not truths.size:
        raise BadArgumentError("A curve needs at least one label and prediction; they are empty")
    factors = None if weights is None else array_from(weights, is_copy=True).reshape(-1)
    if factors is not None and factors.size not in (1, truths.size):
        raise BadArgumentError(
            f"Weights are one number or one for each of the {truths.size} labels, not {factors.size}"
        )
    return truths, probabilities, factors


def _labels(labels: Any) -> NDArray[Any]:
    array = real_array(labels, "labels")
    if array.size and not (array.min() >= 0 and array.max() <= 1):  # a NaN is neither
        raise BadArgumentError(f"Labels are 0 or 1, not {array.min()} … {array.max()}")
    # A copy of its own, in a byte each where that is enough; torch takes fractions too.
    return array.astype(array.dtype if array.dtype.kind == "f" else np.uint8).reshape(-1)


def _predictions(predictions: Any) -> NDArray[Any]:
    array = real_array(predictions, "predictions", is_copy=True).reshape(-1)
    if array.dtype.itemsize < 4 or array.dtype.kind != "f":
        array = array.astype(
            np.float32 if array.dtype.kind == "f" else np.float64
        )  # half is too coarse to multiply
    if not array.size:
        return array
    lowest, highest = float(array.min()), float(array.max())
    if np.isnan(lowest):
        lowest, highest = float(np.fmin.reduce(array)), float(np.fmax.reduce(array))
    if lowest < -_SLACK or highest > 1 + _SLACK:
        raise BadArgumentError(
            f"Predictions are probabilities from 0 to 1, not {lowest:g} … {highest:g}. "
            f"Apply a sigmoid or softmax to logits"
        )
    return array


def _vector(name: str, values: Any) -> NDArray[Any]:
    array = real_array(values, name)
    if array.ndim != 1 or not array.size:
        raise BadArgumentError(f"{name} is a vector of one number per threshold, not of shape {array.shape}")
    return array
