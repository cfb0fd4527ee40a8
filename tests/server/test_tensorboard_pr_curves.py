"""TensorBoard's routes for precision-recall curves, against the real TensorBoard on the same directory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from torch.utils.tensorboard import SummaryWriter as TorchWriter

from sightline import SummaryWriter
from sightline.log import open_log
from tests.server.both import Both, ask_tensorboard
from tests.server.clients import InProcess, client_for

PLUGIN = "/data/plugin/pr_curves"


@pytest.fixture(scope="module")
def logdir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("logs")
    rng = np.random.default_rng(3)
    labels = rng.integers(0, 2, 400)
    with TorchWriter(str(directory / "torch")) as writer:
        for step, count in enumerate((127, 10, 2)):
            # No score is in the upper half: those thresholds are left out.
            writer.add_pr_curve("val", labels, rng.random(400) / 2, step, num_thresholds=count)
        writer.add_pr_curve("weighted", labels, rng.random(400), 0, weights=rng.random(400))
    with SummaryWriter(str(directory / "ours")) as writer:
        for step in range(4):
            writer.add_pr_curve("val", labels, rng.random(400), step, num_thresholds=300)
        zeros = np.zeros(5)
        writer.add_pr_curve_raw("nothing", *[zeros] * 6, 7)
        writer.add_pr_curve_raw("words", *[np.ones(3)] * 4, np.array([np.nan, 1, 0.5]), np.ones(3), 7)
    return directory


@pytest.fixture(scope="module")
def both(logdir: Path) -> Both:
    questions: list[dict[str, Any]] = [{"path": f"{PLUGIN}/tags"}]
    for tag, runs in (
        ("val", ["torch"]),
        ("val", ["ours"]),
        ("val", ["ours", "torch"]),
        ("weighted", ["torch"]),
        ("nothing", ["ours"]),
        ("words", ["ours"]),
    ):
        questions.append({"path": f"{PLUGIN}/pr_curves", "query": {"tag": tag, "run": runs}})
    ours = client_for(open_log(logdir, watch=False, cache=False).wait())
    return Both(questions, ask_tensorboard(logdir, questions), ours)


def test_tags_are_the_same(both: Both) -> None:
    real, own = both.one(f"{PLUGIN}/tags")
    assert own == real


def test_curves_are_the_same(both: Both) -> None:
    for question, real, own in both.pairs(f"{PLUGIN}/pr_curves"):
        assert own == real, question


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ({"tag": "val"}, "No runs provided when fetching PR curve data"),
        ({"run": "ours"}, "No tag provided when fetching PR curve data"),
        (
            {"tag": "weighted", "run": ["torch", "ours"]},
            "No PR curves could be found for run 'ours' and tag 'weighted'",
        ),
    ],
)
def test_what_is_missing_is_said(logdir: Path, query: dict[str, Any], sentence: str) -> None:
    ours: InProcess = client_for(open_log(logdir, watch=False, cache=False).wait())
    answer = ours.ask("GET", f"{PLUGIN}/pr_curves", params=query)
    assert (answer.status_code, answer.text.strip()) == (400, sentence)
