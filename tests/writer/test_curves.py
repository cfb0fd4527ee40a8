"""Precision-recall curves against a plain count of every threshold, and against tensorboardX."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorboardX
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

import sightline
from sightline.model.errors import BadArgumentError
from sightline.writer.kinds.curves import curve_rows
from tests.writer.plugin_facts import array_of, ours, values_by_tag, written_by

RNG = np.random.default_rng(5)
LABELS = RNG.integers(0, 2, 500)
PREDICTIONS = np.clip(LABELS * 0.3 + RNG.random(500) * 0.7, 0, 1)


def counted_one_by_one(labels: Any, predictions: Any, weights: Any, thresholds: int) -> list[list[float]]:
    """By definition: a prediction is positive at threshold j when its bucket is j or higher."""
    rows = [[0.0] * thresholds for _ in range(6)]
    for j in range(thresholds):
        tp = fp = tn = fn = 0.0
        for label, prediction, weight in zip(labels, predictions, weights, strict=True):
            is_positive = int(np.floor(prediction * (thresholds - 1))) >= j
            if label:
                tp, fn = (tp + weight, fn) if is_positive else (tp, fn + weight)
            else:
                fp, tn = (fp + weight, tn) if is_positive else (fp, tn + weight)
        precision, recall = tp / max(1e-7, tp + fp), tp / max(1e-7, tp + fn)
        for row, value in zip(rows, (tp, fp, tn, fn, precision, recall), strict=True):
            row[j] = value
    return rows


@settings(max_examples=60, deadline=None)
@given(
    npst.arrays(np.float64, st.integers(1, 40), elements=st.floats(0, 1)),
    st.integers(2, 300),
    st.randoms(use_true_random=False),
)
def test_curves_are_those_of_a_plain_count(predictions: Any, thresholds: int, random: Any) -> None:
    labels = np.array([random.random() < 0.5 for _ in predictions])
    weights = np.array([random.choice([1.0, 2.0, 0.5]) for _ in predictions])
    found = curve_rows(labels, predictions, weights, thresholds)
    assert np.allclose(found, counted_one_by_one(labels, predictions, weights, thresholds), atol=1e-12)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize(
    "labels", [LABELS, LABELS.astype(bool), LABELS.astype(np.float32), LABELS.reshape(50, 10)]
)
def test_a_curve_is_what_tensorboardx_writes(tmp_path: Path, dtype: Any, labels: Any) -> None:
    predictions = PREDICTIONS.astype(dtype).reshape(labels.shape)

    def call(writer: Any) -> None:
        writer.add_pr_curve("pr", labels, predictions, 4)
        writer.add_pr_curve("pr", labels, predictions, 5, num_thresholds=10, weights=2.5)
        writer.add_pr_curve("pr", labels, predictions, 6, 2, RNG_WEIGHTS.reshape(labels.shape), 77.0)

    theirs = written_by(tensorboardX.SummaryWriter(str(tmp_path / "x")), tmp_path / "x", call)
    assert ours(tmp_path / "ours", call) == theirs


RNG_WEIGHTS = RNG.random(500)


def test_raw_curves_are_what_tensorboardx_writes(tmp_path: Path) -> None:
    rows = curve_rows(LABELS, PREDICTIONS, None, 7)

    def call(writer: Any) -> None:
        writer.add_pr_curve_raw("raw", *rows, 3, num_thresholds=7, walltime=5.0)

    theirs = written_by(tensorboardX.SummaryWriter(str(tmp_path / "x")), tmp_path / "x", call)
    assert ours(tmp_path / "ours", call) == theirs


def test_a_curve_may_have_more_thresholds_than_127(tmp_path: Path) -> None:
    with sightline.SummaryWriter(tmp_path, story=False) as writer:
        writer.add_pr_curve("pr", LABELS, PREDICTIONS, num_thresholds=1001)
        rows = curve_rows(LABELS, PREDICTIONS, None, 300)
        writer.add_pr_curve_raw("raw", *rows.tolist())
    values = values_by_tag(tmp_path)
    assert array_of(values["pr"]).shape == (6, 1001)
    wanted = counted_one_by_one(LABELS, PREDICTIONS, np.ones(500), 1001)
    assert np.allclose(array_of(values["pr"]), wanted, rtol=1e-6)
    with sightline.open(tmp_path, watch=False).wait() as log:
        item = log["."].pr_curves["raw"][0]
        assert (item.num_thresholds, item.array.shape) == (300, (6, 300))
        assert np.allclose(item.precision, rows[4])


def test_many_predictions_are_counted_without_losing_one() -> None:
    """More than a block, with every bucket known in advance."""
    predictions = np.tile(np.arange(128, dtype=np.float32) / 128, 2000)
    labels = np.arange(predictions.size) % 2
    rows = curve_rows(labels, predictions, None, 129)
    assert rows[0].tolist() == [64 * 2000 - 1000 * 2 * (j // 2) for j in range(129)]
    assert (rows[:4, 0].sum(), rows[:4, 128].sum()) == (predictions.size, predictions.size)


def test_half_precision_is_not_multiplied_in_half_precision(tmp_path: Path) -> None:
    predictions = np.linspace(0, 1, 5000, dtype=np.float16)
    with sightline.SummaryWriter(tmp_path, story=False) as writer:
        writer.add_pr_curve("half", np.ones(5000), predictions, num_thresholds=1000)
        writer.add_pr_curve("single", np.ones(5000), predictions.astype(np.float32), num_thresholds=1000)
    values = values_by_tag(tmp_path)
    assert np.array_equal(array_of(values["half"]), array_of(values["single"]))


def test_rounding_beyond_0_and_1_is_forgiven(tmp_path: Path) -> None:
    with sightline.SummaryWriter(tmp_path, story=False) as writer:
        writer.add_pr_curve("pr", [0, 1], [-1e-7, 1.0000001], num_thresholds=3)
    assert array_of(values_by_tag(tmp_path)["pr"])[:4].tolist() == [
        [1, 1, 1],
        [1, 0, 0],
        [0, 1, 1],
        [0, 0, 0],
    ]


def test_predictions_that_are_not_a_number_are_left_out_and_told_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING, "sightline.writer")
    with sightline.SummaryWriter(tmp_path, story=False) as writer:
        for step in range(3):
            writer.add_pr_curve("pr", [1, 0, 1], [0.5, np.nan, 0.5], step, num_thresholds=2)
    assert array_of(values_by_tag(tmp_path)["pr"])[:2].tolist() == [[2, 0], [0, 0]]
    assert [record.getMessage() for record in caplog.records] == [
        "'pr': 1 predictions are not a number; they are left out (said once per tag)"
    ]


def test_what_training_changes_after_the_call_does_not_matter(tmp_path: Path) -> None:
    labels, predictions, weights = np.ones(3), np.ones(3), np.ones(3)
    with sightline.SummaryWriter(tmp_path, story=False) as writer:
        writer.add_pr_curve("pr", labels, predictions, num_thresholds=2, weights=weights)
        labels[:], predictions[:], weights[:] = 0, 0, 0
    assert array_of(values_by_tag(tmp_path)["pr"])[0].tolist() == [3, 3]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (([], []), "empty"),
        (([1], [0.5, 0.5]), "one prediction for each label"),
        (([1, 0], [-3.0, 4.0]), "sigmoid"),
        (([1, 0], [0.1, np.inf]), "sigmoid"),
        (([2, 0], [0.1, 0.2]), "Labels"),
        (([np.nan, 0], [0.1, 0.2]), "Labels"),
        ((["a", "b"], [0.1, 0.2]), "labels are real numbers"),
        (([1, 0], [0.1, 0.2], None, 1), "num_thresholds"),
        (([1, 0], [0.1, 0.2], None, 2.5), "num_thresholds"),
        (([1, 0], [0.1, 0.2], None, 10**9), "num_thresholds"),
        (([1, 0], [0.1, 0.2], None, 5, [1, 2, 3]), "Weights"),
    ],
)
def test_senseless_curves_are_refused_where_they_are_made(
    tmp_path: Path, arguments: tuple[Any, ...], reason: str
) -> None:
    with (
        sightline.SummaryWriter(tmp_path, story=False) as writer,
        pytest.raises(BadArgumentError, match=reason),
    ):
        writer.add_pr_curve("pr", *arguments)


def test_raw_vectors_must_have_one_length(tmp_path: Path) -> None:
    with sightline.SummaryWriter(tmp_path, story=False) as writer:
        with pytest.raises(BadArgumentError, match="recall 2"):
            writer.add_pr_curve_raw("pr", *[[1, 2, 3]] * 5, [1, 2])
        with pytest.raises(BadArgumentError, match="shape"):
            writer.add_pr_curve_raw("pr", *[[[1, 2, 3]]] * 6)
