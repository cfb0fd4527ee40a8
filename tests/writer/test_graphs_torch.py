"""Graphs of torch models: what is in them, how large they get, and that TensorBoard takes them.

Models that a tracer rejects are in test_graphs_torch_odd_models.py; that models stay as they were is in
test_graphs_torch_untouched.py.
"""

from __future__ import annotations

import logging
import re
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")

import torch
from torch import nn
from torch.utils.tensorboard import SummaryWriter as TorchWriter

import sightline
from sightline import SummaryWriter
from sightline.model.errors import BadArgumentError
from sightline.writer.model_graphs import recorder
from tests.writer.graph_facts import (
    ancestors_of,
    edges_of,
    graph_of,
    module_edges_of,
    modules_of,
    nodes_by_name,
    run_metadata_of,
    shapes_of,
    strict_hierarchy,
    text_of,
)
from tests.writer.reading import files_of
from tests.writer.torch_graphs import graph
from tests.writer.torch_models import Cnn, Mlp, Rnn, Transformer

PLAIN = {
    "mlp": (Mlp, lambda: torch.randn(3, 8)),
    "cnn": (Cnn, lambda: torch.randn(2, 3, 8, 8)),
    "rnn": (Rnn, lambda: torch.randint(0, 11, (2, 7))),
    "transformer": (Transformer, lambda: torch.randn(2, 5, 8)),
}
plain_models = pytest.mark.parametrize("name", PLAIN)


def scopes_of(names: Any) -> set[str]:
    """The module scopes in the names of nodes."""
    found = set()
    for name in names:
        parts = name.split("/")
        for end in range(1, len(parts) + 1):
            if re.fullmatch(r"\w+\[.+\]", parts[end - 1]):
                found.add("/".join(parts[:end]))
    return found


def without_containers(scope: str) -> str:
    """torch leaves containers out of the scopes of operations, and in those of parameters."""
    return "/".join(part for part in scope.split("/") if not re.match(r"Module(List|Dict)\[", part))


# -- the same as torch, where torch can


@plain_models
@pytest.mark.filterwarnings("ignore")  # torch's tracer warns about itself
def test_every_module_of_torchs_graph_is_there_with_its_shape(tmp_path: Path, name: str) -> None:
    make, make_input = PLAIN[name]
    model, x = make(), make_input()
    torch.backends.mha.set_fastpath_enabled(False)  # torch's tracer stumbles over it
    try:
        with TorchWriter(str(tmp_path / "torch")) as writer:
            writer.add_graph(model, x)
    finally:
        torch.backends.mha.set_fastpath_enabled(True)
    theirs = graph_of(tmp_path / "torch")
    ours = graph(tmp_path / "ours", model, x)

    their_scopes, our_scopes = scopes_of(nodes_by_name(theirs)), scopes_of(nodes_by_name(ours))
    assert {scope for scope in their_scopes if "Module" in scope} <= our_scopes
    assert {without_containers(scope) for scope in their_scopes} <= {
        without_containers(s) for s in our_scopes
    }
    for scope, node in modules_of(ours).items():
        inside = f"{without_containers(scope)}/"
        shapes = [
            s for n in theirs.node if n.name.startswith(inside) and "aten" in n.op for s in shapes_of(n)
        ]
        assert not shapes or shapes_of(node)[0] in shapes, scope

    def ends(made: Any) -> dict[str, list[list[int]]]:
        return {n.name: shapes_of(n) for n in made.node if n.op == "IO Node"}

    assert ends(ours) == ends(theirs)
    assert ours.versions == theirs.versions
    assert run_metadata_of(tmp_path / "ours") == run_metadata_of(tmp_path / "torch")


@plain_models
def test_parameters_are_counted(tmp_path: Path, name: str) -> None:
    model, x = PLAIN[name][0](), PLAIN[name][1]()
    for parameter in list(model.parameters())[::3]:
        parameter.requires_grad_(False)
    modules = modules_of(graph(tmp_path, model, x))
    root = type(model).__name__
    for path, module in model.named_modules():
        found = [node for scope, node in modules.items() if attribute_path(scope, root) == path]
        for node in found:
            own = list(module.parameters(recurse=False))
            trainable = sum(p.numel() for p in module.parameters() if p.requires_grad)
            assert node.op == type(module).__name__
            assert node.attr["parameters"].i == sum(p.numel() for p in own)
            assert node.attr["parameters_total"].i == sum(p.numel() for p in module.parameters())
            assert node.attr["parameters_trainable"].i == trainable
            assert node.attr["trainable"].b == (trainable > 0)
        assert len(found) == 1 or not is_called(module)


def attribute_path(scope: str, root: str) -> str:
    return ".".join(re.findall(r"\[(.+?)\]", scope.removeprefix(root)))


def is_called(module: Any) -> bool:
    uncalled = ("ModuleList", "ModuleDict", "NonDynamicallyQuantizableLinear")
    return type(module).__name__ not in uncalled


