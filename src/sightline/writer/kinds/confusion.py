"""Confusion matrices: how often class i (the row) was taken for class j (the column).

From classes: each becomes the position of its label, and one pass counts the pairs. Whole numbers in a small
range, which is nearly every data set, are looked up in a table, so ten million of them are quick.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sightline.formats.tables import MAX_CLASSES, ConfusionMatrix
from sightline.model.errors import BadArgumentError
from sightline.writer.engine.arguments import text_from
from sightline.writer.engine.arrays import array_from

# Classes within a range of this many are found in a table instead of by searching.
_SMALL_RANGE = 1 << 16
# Beyond this a double does not have every whole number.
_LARGEST_CLASS = 1 << 53


def matrix_from_counts(matrix: Any, labels: Sequence[Any] | None) -> ConfusionMatrix:
    """A matrix that was counted elsewhere. Rows are the true classes."""
    counts = array_from(matrix, is_copy=True)
    if counts.ndim != 2 or counts.shape[0] != counts.shape[1]:
        raise BadArgumentError(f"A confusion matrix is square, not of shape {list(counts.shape)}")
    if counts.dtype.kind not in "fiub" or not np.isfinite(counts).all() or (counts < 0).any():
        raise BadArgumentError("The counts of a confusion matrix are finite numbers from 0 on")
    if counts.dtype.kind == "b":
        counts = counts.astype(np.int64)
    _check_class_count(len(counts))
    names = tuple(map(str, range(len(counts)))) if labels is None else _label_texts(labels)
    if len(names) != len(counts):
        raise BadArgumentError(f"A confusion matrix of {len(counts)} classes has {len(names)} labels")
    return ConfusionMatrix(names, counts)


def matrix_from_classes(y_true: Any, y_pred: Any, labels: Sequence[Any] | None) -> ConfusionMatrix:
    """The counts of true and predicted classes: whole numbers, bools, or texts.

    `labels` are all the classes, in order; or, when the classes are numbers from 0 on, their names. Without
    labels the classes are those that occur, in ascending order.
    """
    true, predicted = _classes(y_true, "y_true"), _classes(y_pred, "y_pred")
    if true.size != predicted.size:
        raise BadArgumentError(
            f"y_pred needs one class for each of y_true, not {predicted.size} for {true.size}"
        )
    if not true.size and labels is None:
        raise BadArgumentError("y_true and y_pred are empty; without labels there is no class")
    if true.size and (true.dtype.kind == "U") != (predicted.dtype.kind == "U"):
        raise BadArgumentError("y_true and y_pred are both numbers or both texts")
    names, rows, columns = _positions(true, predicted, labels)
    count = len(names)
    counts = np.bincount(rows * count + columns, minlength=count * count).reshape(count, count)
    return ConfusionMatrix(names, counts.astype(np.int64))


def _classes(values: Any, name: str) -> NDArray[Any]:
    if isinstance(values, np.ndarray) and values.dtype.kind == "O":
        values = values.tolist()
    array = array_from(values)
    if array.ndim == 2 and array.shape[1] > 1:
        raise BadArgumentError(
            f"{name} is a list of classes, not of shape {list(array.shape)}. Take the argmax of scores"
        )
    array = array.reshape(-1)
    if array.dtype.kind == "S":
        array = np.array([text_from(item) for item in array.tolist()])
    if array.dtype.kind == "f" and not (np.abs(array) <= _LARGEST_CLASS).all():
        raise BadArgumentError(f"{name} has numbers that are no classes: not whole, or too large")
    if array.dtype.kind in "fu":
        whole = array.astype(np.int64)
        if not np.array_equal(whole, array) or (array.dtype.kind == "u" and (whole < 0).any()):
            raise BadArgumentError(f"{name} has numbers that are no classes: not whole, or too large")
        array = whole
    if array.dtype.kind not in "biuU":
        raise BadArgumentError(f"{name} is a list of whole numbers, bools or texts, not {array.dtype}")
    return array


def _positions(
    true: NDArray[Any], predicted: NDArray[Any], labels: Sequence[Any] | None
) -> tuple[tuple[str, ...], NDArray[np.int64], NDArray[np.int64]]:
    """The labels, and where among them each class is."""
    if labels is None:
        known = np.unique(np.concatenate((np.unique(true), np.unique(predicted))))
        names = tuple(text_from(item) for item in known.tolist())
    else:
        names = _label_texts(labels)
        is_named_by_position = all(isinstance(label, str) for label in labels) and true.dtype.kind in "biu"
        known = (
            np.arange(len(names)) if is_named_by_position or not names else _classes(list(labels), "labels")
        )
    _check_class_count(len(known))
    if len(np.unique(known)) != len(known):
        raise BadArgumentError("Labels of a confusion matrix must differ from each other")
    return names, _places(true, known, "y_true"), _places(predicted, known, "y_pred")


def _places(classes: NDArray[Any], known: NDArray[Any], name: str) -> NDArray[np.int64]:
    """The position of each class among the known ones."""
    if not classes.size:
        return np.zeros(0, dtype=np.int64)
    if not len(known):
        raise BadArgumentError(f"{name} has classes, and there are no labels for them")
    order = np.argsort(known, kind="stable")
    ordered = known[order]
    if classes.dtype.kind != "U" and int(ordered[-1]) - int(ordered[0]) < _SMALL_RANGE:
        # A place for each number in the range, and one on either side for all that lies outside.
        limits = np.iinfo(np.int64)
        lowest, highest = max(int(ordered[0]) - 1, limits.min), min(int(ordered[-1]) + 1, limits.max)
        table = np.full(highest - lowest + 1, -1, dtype=np.int64)
        table[ordered.astype(np.int64) - lowest] = np.arange(len(ordered))
        found = table[np.clip(classes.astype(np.int64, copy=False), lowest, highest) - lowest]
    else:
        found = np.minimum(np.searchsorted(ordered, classes), len(ordered) - 1)
        found[ordered[found] != classes] = -1
    if found.min() < 0:
        unknown = found < 0
        example = classes[unknown][0].item()
        raise BadArgumentError(
            f"{name} has {int(unknown.sum())} classes that are no labels, such as {example!r}"
        )
    places: NDArray[np.int64] = order[found]
    return places


def _label_texts(labels: Any) -> tuple[str, ...]:
    if isinstance(labels, (str, bytes)):
        raise BadArgumentError(f"labels is a list of classes, not {labels!r}")
    return tuple(text_from(label) for label in labels)


def _check_class_count(count: int) -> None:
    if count > MAX_CLASSES:
        raise BadArgumentError(f"A confusion matrix has at most {MAX_CLASSES:,} classes, not {count:,}")
