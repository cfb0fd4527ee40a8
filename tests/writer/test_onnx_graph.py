"""Graphs of ONNX files, made with our own messages; the onnx package and torch's writer are the oracles."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sightline import SummaryWriter
from sightline.model.errors import BadArgumentError, NoSuchPathError
from sightline.writer.model_graphs.onnx_files import (
    DTYPES,
    OnnxAttribute,
    OnnxDim,
    OnnxGraph,
    OnnxGraphName,
    OnnxModel,
    OnnxNode,
    OnnxShape,
    OnnxTensor,
    OnnxTensorType,
    OnnxType,
    OnnxValueInfo,
)
from tests.writer.graph_facts import (
    ancestors_of,
    assert_sound,
    graph_of,
    nodes_by_name,
    shapes_of,
    written_graph,
)
from tests.writer.reading import events_of


def info(name: str, elem_type: int, shape: list[int | str]) -> OnnxValueInfo:
    dims = [OnnxDim(dim_param=size) if isinstance(size, str) else OnnxDim(dim_value=size) for size in shape]
    tensor_type = OnnxTensorType(elem_type=elem_type, shape=OnnxShape(dim=dims))
    return OnnxValueInfo(name=name, type=OnnxType(tensor_type=tensor_type))


def model() -> OnnxModel:
    conv = OnnxNode(
        input=["image", "weight", ""],
        output=["/conv/out"],
        name="/conv",
        op_type="Conv",
        attribute=[
            OnnxAttribute(name="kernel_shape", type=7, ints=[3, 3]),
            OnnxAttribute(name="auto_pad", type=3, s=b"SAME_UPPER"),
            OnnxAttribute(name="alpha", type=1, f=0.1),
            OnnxAttribute(name="group", type=2, i=1),
            OnnxAttribute(name="many", type=6, floats=[0.5] * 100),
            OnnxAttribute(name="value", type=4, t=OnnxTensor(dims=[2, 3], data_type=1)),
            OnnxAttribute(name="body", type=5, g=OnnxGraphName(name="inner")),
            OnnxAttribute(name="words", type=8, strings=[b"it's", b"\xff"]),
            OnnxAttribute(name="odd", type=99),
        ],
    )
    split = OnnxNode(input=["/conv/out"], output=["left", "right"], op_type="Split")
    join = OnnxNode(input=["right", "left", "ids"], output=["scores"], op_type="Custom", domain="mine")
    return OnnxModel(
        ir_version=8,
        graph=OnnxGraph(
            name="net",
            node=[conv, split, join],
            initializer=[OnnxTensor(dims=[8, 3, 3, 3], data_type=1, name="weight")],
            input=[info("image", 1, ["batch", 3, 8, 8]), info("ids", 7, [4])],
            output=[info("scores", 1, ["batch", 10])],
            value_info=[info("/conv/out", 1, ["batch", 8, 8, 8])],
        ),
    )


def graph_of_file(directory: Path, data: bytes) -> Any:
    path = directory / "model.onnx"
    path.write_bytes(data)
    made = written_graph(directory / "log", lambda writer: writer.add_onnx_graph(path))
    assert_sound(made)
    return made


def test_a_file_becomes_a_graph(tmp_path: Path) -> None:
    made = graph_of_file(tmp_path, model().encode())
    nodes = nodes_by_name(made)
    assert {name: (node.op, list(node.input)) for name, node in nodes.items()} == {
        "image": ("Variable", []),
        "ids": ("Variable", []),
        "weight": ("Const", []),
        "/conv/out": ("Conv", ["image", "weight"]),
        "left": ("Split", ["/conv/out"]),
        "scores": ("Custom", ["left:1", "left", "ids"]),
        "output/scores": ("Variable", ["scores"]),
    }
    assert shapes_of(nodes["image"]) == [[-1, 3, 8, 8]]
    assert [dim.size for dim in nodes["image"].attr["shape"].shape.dim] == [-1, 3, 8, 8]
    assert shapes_of(nodes["weight"]) == [[8, 3, 3, 3]]
    assert shapes_of(nodes["/conv/out"]) == [[-1, 8, 8, 8]]
    assert nodes["image"].attr["dtype"].type == 1  # DT_FLOAT
    assert nodes["ids"].attr["dtype"].type == 9  # DT_INT64; ONNX's own number means strings here
    assert nodes["/conv/out"].attr["parameters"].s.decode() == (
        "kernel_shape = [3, 3], auto_pad = SAME_UPPER, alpha = 0.1, group = 1, "
        "many = [0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, …], value = tensor of shape [2, 3], "
        "body = graph inner, words = [its, \\xff], odd = "
    )
    assert ancestors_of(made, "output/scores") >= {"image", "ids", "weight"}


def test_names_that_are_there_twice_stay_apart(tmp_path: Path) -> None:
    twice = OnnxGraph(
        node=[
            OnnxNode(output=["y"], op_type="A"),
            OnnxNode(output=["y"], op_type="B"),
            OnnxNode(op_type="Sink"),
        ],
        output=[info("y", 1, [1]), info("y", 1, [1]), info("nowhere", 1, [1])],
    )
    made = graph_of_file(tmp_path, OnnxModel(graph=twice).encode())
    assert [node.name for node in made.node] == ["y", "y_1", "output/y", "output/y_1", "output/nowhere"]


def test_weights_are_stepped_over(tmp_path: Path) -> None:
    """A tensor with the elements in every field that can hold them: none of it is looked at, or kept."""
    elements = bytes(1 << 20)
    size = b"\x80\x80\x40"  # 1 MiB as a varint
    tensor = OnnxTensor(dims=[1 << 18], data_type=1, name="weight").encode()
    tensor += b"".join(bytes([number << 3 | 2]) + size + elements for number in (4, 5, 7, 9))
    length = bytes(
        [len(tensor) & 0x7F | 0x80, len(tensor) >> 7 & 0x7F | 0x80, len(tensor) >> 14 & 0x7F | 0x80]
    )
    graph = b"\x2a" + length + bytes([len(tensor) >> 21]) + tensor
    graph += OnnxGraph(node=[OnnxNode(input=["weight"], output=["y"], op_type="Relu")]).encode()
    length = bytes([len(graph) & 0x7F | 0x80, len(graph) >> 7 & 0x7F | 0x80, len(graph) >> 14 & 0x7F | 0x80])
    made = graph_of_file(tmp_path, b"\x3a" + length + bytes([len(graph) >> 21]) + graph)
    assert shapes_of(nodes_by_name(made)["weight"]) == [[1 << 18]]
    assert made.ByteSize() < 1000


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "cannot be read as an ONNX model"),
        (b"\xff" * 100, "cannot be read as an ONNX model"),
        (model().encode()[:-20], "cannot be read as an ONNX model"),
        (OnnxModel(ir_version=8).encode(), "no graph"),
        (b"<?xml version='1.0'?><net/>", "cannot be read as an ONNX model|no graph"),
    ],
)
def test_a_file_that_is_no_model_is_refused_and_named(tmp_path: Path, data: bytes, reason: str) -> None:
    path = tmp_path / "bad.onnx"
    path.write_bytes(data)
    with SummaryWriter(tmp_path / "log", story=False) as writer:
        with pytest.raises(BadArgumentError, match=reason) as caught:
            writer.add_onnx_graph(str(path))
        assert str(caught.value).endswith(str(path))
    assert not any(event.HasField("graph_def") for event in events_of(tmp_path / "log"))


def test_a_path_that_is_no_file_is_refused(tmp_path: Path) -> None:
    with SummaryWriter(tmp_path / "log", story=False) as writer:
        with pytest.raises(NoSuchPathError, match="ONNX"):
            writer.add_onnx_graph(tmp_path / "missing.onnx")
        with pytest.raises(BadArgumentError, match="cannot be read"):
            writer.add_onnx_graph(tmp_path)


def test_our_messages_are_onnxs(tmp_path: Path) -> None:
    onnx = pytest.importorskip("onnx")
    theirs = onnx.ModelProto.FromString(model().encode())
    assert theirs.graph.node[0].attribute[0].ints == [3, 3]
    assert theirs.graph.initializer[0].name == "weight"
    assert theirs.graph.input[0].type.tensor_type.shape.dim[0].dim_param == "batch"
    # Nothing lands in a field that the real messages do not have.
    assert onnx.ModelProto.FromString(theirs.SerializeToString(deterministic=True)) == theirs
    again = OnnxModel.decode(theirs.SerializeToString())
    assert again == OnnxModel.decode(model().encode())


@pytest.mark.filterwarnings("ignore")  # of torch and onnx
def test_the_graph_is_that_of_torchs_writer(tmp_path: Path) -> None:
    onnx = pytest.importorskip("onnx")
    pytest.importorskip("torch")
    from torch.utils.tensorboard import SummaryWriter as TorchWriter

    helper, kinds = onnx.helper, onnx.TensorProto
    weight = helper.make_tensor("w", kinds.FLOAT, [4, 2], [0.5] * 8)
    graph = helper.make_graph(
        [
            helper.make_node("MatMul", ["x", "w"], ["h"]),
            helper.make_node("Clip", ["h", "low"], ["c"]),
            helper.make_node("TopK", ["c", "k"], ["top", "where"], axis=1, largest=1),
            helper.make_node("Softmax", ["top"], ["y"], axis=-1),
        ],
        "net",
        [helper.make_tensor_value_info(n, kinds.FLOAT, [3, 4] if n == "x" else []) for n in ("x", "low")]
        + [helper.make_tensor_value_info("k", kinds.INT64, [1])],
        [
            helper.make_tensor_value_info("y", kinds.FLOAT, [3, 1]),
            helper.make_tensor_value_info("where", 7, [3, 1]),
        ],
        [weight],
    )
    path = tmp_path / "model.onnx"
    onnx.save(helper.make_model(graph), str(path))
    with TorchWriter(str(tmp_path / "torch")) as writer:
        writer.add_onnx_graph(str(path))
    theirs = graph_of(tmp_path / "torch")
    ours = written_graph(tmp_path / "ours", lambda writer: writer.add_onnx_graph(str(path)))
    assert_sound(ours)

    outputs = {"y", "where"}
    operations = [(n.name, n.op, list(n.input)) for n in theirs.node if n.op != "Variable"]
    assert [
        (n.name, n.op, list(n.input)) for n in ours.node if n.op not in ("Variable", "Const")
    ] == operations

    def variables(made: Any, prefix: str) -> dict[str, Any]:
        found = [node for node in made.node if node.op == "Variable"]
        return {node.name.removeprefix(prefix): node.attr["shape"].shape for node in found}

    assert variables(ours, "output/") == variables(theirs, "")
    for node in theirs.node:
        if node.op == "Variable" and node.name not in outputs and node.name != "k":
            assert nodes_by_name(ours)[node.name].attr["dtype"] == node.attr["dtype"]
    assert ours.versions == theirs.versions


def test_every_element_type_is_translated() -> None:
    """By name: both sides name their types alike, but for a few."""
    onnx = pytest.importorskip("onnx")
    other_names = {
        "FLOAT16": "HALF",
        "FLOAT8E4M3FN": "FLOAT8_E4M3FN",
        "FLOAT8E4M3FNUZ": "FLOAT8_E4M3FNUZ",
        "FLOAT8E5M2": "FLOAT8_E5M2",
        "FLOAT8E5M2FNUZ": "FLOAT8_E5M2FNUZ",
        "FLOAT4E2M1": "FLOAT4_E2M1FN",
    }
    unknown = {"UNDEFINED", "FLOAT8E8M0", "FLOAT6E2M3", "FLOAT6E3M2"}  # graphs have no name for these
    for name, number in onnx.TensorProto.DataType.items():
        if name not in unknown:
            assert DTYPES[number].name == other_names.get(name, name)