@plain_models
def test_inputs_modules_and_outputs_are_connected(tmp_path: Path, name: str) -> None:
    model, x = PLAIN[name][0](), PLAIN[name][1]()
    made = graph(tmp_path, model, x)
    needed = ancestors_of(made, "output/output.1")
    assert set(modules_of(made)) <= needed
    assert {node.name for node in made.node if node.name.startswith("input/")} <= needed
    parameters = [node.name for node in made.node if node.op == "Parameter"]
    assert len(parameters) == len(list(model.parameters()))
    assert set(parameters) <= needed


def test_the_shape_type_device_and_text_of_a_module_are_said(tmp_path: Path) -> None:
    nodes = nodes_by_name(graph(tmp_path, Mlp().double(), torch.randn(3, 8, dtype=torch.float64)))
    fc1 = nodes["Mlp/Linear[fc1]"]
    assert shapes_of(fc1) == [[3, 16]]
    assert fc1.attr["dtype"].type == 2  # DT_DOUBLE
    assert fc1.device == "/device:CPU:0"
    assert text_of(fc1) == "in_features=8, out_features=16, bias=True"
    weight = nodes["Mlp/Linear[fc1]/weight"]
    assert (weight.op, shapes_of(weight), text_of(weight)) == ("Parameter", [[16, 8]], "fc1.weight")
    assert weight.attr["trainable"].b


def test_data_flows_through_code_between_modules(tmp_path: Path) -> None:
    made = graph(tmp_path, Cnn(), torch.randn(2, 3, 8, 8))
    features, first, second = (
        "Cnn/Sequential[features]",
        *(f"Cnn/ModuleList[blocks]/Conv2d[{n}]" for n in (0, 1)),
    )
    head = "Cnn/ModuleDict[heads]/Linear[small]"
    flow = module_edges_of(made)
    assert {(features, first), (features, second), (first, second), (second, head), (head, "Cnn")} <= flow
    assert ("Cnn", "output/output.1") in flow
    ops = {node.op for node in made.node if re.fullmatch(r"Cnn/[a-z_0-9]+", node.name)}
    assert ops == {"relu", "add", "mean"}


def test_an_operation_says_its_arguments(tmp_path: Path) -> None:
    class Net(nn.Module):
        def forward(self, x: Any) -> Any:
            return torch.cat([x, x], dim=1)[:, 1:3].to(torch.float16).sum(-1, keepdim=True)

    nodes = nodes_by_name(graph(tmp_path, Net(), torch.randn(2, 4)))
    assert {name: text_of(nodes[f"Net/{name}"]) for name in ("cat", "getitem", "to", "sum")} == {
        "cat": "dim=1",
        "getitem": "(::, 1:3:)",
        "to": "torch.float16",
        "sum": "-1, keepdim=True",
    }
    assert nodes["Net/cat"].input == ["input/x", "input/x"]


def test_writing_in_place_is_seen(tmp_path: Path) -> None:
    class Net(nn.Module):
        def forward(self, x: Any) -> Any:
            y = torch.zeros(4, 4)
            y[0] = x
            y += 1
            torch.relu_(y)
            return y

    made = graph(tmp_path, Net(), torch.randn(4))
    assert ancestors_of(made, "output/output.1") >= {
        "input/x", "Net/zeros", "Net/setitem", "Net/add", "Net/relu"
    }  # fmt: skip
    assert nodes_by_name(made)["Net/relu"].op == "relu_"


# -- without a forward pass


def test_without_an_input_the_graph_is_the_tree_of_parameters(tmp_path: Path) -> None:
    class Shy(Cnn):
        def forward(self, image: Any) -> Any:
            raise AssertionError("called")

    model = Shy()
    made = graph(tmp_path, model)
    modules = modules_of(made)
    assert len(modules) == len(list(model.modules()))
    assert modules["Shy"].attr["parameters_total"].i == sum(p.numel() for p in model.parameters())
    tensors = [node for node in made.node if node.op in ("Parameter", "Buffer")]
    assert len(tensors) == len([*model.parameters(), *model.buffers()])
    assert (
        "Shy/Sequential[features]/BatchNorm2d[1]/running_mean",
        "Shy/Sequential[features]/BatchNorm2d[1]",
    ) in (edges_of(made))
    assert {node.name for node in made.node} - {"Shy"} == ancestors_of(made, "Shy")


def test_lazy_parameters_are_shown_without_a_shape_and_refused_in_a_pass(tmp_path: Path) -> None:
    model = nn.Sequential(nn.LazyLinear(3))
    made = graph(tmp_path / "tree", model)
    weight = nodes_by_name(made)["Sequential/LazyLinear[0]/weight"]
    assert weight.attr["_output_shapes"].list.shape[0].unknown_rank
    with (
        SummaryWriter(tmp_path / "pass", story=False) as writer,
        pytest.raises(BadArgumentError, match="lazy"),
    ):
        writer.add_graph(model, torch.randn(2, 4))
    assert nn.parameter.is_lazy(model[0].weight)


