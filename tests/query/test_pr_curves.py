"""Statistics of logged precision-recall curves, compared with definitions that know labels and scores: scores
are rounded down to the thresholds, which is all that is logged of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from torch.utils.tensorboard import SummaryWriter as TorchWriter

from sightline import SummaryWriter
from sightline.log import open_log
from sightline.query.decoded_series import ValueChoice
from sightline.query.pr_curves import PrCurveStatistics, pr_curves_of, statistics_of
from sightline.query.stored_types import RunStore

THRESHOLDS = {0: 127, 1: 11, 2: 2, 3: 60}
"""By step."""
Floats = NDArray[np.float64]


def examples(step: int) -> tuple[NDArray[np.int64], Floats]:
    rng = np.random.default_rng(step)
    labels = (rng.random(300) < 0.3).astype(np.int64)
    return labels, np.clip(rng.normal(0.4 + 0.15 * labels, 0.2), 0, 1)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> RunStore:
    directory = tmp_path_factory.mktemp("logs")
    with TorchWriter(str(directory / "torch")) as writer:
        for step, count in THRESHOLDS.items():
            writer.add_pr_curve("val", *examples(step), step, num_thresholds=count)
    return store_of(directory)


def store_of(directory: Path) -> RunStore:
    return open_log(directory, watch=False, cache=False).wait()._store


def statistics(store: RunStore, tag: str, choice: ValueChoice | None = None) -> PrCurveStatistics:
    ((_, series),) = pr_curves_of(store, store.names(), tag, choice=choice or ValueChoice())
    return statistics_of(series)


def average_precision(labels: NDArray[np.int64], scores: Floats) -> float:
    """Over all positives: the precision among what scores as high as they, or higher."""
    return float(np.mean([labels[scores >= score].mean() for score in scores[labels == 1]]))


def roc_area(labels: NDArray[np.int64], scores: Floats) -> float:
    """How often a positive scores higher than a negative; as high counts half."""
    differences = scores[labels == 1][:, np.newaxis] - scores[labels == 0]
    return float(np.mean((differences > 0) + 0.5 * (differences == 0)))


def pr_area(labels: NDArray[np.int64], scores: Floats) -> float:
    chosen = [labels[scores >= score] for score in np.unique(scores)[::-1]]
    recall = [0.0, *(some.sum() / labels.sum() for some in chosen)]
    return float(np.trapezoid([1.0, *(some.mean() for some in chosen)], recall))


def f1(labels: NDArray[np.int64], is_predicted: NDArray[np.bool_]) -> float:
    hits = (labels[is_predicted] == 1).sum()
    return float(2 * hits / (is_predicted.sum() + labels.sum()))


def test_they_are_those_of_the_scores_rounded_down_to_the_thresholds(store: RunStore) -> None:
    found = statistics(store, "val")
    assert found.step.tolist() == list(THRESHOLDS)
    for place, (step, count) in enumerate(THRESHOLDS.items()):
        labels, scores = examples(step)
        rounded = np.floor(scores * (count - 1)) / (count - 1)
        assert found.positives[place] == labels.sum()
        assert found.negatives[place] == (1 - labels).sum()
        assert found.average_precision[place] == pytest.approx(average_precision(labels, rounded), abs=1e-12)
        assert found.roc_area[place] == pytest.approx(roc_area(labels, rounded), abs=1e-12)
        assert found.pr_area[place] == pytest.approx(pr_area(labels, rounded), abs=1e-12)
        scores_of = [f1(labels, rounded >= threshold) for threshold in np.arange(count) / (count - 1)]
        assert found.best_f1[place] == pytest.approx(max(scores_of), abs=1e-12)
        assert found.best_threshold[place] == np.argmax(scores_of) / (count - 1)


def test_a_choice_of_steps_changes_no_number(store: RunStore) -> None:
    every = statistics(store, "val")
    some = statistics(store, "val", ValueChoice(at_steps=(1, 3)))
    assert some.step.tolist() == [1, 3]
    assert some.average_precision.tolist() == every.average_precision[[1, 3]].tolist()


ONE_CLASS = {
    "positives only": ([3.0, 1.0], [0.0, 0.0], [0.0, 0.0], [0.0, 2.0]),
    "negatives only": ([0.0, 0.0], [3.0, 1.0], [0.0, 2.0], [0.0, 0.0]),
    "nothing": ([0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0]),
    "no counts": ([np.nan, 1.0], [1.0, 1.0], [0.0, 0.0], [1.0, 1.0]),
    "one threshold": ([2.0], [1.0], [0.0], [0.0]),
}


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> RunStore:
    directory = tmp_path_factory.mktemp("odd")
    with SummaryWriter(str(directory / "run")) as writer:
        for tag, counts in ONE_CLASS.items():
            zeros = np.zeros(len(counts[0]))
            writer.add_pr_curve_raw(tag, *map(np.array, counts), zeros, zeros, 0)
    return store_of(directory)


def test_without_positives_nothing_can_be_said(odd: RunStore) -> None:
    for tag in ("negatives only", "nothing", "no counts"):
        found = statistics(odd, tag)
        columns = (
            found.average_precision,
            found.pr_area,
            found.roc_area,
            found.best_f1,
            found.best_threshold,
        )
        assert all(np.isnan(column).all() for column in columns), tag
    assert statistics(odd, "negatives only").negatives.tolist() == [3]


def test_without_negatives_there_is_no_roc_curve(odd: RunStore) -> None:
    found = statistics(odd, "positives only")
    assert np.isnan(found.roc_area).all()
    assert (found.average_precision[0], found.best_f1[0], found.best_threshold[0]) == (1, 1, 0)


def test_a_curve_of_one_threshold_goes_to_both_ends(odd: RunStore) -> None:
    found = statistics(odd, "one threshold")
    assert found.average_precision[0] == pytest.approx(2 / 3)
    assert found.pr_area[0] == pytest.approx((1 + 2 / 3) / 2)
    assert (found.roc_area[0], found.best_threshold[0]) == (0.5, 0)
