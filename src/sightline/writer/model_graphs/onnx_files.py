"""The graph of an ONNX file, without the onnx package.

Only the fields a graph shows are declared, so the decoder steps over weights without looking at them, and
the file is mapped, not read. The nodes are those of ``torch.utils.tensorboard``: an operation has the name of
its first result, graph inputs are ``Variable`` nodes. Where that writer contradicts itself this one does not:
results of the graph are ``output/…`` nodes behind the operation that makes them (there, two nodes share a
name), further results are references to their operation, and element types are translated to those of graphs.
"""

from __future__ import annotations

import mmap
from array import array
from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from sightline.formats.messages import DataType
from sightline.formats.wire import Message, field, repeated
from sightline.formats.wire_types import BYTES, ENUM, FLOAT, INT64, STRING
from sightline.model.errors import BadArgumentError, DamagedValueError, NoSuchPathError
from sightline.writer.model_graphs.nodes import GraphNode, Names, TensorFacts, reference

# Of one attribute's text.
MAX_ITEMS = 8
MAX_STRING_BYTES = 100

# ONNX's element types as those of graphs.
DTYPES = {
    1: DataType.FLOAT,
    2: DataType.UINT8,
    3: DataType.INT8,
    4: DataType.UINT16,
    5: DataType.INT16,
    6: DataType.INT32,
    7: DataType.INT64,
    8: DataType.STRING,
    9: DataType.BOOL,
    10: DataType.HALF,
    11: DataType.DOUBLE,
    12: DataType.UINT32,
    13: DataType.UINT64,
    14: DataType.COMPLEX64,
    15: DataType.COMPLEX128,
    16: DataType.BFLOAT16,
    17: DataType.FLOAT8_E4M3FN,
    18: DataType.FLOAT8_E4M3FNUZ,
    19: DataType.FLOAT8_E5M2,
    20: DataType.FLOAT8_E5M2FNUZ,
    21: DataType.UINT4,
    22: DataType.INT4,
    23: DataType.FLOAT4_E2M1FN,
    25: DataType.UINT2,
    26: DataType.INT2,
}

# -- messages


class OnnxDim(Message):
    dim_value: int | None = field(1, INT64, oneof="value")
    dim_param: str | None = field(2, STRING, oneof="value")


class OnnxShape(Message):
    dim: Sequence[OnnxDim] = repeated(1, OnnxDim)


class OnnxTensorType(Message):
    elem_type: int = field(1, ENUM)
    shape: OnnxShape | None = field(2, OnnxShape)


class OnnxType(Message):
    tensor_type: OnnxTensorType | None = field(1, OnnxTensorType)


class OnnxValueInfo(Message):
    name: str = field(1, STRING)
    type: OnnxType | None = field(2, OnnxType)


class OnnxTensor(Message):
    """A weight, without its elements."""

    dims: Sequence[int] = repeated(1, INT64)
    data_type: int = field(2, ENUM)
    name: str = field(8, STRING)


class OnnxGraphName(Message):
    """A graph inside an attribute: only its name is shown."""

    name: str = field(2, STRING)


class OnnxAttribute(Message):
    name: str = field(1, STRING)
    f: float = field(2, FLOAT)
    i: int = field(3, INT64)
    s: bytes = field(4, BYTES)
    t: OnnxTensor | None = field(5, OnnxTensor)
    g: OnnxGraphName | None = field(6, OnnxGraphName)
    floats: Sequence[float] = repeated(7, FLOAT)
    ints: Sequence[int] = repeated(8, INT64)
    strings: Sequence[bytes] = repeated(9, BYTES)
    tensors: Sequence[OnnxTensor] = repeated(10, OnnxTensor)
    graphs: Sequence[OnnxGraphName] = repeated(11, OnnxGraphName)
    type: int = field(20, ENUM)
    ref_attr_name: str = field(21, STRING)


class OnnxNode(Message):
    input: Sequence[str] = repeated(1, STRING)
    output: Sequence[str] = repeated(2, STRING)
    name: str = field(3, STRING)
    op_type: str = field(4, STRING)
    attribute: Sequence[OnnxAttribute] = repeated(5, OnnxAttribute)
    domain: str = field(7, STRING)


class OnnxGraph(Message):
    node: Sequence[OnnxNode] = repeated(1, OnnxNode)
    name: str = field(2, STRING)
    initializer: Sequence[OnnxTensor] = repeated(5, OnnxTensor)
    input: Sequence[OnnxValueInfo] = repeated(11, OnnxValueInfo)
    output: Sequence[OnnxValueInfo] = repeated(12, OnnxValueInfo)
    value_info: Sequence[OnnxValueInfo] = repeated(13, OnnxValueInfo)


class OnnxModel(Message):
    ir_version: int = field(1, INT64)
    graph: OnnxGraph | None = field(7, OnnxGraph)


# -- from file to nodes


