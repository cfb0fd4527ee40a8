"""What all graphs have in common, and Keras models; neither needs a framework."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tensorboard.compat.proto.graph_pb2 import GraphDef

import sightline
from sightline import SummaryWriter
from sightline.formats import graph_messages
from sightline.formats.messages import DataType
from sightline.model.errors import BadArgumentError
from sightline.writer.model_graphs.nodes import (
    GraphNode,
    Names,
    TensorFacts,
    graph_def_of,
    name_of_reference,
    reference,
    text_bytes,
)
from tests.writer.graph_facts import shapes_of
from tests.writer.reading import values_of

facts = st.builds(
    TensorFacts,
    st.none() | st.lists(st.integers(-1, 1 << 40), max_size=4).map(tuple),
    st.sampled_from(list(DataType)),
)
graph_nodes = st.builds(
    GraphNode,
    st.text(),
    st.text(),
    st.lists(st.text(), max_size=3),
    st.lists(facts, max_size=3),
    st.text(),
    st.dictionaries(st.sampled_from(["a", "b"]), st.booleans() | st.integers(-5, 1 << 60) | st.just((1, -1))),
    st.sampled_from(["attr", "parameters"]),
    st.text(),
)


@given(st.lists(graph_nodes, max_size=4))
def test_a_graph_says_what_its_nodes_say(nodes: list[GraphNode]) -> None:
    data = graph_def_of(nodes).encode()
    ours, theirs = graph_messages.GraphDef.decode(data), GraphDef.FromString(data)
    assert graph_messages.GraphDef.decode(ours.encode()) == ours
    assert GraphDef.FromString(ours.encode()) == theirs
    for node, made in zip(nodes, theirs.node, strict=True):
        assert (made.op, list(made.input), made.device) == (node.op, list(node.inputs), node.device)
        assert made.attr[node.text_key].s == text_bytes(node.text)
        assert shapes_of(made) == [list(one.shape or ()) for one in node.outputs]
        for key, fact in node.facts.items():
            value = made.attr[key]
            which = {bool: value.b, int: value.i, tuple: tuple(dim.size for dim in value.shape.dim)}[
                type(fact)
            ]
            assert which == fact


@given(st.lists(st.sampled_from(["a", "a_1", "a_1_1", "b"])))
def test_names_are_given_out_once(wanted: list[str]) -> None:
    names = Names()
    given_out = [names.unique(name) for name in wanted]
    assert len(set(given_out)) == len(given_out)
    assert all(got.startswith(name) for got, name in zip(given_out, wanted, strict=True))


def test_references_name_their_node() -> None:
    assert [reference("a/b", slot) for slot in (0, 1)] == ["a/b", "a/b:1"]
    assert [name_of_reference(ref) for ref in ("a/b", "a/b:1", "a:b")] == ["a/b", "a/b", "a:b"]


@given(st.text(min_size=300))
def test_long_texts_are_cut_between_characters(text: str) -> None:
    data = text_bytes(text * 4)
    assert len(data) <= 1000
    data.decode()


class KerasModel:
    """Looks like a model of Keras from outside, which is all that is asked."""

    __module__ = "keras.src.models.model"

    def to_json(self) -> str:
        return json.dumps({"class_name": "Sequential", "config": {"name": "grün", "layers": [{}]}})


KerasModel.__name__ = "Model"


def test_a_keras_model_is_written_as_keras_writes_it(tmp_path: Path) -> None:
    class Net(KerasModel):
        pass

    with SummaryWriter(tmp_path, story=False) as writer:
        writer.add_graph(Net())
    ((step, value),) = values_of(tmp_path)
    assert (step, value.tag) == (0, "keras")
    assert value.metadata.plugin_data.plugin_name == "graph_keras_model"
    assert value.metadata.plugin_data.content == b"1"
    assert value.tensor.dtype == DataType.STRING
    assert value.tensor.HasField("tensor_shape")
    assert not value.tensor.tensor_shape.dim
    assert json.loads(value.tensor.string_val[0])["config"]["name"] == "grün"
    with sightline.open(tmp_path, watch=False).wait() as log:
        (item,) = log["."].graphs["keras"]
        assert json.loads(bytes(item.bytes))["class_name"] == "Sequential"


def test_a_keras_model_that_cannot_be_described_is_refused(tmp_path: Path) -> None:
    class Net(KerasModel):
        def to_json(self) -> str:
            raise NotImplementedError("no get_config")

    class Subclassed(KerasModel):
        def to_json(self) -> str:
            return '{"class_name": "Subclassed", "config": {"name": "subclassed"}}'

    with SummaryWriter(tmp_path, story=False) as writer:
        with pytest.raises(BadArgumentError, match="no get_config"):
            writer.add_graph(Net())
        with pytest.raises(BadArgumentError, match="no layers of Subclassed"):
            writer.add_graph(Subclassed())
    assert not values_of(tmp_path)


def test_what_is_no_model_is_refused(tmp_path: Path) -> None:
    with (
        SummaryWriter(tmp_path, story=False) as writer,
        pytest.raises(BadArgumentError, match="add_onnx_graph"),
    ):
        writer.add_graph("model.onnx")


def test_openvino_files_are_refused_with_a_way_out(tmp_path: Path) -> None:
    with (
        SummaryWriter(tmp_path, story=False) as writer,
        pytest.raises(BadArgumentError, match="add_onnx_graph"),
    ):
        writer.add_openvino_graph("model.xml")


def test_no_framework_is_imported() -> None:
    code = (
        "import sys, sightline.writer.model_graphs.torch_models, sightline.writer.kinds.graphs\n"
        "import sightline.writer.model_graphs.onnx_files\n"
        "print([name for name in ('torch', 'keras', 'onnx', 'google.protobuf') if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
