"""A torch model stays as it was when its graph is made: training goes on as without it."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")

import torch

from sightline import SummaryWriter
from sightline.model.errors import BadArgumentError
from tests.writer.reading import events_of
from tests.writer.torch_graphs import graph
from tests.writer.torch_models import Cnn, Mlp, Restless


def state_of(model: Any) -> Any:
    return {
        "training": [module.training for module in model.modules()],
        "tensors": {name: tensor.clone() for name, tensor in model.state_dict().items()},
        "identities": [id(tensor) for tensor in (*model.parameters(), *model.buffers())],
        "requires_grad": [parameter.requires_grad for parameter in model.parameters()],
        "gradients": [None if p.grad is None else (id(p.grad), p.grad.clone()) for p in model.parameters()],
        "attributes": [sorted(vars(module)) for module in model.modules()],
        "hooks": [hook_counts(module) for module in model.modules()],
        "random": (torch.get_rng_state(), random.getstate(), np.random.get_state()[1]),
        "fast attention": torch.backends.mha.get_fastpath_enabled(),
        "grad enabled": torch.is_grad_enabled(),
    }


def hook_counts(module: Any) -> dict[str, int]:
    return {name: len(value) for name, value in vars(module).items() if "_hooks" in name}


def assert_same(before: Any, after: Any) -> None:
    for key in before:
        assert str(before[key]) == str(after[key]), key


def test_the_model_and_all_random_streams_are_left_as_they_were(tmp_path: Path) -> None:
    torch.manual_seed(0)
    model = Restless()
    model.fc(torch.randn(2, 4)).sum().backward()
    x = torch.randn(3, 4)
    kept = x.clone()
    before = state_of(model)
    graph(tmp_path, model, x)
    assert_same(before, state_of(model))
    assert model.calls == 0
    assert not hasattr(model, "last")
    assert torch.equal(x, kept)


def test_the_model_is_left_as_it_was_when_its_forward_pass_fails(tmp_path: Path) -> None:
    model = Restless()
    before = state_of(model)
    with SummaryWriter(tmp_path, story=False) as writer:
        with pytest.raises(
            BadArgumentError, match=r"forward pass failed on input_to_model \(x: \(3, 5\)\)"
        ) as caught:
            writer.add_graph(model, torch.randn(3, 5))
        assert isinstance(caught.value.__cause__, RuntimeError)
    assert_same(before, state_of(model))
    assert not any(event.HasField("graph_def") for event in events_of(tmp_path))


def test_a_pass_that_is_interrupted_leaves_no_hook(tmp_path: Path) -> None:
    class Net(Mlp):
        def forward(self, x: Any) -> Any:
            super().forward(x)
            raise KeyboardInterrupt

    model = Net()
    before = state_of(model)
    with SummaryWriter(tmp_path, story=False) as writer, pytest.raises(KeyboardInterrupt):
        writer.add_graph(model, torch.randn(3, 8))
    assert_same(before, state_of(model))


def test_training_after_add_graph_goes_as_without_it(tmp_path: Path) -> None:
    def losses(is_logged: bool) -> list[float]:
        torch.manual_seed(3)
        model = Cnn()
        optimizer = torch.optim.SGD(model.parameters(), 0.1)
        found = []
        for step in range(3):
            if is_logged:
                graph(tmp_path / str(step), model, torch.randn(2, 3, 8, 8, generator=torch.Generator()))
            loss = model(torch.randn(4, 3, 8, 8)).square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            found.append(loss.item())
        return found

    assert losses(is_logged=True) == losses(is_logged=False)
