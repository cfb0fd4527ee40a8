"""Graphs of torch models that a tracer rejects, of inputs in any form, and of models in wrappers."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")

import torch
from torch import nn

from tests.writer.graph_facts import (
    ancestors_of,
    edges_of,
    module_edges_of,
    modules_of,
    nodes_by_name,
    shapes_of,
    text_of,
)
from tests.writer.torch_graphs import graph
from tests.writer.torch_models import Mlp, Recursive, Twice, Untraceable

# -- models that a tracer rejects


def test_a_model_that_a_tracer_rejects_has_a_graph(tmp_path: Path) -> None:
    given = {"x": torch.ones(2, 4), "mask": None, "extra": {"bias": torch.zeros(4)}}
    made = graph(tmp_path, Untraceable(), given)
    names = nodes_by_name(made)
    assert {name for name in names if name.startswith("input/")} == {"input/x", "input/extra.bias"}
    assert "Untraceable/Linear[positive]" in names
    assert "Untraceable/Linear[negative]" not in names
    outputs = [node for node in made.node if node.name.startswith("output/")]
    assert [(node.name, text_of(node), shapes_of(node)) for node in outputs] == [
        ("output/output.1", "logits", [[2, 2]]),
        ("output/output.2", "hidden.0", [[2, 4]]),
        ("output/output.3", "hidden.1", [[2, 4]]),
    ]
    assert "input/extra.bias" in ancestors_of(made, "output/output.1")


def test_a_module_called_twice_is_two_nodes_with_one_set_of_parameters(tmp_path: Path) -> None:
    made = graph(tmp_path, Twice(), torch.randn(2, 4))
    first, second = "Twice/Block[block]", "Twice/Block[block]_1"
    calls = [first, second, *(f"{block}/Linear[fc]{n}" for block in (first, second) for n in ("", "_1"))]
    assert set(modules_of(made)) == {"Twice", *calls}
    flow = module_edges_of(made)
    assert (first, f"{second}/Linear[fc]") in flow
    assert (f"{second}/Linear[fc]", f"{second}/Linear[fc]_1") in flow
    assert [node.name for node in made.node if node.op == "Parameter"] == [
        f"{first}/Linear[fc]/weight", f"{first}/Linear[fc]/bias"
    ]  # fmt: skip


def test_recursion_and_errors_inside_are_no_obstacle(tmp_path: Path) -> None:
    made = graph(tmp_path, Recursive(), torch.randn(2, 4))
    calls = [f"Recursive{n}" for n in ("", "_1", "_2")]
    assert {name for name in modules_of(made) if "/" not in name} == set(calls)
    assert {(f"{call}/Linear[fc]", f"{after}/Linear[fc]") for call, after in pairwise(calls)} <= (
        module_edges_of(made)
    )


def test_a_module_that_hands_its_input_on_is_part_of_the_way(tmp_path: Path) -> None:
    made = graph(tmp_path, nn.Sequential(nn.Linear(2, 2), nn.Identity(), nn.Dropout()), torch.randn(1, 2))
    assert ("Sequential/Linear[0]", "Sequential/Identity[1]") in edges_of(made)
    assert "Sequential/Identity[1]" in ancestors_of(made, "Sequential/Dropout[2]")


@pytest.mark.filterwarnings("ignore")  # scripting is deprecated
def test_a_scripted_module_is_a_node_between_its_input_and_its_output(tmp_path: Path) -> None:
    scripted = torch.jit.script(nn.Sequential(nn.Linear(4, 4), nn.ReLU()))

    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.fc = nn.Linear(4, 4)
            self.inside = scripted

        def forward(self, x: Any) -> Any:
            return self.inside(self.fc(x))

    made = graph(tmp_path, Net(), torch.randn(2, 4))
    inside = next(name for name in modules_of(made) if name.endswith("[inside]"))
    assert ("Net/Linear[fc]", inside) in module_edges_of(made)
    assert inside in ancestors_of(made, "output/output.1")


def test_code_below_python_is_a_node_behind_what_was_there_to_use(tmp_path: Path) -> None:
    class Kernel(nn.Module):
        """As with a compiled extension: no function of torch is asked, so nobody sees it."""

        def __init__(self) -> None:
            super().__init__()
            self.query = nn.Linear(4, 4)
            self.key = nn.Linear(4, 4)
            self.out = nn.Linear(4, 4)
            self.scale = torch.tensor(2.0)
            self.offsets = [torch.ones(4)]

        def forward(self, x: Any) -> Any:
            scaled = x * self.scale
            query, key = self.query(scaled), self.key(scaled)
            made = torch.from_numpy(query.numpy() * key.numpy())
            return self.out(made + self.offsets[0])

    made = graph(tmp_path, Kernel(), torch.ones(2, 4))
    nodes = nodes_by_name(made)
    assert [node.name for node in made.node if node.op == "unseen"] == ["Kernel/unseen"]
    assert set(nodes["Kernel/unseen"].input) == {"^Kernel/Linear[query]", "^Kernel/Linear[key]"}
    assert [node.name for node in made.node if node.op == "Constant"] == ["Kernel/scale", "Kernel/offsets.0"]
    assert set(nodes) - ancestors_of(made, "output/output.1") == {"output/output.1"}


class Pair(nn.Module):
    def forward(self, a: Any, b: Any = None, *rest: Any, **more: Any) -> Any:
        tensors = [a, b, *rest, *more.values()]
        return sum(x for x in tensors if x is not None)


class OneBatch(nn.Module):
    def forward(self, batch: Any) -> Any:
        return batch["ids"] * 2 if isinstance(batch, dict) else batch[0] + batch[1]


@pytest.mark.parametrize(
    ("model", "given", "names"),
    [
        (Pair, lambda t: t, ["input/a"]),
        (Pair, lambda t: (t, t + 1), ["input/a", "input/b"]),
        (Pair, lambda t: [t, t + 1], ["input/a", "input/b"]),
        (Pair, lambda t: (t, None, t + 1, t + 2), ["input/a", "input/rest.0", "input/rest.1"]),
        (Pair, lambda t: {"a": t, "b": None, "other": t + 1}, ["input/a", "input/other"]),
        (OneBatch, lambda t: {"ids": t}, ["input/batch.ids"]),
        (OneBatch, lambda t: [t, t + 1], ["input/batch.0", "input/batch.1"]),
        (OneBatch, lambda t: ([t, t + 1],), ["input/batch.0", "input/batch.1"]),
    ],
)
def test_inputs_may_be_given_in_any_form(tmp_path: Path, model: Any, given: Any, names: list[str]) -> None:
    made = graph(tmp_path, model(), given(torch.ones(3)))
    assert [node.name for node in made.node if node.name.startswith("input/")] == names


def test_a_tensor_given_twice_is_the_first_input(tmp_path: Path) -> None:
    x = torch.ones(3)
    made = graph(tmp_path, Pair(), (x, x))
    nodes = nodes_by_name(made)
    assert text_of(nodes["input/b"]) == "the same tensor as input/a"
    assert "input/a" in ancestors_of(made, "output/output.1")


def test_packed_sequences_are_one_argument(tmp_path: Path) -> None:
    packed = nn.utils.rnn.pack_sequence([torch.randn(4, 3), torch.randn(2, 3)])
    made = graph(tmp_path, nn.GRU(3, 5), packed)
    assert shapes_of(nodes_by_name(made)["output/output.1"]) == [[6, 5]]
    assert "input/input.data" in ancestors_of(made, "output/output.1")


# -- wrappers


@pytest.mark.filterwarnings("ignore")
def test_wrappers_that_distribute_or_compile_are_taken_off(tmp_path: Path) -> None:
    names = set(nodes_by_name(graph(tmp_path / "plain", Mlp(), torch.randn(3, 8))))
    for number, wrapped in enumerate([nn.DataParallel(Mlp()), torch.compile(Mlp(), backend="eager")]):
        made = graph(tmp_path / str(number), wrapped, torch.randn(3, 8))
        assert set(nodes_by_name(made)) == names


@pytest.mark.filterwarnings("ignore")
def test_a_compiled_module_inside_shows_its_modules(tmp_path: Path) -> None:
    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.mlp = Mlp()
            self.mlp.compile(backend="eager")

        def forward(self, x: Any) -> Any:
            return self.mlp(x)

    model, x = Net(), torch.randn(3, 8)
    model(x)
    made = graph(tmp_path, model, x)
    assert "Net/Mlp[mlp]/Linear[fc2]" in ancestors_of(made, "output/output.1")


def test_a_parameter_with_two_names_is_one_node(tmp_path: Path) -> None:
    class Tied(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.embed = nn.Embedding(8, 4)
            self.out = nn.Linear(4, 8, bias=False)
            self.out.weight = self.embed.weight

        def forward(self, ids: Any) -> Any:
            return self.out(self.embed(ids))

    made = graph(tmp_path, Tied(), torch.tensor([1, 2]))
    weight = "Tied/Embedding[embed]/weight"
    assert [node.name for node in made.node if node.op in ("Parameter", "Constant")] == [weight]
    assert {(weight, "Tied/Embedding[embed]/embedding"), (weight, "Tied/Linear[out]/linear")} <= edges_of(
        made
    )
    assert modules_of(made)["Tied"].attr["parameters_total"].i == 32
