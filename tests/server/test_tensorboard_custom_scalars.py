"""TensorBoard's routes for custom scalars, against the real TensorBoard on the same directory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sightline.log import open_log
from tests.server.both import Both, ask_tensorboard
from tests.server.clients import InProcess, client_for

CUSTOM = "/data/plugin/custom_scalars"

LAYOUTS: dict[str, dict[str, Any]] = {
    "a": {
        "losses": {
            "both": ["Multiline", [r"(train|val)/loss", "extra"]],
            "spread": ["Margin", ["mean", "low", "high"]],
        },
    },
    "b": {
        "losses": {"both": ["Multiline", [r"(train|val)/loss", "extra"]], "other": ["Multiline", ["val"]]},
        "empty": {},
    },
    "none": {},
}
"""The charts "both" are the same in both."""

EXPRESSIONS = [
    "train/loss",
    "train",
    "loss",
    ".*loss$",
    "(train|val)/loss",
    "[",
    "",
    "(?i)TRAIN",
    r"\w+/l.{3}\b",
]


@pytest.fixture(scope="module")
def logdir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch = pytest.importorskip("torch.utils.tensorboard")
    directory = tmp_path_factory.mktemp("logs")
    for name, layout in LAYOUTS.items():
        writer = torch.SummaryWriter(str(directory / name))
        if name == "b":
            writer.add_custom_scalars({"gone": {"first": ["Multiline", ["x"]]}})
        writer.add_custom_scalars(layout)
        for step in range(5):
            for tag in ("train/loss", "val/loss", "train/loss_total", "mean"):
                writer.add_scalar(tag, step / 4, step)
        writer.close()
    writer = torch.SummaryWriter(str(directory / "without"))
    writer.add_scalar("train/loss", 1.0, 0)
    writer.close()
    return directory


@pytest.fixture(scope="module")
def ours(logdir: Path) -> InProcess:
    return client_for(open_log(logdir, watch=False, cache=False).wait())


@pytest.fixture(scope="module")
def both(logdir: Path, ours: InProcess) -> Both:
    questions: list[dict[str, Any]] = [{"path": f"{CUSTOM}/layout"}]
    for run in ("a", "without", "no such run"):
        for tag in EXPRESSIONS:
            questions.append({"path": f"{CUSTOM}/scalars", "query": {"run": run, "tag": tag}})
    for form in ("json", "csv"):
        query = {"run": "a", "tag": "train/loss", "format": form}
        questions.append({"path": f"{CUSTOM}/download_data", "query": query})
    return Both(questions, ask_tensorboard(logdir, questions), ours)


def test_layouts_are_put_together_as_there(both: Both) -> None:
    real, own = both.one(f"{CUSTOM}/layout")
    assert own == real
    assert [one["title"] for one in own["category"]] == ["losses", "empty"]


def test_expressions_find_the_same_tags(both: Both) -> None:
    for question, real, own in both.pairs(f"{CUSTOM}/scalars"):
        assert own == real, question


@pytest.mark.parametrize("is_csv", [False, True])
def test_downloads_are_the_same(both: Both, *, is_csv: bool) -> None:
    for _, real, own in both.pairs(f"{CUSTOM}/download_data", is_csv=is_csv):
        assert own == real


def test_an_expression_that_would_take_for_ever_does_not(ours: InProcess) -> None:
    answer = ours.get(f"{CUSTOM}/scalars", params={"run": "a", "tag": r"(\w+/?)+$x"})
    assert answer.json() == {"regex_valid": True, "tag_to_events": {}}
    assert ours.get(f"{CUSTOM}/scalars", params={"run": "a", "tag": r"(a)\1"}).status_code == 400


def test_it_is_listed_when_there_is_a_layout(ours: InProcess) -> None:
    listed = ours.get("/data/plugins_listing").json()["custom_scalars"]
    assert (listed["enabled"], listed["tab_name"]) == (True, "Custom Scalars")
