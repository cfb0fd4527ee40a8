"""Nodes of a graph as plain records, and the GraphDef made of them.

All that write graphs (torch models, ONNX files) gather `GraphNode`s first. A
record holds no tensor and no module, so a GraphDef can be made of it later, on the background thread.

A reference to a result is the node's name, or ``name:k`` for the results after the first. A node may have the
name of a scope: TensorBoard shows such a node's attributes as those of the whole scope.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from sightline.formats.graph_messages import (
    AttrListValue,
    AttrValue,
    DeviceStepStats,
    GraphDef,
    NodeDef,
    RunMetadata,
    StepStats,
    VersionDef,
)
from sightline.formats.messages import DataType, Dim, TensorShapeProto

# The version torch writes; readers take the node format of that time for granted.
PRODUCER = 22
# TensorBoard takes attributes beyond 1024 bytes away before it shows a node.
MAX_TEXT_BYTES = 1000
# Of one part of a name, between slashes.
MAX_PART_CHARS = 200


# An attribute: a number, a truth, or a shape.
Fact = int | bool | tuple[int, ...]


@dataclass(frozen=True)
class TensorFacts:
    """What a graph says about a tensor. No shape: even the number of dimensions is unknown."""

    shape: tuple[int, ...] | None
    dtype: DataType = DataType.INVALID
    device: str = ""


@dataclass
class GraphNode:
    name: str
    op: str
    inputs: Sequence[str] = ()
    outputs: Sequence[TensorFacts] = ()
    text: str = ""
    """Readable; shown as the attribute ``text_key``."""
    facts: Mapping[str, Fact] = field(default_factory=dict)
    """Further attributes."""
    text_key: str = "attr"
    device: str = ""


class Names:
    """Gives out names, each only once: a second ``relu`` becomes ``relu_1``."""

    def __init__(self) -> None:
        self._next: dict[str, int] = {}

    def unique(self, name: str) -> str:
        number = self._next.get(name)
        if number is None:
            self._next[name] = 1
            return name
        while (candidate := f"{name}_{number}") in self._next:
            number += 1
        self._next[name] = number + 1
        self._next[candidate] = 1
        return candidate


def reference(name: str, slot: int) -> str:
    """How other nodes name a result."""
    return f"{name}:{slot}" if slot else name


def name_of_reference(ref: str) -> str:
    """The node whose result is meant."""
    name, colon, slot = ref.rpartition(":")
    return name if colon and slot.isdecimal() else ref


def name_part(text: str) -> str:
    """A text as one part of a name: without the characters that part names and number results."""
    return text[:MAX_PART_CHARS].replace("/", "_").replace(":", "_")


def device_name(kind: str, index: int | None) -> str:
    """A device as graphs write it."""
    return f"/device:{kind.upper()}:{index or 0}"


def graph_def_of(nodes: Iterable[GraphNode]) -> GraphDef:
    made = [
        NodeDef(name=one.name, op=one.op, input=one.inputs, device=one.device, attr=_attributes(one))
        for one in nodes
    ]
    return GraphDef(node=made, versions=VersionDef(producer=PRODUCER))


def run_metadata_of(nodes: Iterable[GraphNode]) -> RunMetadata:
    """The statistics that go with a graph: its devices. Times are not known."""
    devices = sorted({node.device for node in nodes if node.device}) or [device_name("cpu", 0)]
    return RunMetadata(step_stats=StepStats(dev_stats=[DeviceStepStats(device=name) for name in devices]))


def text_bytes(text: str) -> bytes:
    """A readable attribute. TensorBoard's page stumbles over single quotes."""
    data = text.replace("'", "").encode("utf-8", "backslashreplace")
    if len(data) <= MAX_TEXT_BYTES:
        return data
    return data[: MAX_TEXT_BYTES - 3].decode("utf-8", "ignore").encode() + "…".encode()


def shape_proto(shape: Sequence[int] | None) -> TensorShapeProto:
    if shape is None:
        return TensorShapeProto(unknown_rank=True)
    return TensorShapeProto(dim=[Dim(size=size) for size in shape])


def _attributes(node: GraphNode) -> dict[str, AttrValue]:
    found = {node.text_key: AttrValue(s=text_bytes(node.text))}
    if node.outputs:
        shapes = [shape_proto(one.shape) for one in node.outputs]
        found["_output_shapes"] = AttrValue(list=AttrListValue(shape=shapes))
        dtypes = [one.dtype for one in node.outputs]
        if len(dtypes) > 1 and any(dtypes):
            found["dtype"] = AttrValue(list=AttrListValue(type=dtypes))
        elif dtypes[0]:
            found["dtype"] = AttrValue(type=dtypes[0])
    for key, fact in node.facts.items():
        if isinstance(fact, bool):  # before numbers: a bool is one in Python
            found[key] = AttrValue(b=fact)
        else:
            found[key] = AttrValue(i=fact) if isinstance(fact, int) else AttrValue(shape=shape_proto(fact))
    return found