# -- bounds


def test_a_graph_is_bounded_and_still_leads_to_the_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(recorder, "MAX_NODES", 50)
    caplog.set_level(logging.INFO, "sightline.writer")
    made = graph(tmp_path, nn.Sequential(*[nn.Linear(2, 2) for _ in range(100)]), torch.randn(1, 2))
    assert len(made.node) < 60
    assert "input/input" in ancestors_of(made, "output/output.1")
    assert any("left out the rest" in record.message for record in caplog.records)


def test_a_thousand_modules_are_all_there(tmp_path: Path) -> None:
    blocks = [nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.LayerNorm(4)) for _ in range(250)]
    made = graph(tmp_path, nn.Sequential(*blocks), torch.randn(2, 4))
    assert len(modules_of(made)) == 1001
    assert made.ByteSize() < 1_000_000


def test_texts_and_names_are_bounded(tmp_path: Path) -> None:
    class Wordy(nn.Module):
        def extra_repr(self) -> str:
            return "wör'dy " * 1000

        def forward(self, x: Any) -> Any:
            return x + 1

    model = nn.ModuleDict({"a/b:1" + "c" * 1000: Wordy()})
    model.forward = lambda x: next(iter(model.values()))(x)  # type: ignore[method-assign]
    made = graph(tmp_path, model, torch.ones(1))
    (wordy,) = [node for node in made.node if node.op == "Wordy"]
    assert len(wordy.attr["attr"].s) <= 1000
    assert text_of(wordy).endswith("…")
    assert "'" not in text_of(wordy)
    assert re.fullmatch(r"ModuleDict/Wordy\[a_b_1c{195}\]", wordy.name)


# -- readers


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of packages that TensorBoard brings along
def test_tensorboards_plugin_serves_the_graph_and_lists_its_metadata(tmp_path: Path) -> None:
    from tensorboard.backend.event_processing import (
        data_provider,
        event_accumulator,
        plugin_event_multiplexer,
    )
    from tensorboard.context import RequestContext
    from tensorboard.plugins import base_plugin
    from tensorboard.plugins.graph import graphs_plugin

    made = graph(tmp_path / "run", Cnn(), torch.randn(2, 3, 8, 8))
    multiplexer = plugin_event_multiplexer.EventMultiplexer()
    multiplexer.AddRunsFromDirectory(str(tmp_path))
    multiplexer.Reload()
    provider = data_provider.MultiplexerDataProvider(multiplexer, str(tmp_path))
    plugin = graphs_plugin.GraphsPlugin(base_plugin.TBContext(logdir=str(tmp_path), data_provider=provider))
    context = RequestContext()
    info = plugin.info_impl(context, experiment="")["run"]
    assert info["run_graph"] is True
    assert info["tags"]["step1"]["profile"] is True
    body, kind = plugin.graph_impl(context, "run", None, False, "", 1024, "_too_large_attrs")
    assert kind == "text/x-protobuf"
    assert "Cnn/ModuleDict[heads]/Linear[small]" in body
    assert "_too_large_attrs" not in body
    body, _ = plugin.run_metadata_impl(context, "", "run", "step1")
    assert "/device:CPU:0" in body
    accumulator = event_accumulator.EventAccumulator(str(tmp_path / "run")).Reload()
    assert accumulator.Graph() == made
    assert accumulator.RunMetadata("step1").step_stats.dev_stats[0].device == "/device:CPU:0"


def test_names_stay_distinct_in_tensorboards_hierarchy(tmp_path: Path) -> None:
    made = graph(tmp_path, Cnn(), torch.randn(2, 3, 8, 8))
    names = strict_hierarchy(made)
    assert len(names) == len(made.node)
    assert "Cnn/(Cnn)" in names
    assert "Cnn/Sequential[features]/Conv2d[0]/(Conv2d[0])" in names


def test_our_own_reader_finds_the_graph(tmp_path: Path) -> None:
    made = graph(tmp_path, Mlp(), torch.randn(3, 8))
    with sightline.open(tmp_path, watch=False).wait() as log:
        (item,) = log["."].graphs["__run_graph__"]
        assert {node.name for node in item.graph_def.node} == set(nodes_by_name(made))


def test_verbose_prints_the_nodes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    graph(tmp_path, Mlp(), torch.randn(3, 8), True)
    assert "Mlp/Linear[fc2] = Linear(Mlp/Linear[fc2]/linear)" in capsys.readouterr().out


def test_what_is_no_model_is_refused(tmp_path: Path) -> None:
    with SummaryWriter(tmp_path, story=False) as writer:
        for thing in (None, "model.onnx", torch.randn(2), lambda x: x):
            with pytest.raises(BadArgumentError, match=r"torch\.nn\.Module"):
                writer.add_graph(thing, torch.randn(2))
    assert len(files_of(tmp_path)) == 1
