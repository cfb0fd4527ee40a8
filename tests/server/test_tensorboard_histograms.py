"""TensorBoard's routes for histograms and distributions, against the real TensorBoard on the same directory.

Every series has at most ten steps, so that TensorBoard keeps them all. It keeps the buckets of torch's form
as floats of 32 bits, where we answer with the doubles that were logged.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sightline import SummaryWriter
from sightline.dashboards import tensorboard_points
from sightline.log import open_log
from sightline.summary import create_file_writer
from sightline.summary import histogram as summary_histogram
from tests.server.both import Both, ask_tensorboard
from tests.server.clients import InProcess, client_for

HISTOGRAMS, DISTRIBUTIONS = "/data/plugin/histograms", "/data/plugin/distributions"
TIMESERIES = "/data/plugin/timeseries"
AS_FLOATS = 1e-6
"""Relative difference between a double and the float of 32 bits next to it, and more."""


@pytest.fixture(scope="module")
def logdir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("logs")
    rng = np.random.default_rng(3)
    with SummaryWriter(str(directory / "torch")) as writer:
        for step in range(4):
            writer.add_histogram("spread", rng.normal(size=500) * 10.0**-step, step)
        writer.add_histogram("constant", np.full(7, 2.5), 0)
        writer.add_histogram("integers", np.arange(-5, 40), 0)
    with create_file_writer(str(directory / "tensorflow")).as_default():
        for step in range(5):
            summary_histogram("spread", rng.normal(size=500) + step, step=step, description="*moves*")
        summary_histogram("sparse", np.concatenate([np.zeros(90), rng.exponential(size=10)]), step=0)
        summary_histogram("constant", np.full(7, 2.5), step=0)
        summary_histogram("nothing", np.zeros(0), step=0)
        summary_histogram("few", rng.normal(size=5), step=0, buckets=3)
    return directory


@pytest.fixture(scope="module")
def ours(logdir: Path) -> InProcess:
    return client_for(open_log(logdir, watch=False, cache=False).wait())


@pytest.fixture(scope="module")
def both(logdir: Path, ours: InProcess) -> Both:
    questions: list[dict[str, Any]] = [
        {"path": f"{plugin}/tags"} for plugin in (HISTOGRAMS, DISTRIBUTIONS, TIMESERIES)
    ]
    series = [
        *(("torch", tag) for tag in ("spread", "constant", "integers")),
        *(("tensorflow", tag) for tag in ("spread", "sparse", "constant", "nothing", "few")),
        ("torch", "no such tag"),
    ]
    for run, tag in series:
        for path in (f"{HISTOGRAMS}/histograms", f"{DISTRIBUTIONS}/distributions"):
            questions.append({"path": path, "query": {"run": run, "tag": tag}})
        request = json.dumps([{"plugin": "histograms", "run": run, "tag": tag}])
        questions.append({"path": f"{TIMESERIES}/timeSeries", "query": {"requests": request}})
    return Both(questions, ask_tensorboard(logdir, questions), ours)


@pytest.mark.parametrize("plugin", [HISTOGRAMS, DISTRIBUTIONS, TIMESERIES])
def test_tags_are_the_same(both: Both, plugin: str) -> None:
    real, own = both.one(f"{plugin}/tags")
    assert own == real


@pytest.mark.parametrize(
    "path", [f"{HISTOGRAMS}/histograms", f"{DISTRIBUTIONS}/distributions", f"{TIMESERIES}/timeSeries"]
)
def test_values_are_the_same(both: Both, path: str) -> None:
    for question, real, own in both.pairs(path):
        assert own[:2] == real[:2]
        if own[0] == 404:
            assert own[2].strip() == real[2]
        elif "tensorflow" in str(question["query"]):
            assert own[2] == real[2]
        else:
            assert parts_of(own[2], str) == parts_of(real[2], str)
            numbers = parts_of(own[2], float), parts_of(real[2], float)
            assert numbers[0] == pytest.approx(numbers[1], rel=AS_FLOATS, abs=1e-30)


def test_the_same_histograms_are_not_sent_any_number_of_times(
    ours: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = {"plugin": "histograms", "run": "tensorflow", "tag": "spread"}
    (answer,) = ours.post(f"{TIMESERIES}/timeSeries", data={"requests": json.dumps([one])}).json()
    buckets = sum(len(value["bins"]) for value in answer["runToSeries"]["tensorflow"])
    monkeypatch.setattr(tensorboard_points, "MAX_POINTS", 10 * buckets)
    for times, status in ((5, 200), (10, 413), (20_000, 413)):
        requests = json.dumps([one] * times)
        answer = ours.post(f"{TIMESERIES}/timeSeries", data={"requests": requests})
        assert answer.status_code == status, times


def parts_of(answer: Any, kind: type) -> list[Any]:
    """All words or numbers that are in it, in order."""
    if isinstance(answer, dict):
        return [part for item in answer.items() for part in parts_of(list(item), kind)]
    if isinstance(answer, list):
        return [part for one in answer for part in parts_of(one, kind)]
    return [answer] if isinstance(answer, str) is (kind is str) else []