def onnx_nodes(path: str | PathLike[str]) -> list[GraphNode]:
    """The nodes of the graph in a file. Raises NoSuchPathError and BadArgumentError."""
    graph = _read_model(Path(path)).graph
    if graph is None or not (graph.node or graph.input or graph.output):
        raise BadArgumentError(f"There is no graph in this file. Pass the path of an ONNX model: {path}")
    return _OnnxNodes(graph).nodes()


def _read_model(path: Path) -> OnnxModel:
    try:
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            return OnnxModel.decode(data)
    except FileNotFoundError as error:
        raise NoSuchPathError(str(path), "Pass the path of an ONNX model") from error
    except (OSError, ValueError) as error:  # a directory, no permission, an empty file; damaged
        reason = error.reason if isinstance(error, DamagedValueError) else str(error)
        raise BadArgumentError(f"This file cannot be read as an ONNX model ({reason}): {path}") from error


class _OnnxNodes:
    def __init__(self, graph: OnnxGraph) -> None:
        self._graph = graph
        self._names = Names()
        self._refs: dict[str, str] = {}
        described = (*graph.value_info, *graph.input, *graph.output)
        self._facts = {info.name: _facts_of(info) for info in described}

    def nodes(self) -> list[GraphNode]:
        graph = self._graph
        nodes = [self._variable(info) for info in graph.input]
        nodes += [self._constant(tensor) for tensor in graph.initializer if tensor.name not in self._refs]
        shown = [node for node in graph.node if any(node.output)]
        # All names first: inputs may stand before the node that makes them.
        names = [self._name_outputs(node) for node in shown]
        nodes += [self._operation(node, name) for node, name in zip(shown, names, strict=True)]
        return nodes + [self._result(info) for info in graph.output]

    def _variable(self, info: OnnxValueInfo) -> GraphNode:
        name = self._refs[info.name] = self._names.unique(info.name)
        return _variable_node(name, [], self._facts[info.name])

    def _constant(self, tensor: OnnxTensor) -> GraphNode:
        name = self._refs[tensor.name] = self._names.unique(tensor.name)
        facts = TensorFacts(tuple(tensor.dims), DTYPES.get(tensor.data_type, DataType.INVALID))
        return GraphNode(name, "Const", outputs=[facts], text_key="parameters")

    def _name_outputs(self, node: OnnxNode) -> str:
        name = self._names.unique(next(output for output in node.output if output))
        for slot, output in enumerate(output for output in node.output if output):
            self._refs.setdefault(output, reference(name, slot))
        return name

    def _operation(self, node: OnnxNode, name: str) -> GraphNode:
        inputs = [self._refs.get(source, source) for source in node.input if source]
        outputs = [self._facts.get(output, TensorFacts(None)) for output in node.output if output]
        text = ", ".join(f"{one.name} = {_attribute_text(one)}" for one in node.attribute)
        return GraphNode(name, node.op_type, inputs, outputs, text, text_key="parameters")

    def _result(self, info: OnnxValueInfo) -> GraphNode:
        name = self._names.unique(f"output/{info.name}")
        inputs = [self._refs[info.name]] if info.name in self._refs else []
        return _variable_node(name, inputs, self._facts[info.name])


def _variable_node(name: str, inputs: Sequence[str], facts: TensorFacts) -> GraphNode:
    shape = {"shape": facts.shape} if facts.shape is not None else {}
    return GraphNode(name, "Variable", inputs, [facts], facts=shape, text_key="parameters")


def _facts_of(info: OnnxValueInfo) -> TensorFacts:
    tensor = info.type.tensor_type if info.type is not None else None
    if tensor is None:
        return TensorFacts(None)
    dtype = DTYPES.get(tensor.elem_type, DataType.INVALID)
    if tensor.shape is None:
        return TensorFacts(None, dtype)
    return TensorFacts(
        tuple(-1 if dim.dim_value is None else dim.dim_value for dim in tensor.shape.dim), dtype
    )


def _attribute_text(one: OnnxAttribute) -> str:
    if one.ref_attr_name:
        return f"@{one.ref_attr_name}"
    # In the order of ONNX's attribute types, which begin with "undefined".
    values = (
        "",
        one.f,
        one.i,
        one.s,
        one.t,
        one.g,
        one.floats,
        one.ints,
        one.strings,
        one.tensors,
        one.graphs,
    )
    return _text(values[one.type]) if 0 <= one.type < len(values) else ""


def _text(value: Any) -> str:
    if isinstance(value, bytes):
        return value[:MAX_STRING_BYTES].decode("utf-8", "backslashreplace")
    if isinstance(value, float):
        return f"{value:.7g}"  # as many digits as its 32 bits hold
    if isinstance(value, OnnxTensor):
        return f"tensor of shape {list(value.dims)}"
    if isinstance(value, OnnxGraphName):
        return f"graph {value.name}"
    if isinstance(value, (list, tuple, array)):
        more = ", …" if len(value) > MAX_ITEMS else ""
        return f"[{', '.join(_text(item) for item in value[:MAX_ITEMS])}{more}]"
    return "" if value is None else str(value)
