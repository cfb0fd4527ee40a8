"""TensorBoard's routes for meshes, against the real TensorBoard on the same directory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorboardX
from torch.utils.tensorboard import SummaryWriter

from sightline.log import open_log
from tests.server.both import Both, ask_tensorboard
from tests.server.clients import client_for

MESH = "/data/plugin/mesh"
SERIES = [("torch", "solid"), ("torch", "cloud"), ("x", "solid"), ("torch", "nothing"), ("nobody", "solid")]


@pytest.fixture(scope="module")
def logdir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("logs")
    rng = np.random.default_rng(1)
    import torch

    faces = rng.integers(0, 20, (2, 30, 3))
    with SummaryWriter(str(directory / "torch")) as writer:
        for step in (0, 5, 9):
            points, colors = rng.normal(size=(2, 20, 3)), rng.integers(0, 256, (2, 20, 3))
            writer.add_mesh(
                "solid",
                torch.tensor(points),
                torch.tensor(colors),
                torch.tensor(faces),
                config_dict={"camera": {"cls": "PerspectiveCamera", "fov": 40}},
                global_step=step,
            )
            writer.add_mesh("cloud", torch.tensor(points[:1]), global_step=step)
    with tensorboardX.SummaryWriter(str(directory / "x")) as writer:
        writer.add_mesh("solid", rng.normal(size=(1, 20, 3)), faces=faces[:1], global_step=3)
    return directory


@pytest.fixture(scope="module")
def both(logdir: Path) -> Both:
    questions: list[dict[str, Any]] = [{"path": f"{MESH}/tags"}]
    for run, tag in SERIES:
        questions.append({"path": f"{MESH}/meshes", "query": {"run": run, "tag": tag, "sample": 0}})
        for content in ("VERTEX", "FACE", "COLOR"):
            for step, sample in ((0, 0), (5, 0), (3, 0), (7, 0)):
                query = {"run": run, "tag": tag, "content_type": content, "step": step, "sample": sample}
                questions.append({"path": f"{MESH}/data", "query": query})
    query = {"run": "torch", "tag": "solid", "content_type": "FACE", "step": 9, "sample": 1}
    questions.append({"path": f"{MESH}/data", "query": query})
    questions.append({"path": f"{MESH}/data", "query": {**query, "content_type": "EDGE"}})
    ours = client_for(open_log(logdir, watch=False, cache=False).wait())
    return Both(questions, ask_tensorboard(logdir, questions), ours)


def test_tags_are_the_same(both: Both) -> None:
    real, own = both.one(f"{MESH}/tags")
    assert own == real
    assert real["torch"] == {"solid": {"samples": 2}, "cloud": {"samples": 1}}


@pytest.mark.parametrize("route", ["meshes", "data"])
def test_values_are_the_same(both: Both, route: str) -> None:
    for question, real, own in both.pairs(f"{MESH}/{route}"):
        if real[0] == 200:
            assert own == real, question
        else:
            assert (own[0], own[2].strip()) == (real[0], real[2]), question
