"""Nodes of a graph as plain records, and the GraphDef made of them.

All that write graphs (torch models, ONNX files) gather `GraphNode`s first. A
record holds no tensor and no module, so a GraphDef can be made of it later, on the background thread.

A reference to a result is the node's name, or ``name:k`` for the results after the first. A node may have the
name of a scope: TensorBoard shows such a node's attributes as those of the whole scope.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from sightline.formats.graph_messages import (
    AttrListValue,
    AttrValue,
    DeviceStepStats,
    RunMetadata,
    StepStats,
    VersionDef,
)
from sightline.formats.messages import DataType, Dim, TensorShapeProto
from sightline.formats.wire import Message, repeated
from sightline.formats.wire import field as field_of
from sightline.formats.wire_types import BYTES, STRING

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


def graph_def_bytes(nodes: Iterable[GraphNode]) -> bytes:
    """The encoded GraphDef that holds these nodes."""
    encoded = [_node_bytes(node) for node in nodes]
    return _Graph(node=encoded, versions=VersionDef(producer=PRODUCER)).encode()


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


# Most attributes of a graph are the same few, so each is encoded once. On the wire a message inside another
# is bytes, and a map is a list of entries: these declare GraphDef and NodeDef with the inside still encoded.


class _Entry(Message):
    key: str = field_of(1, STRING)
    value: bytes = field_of(2, BYTES)


class _Node(Message):
    name: str = field_of(1, STRING)
    op: str = field_of(2, STRING)
    input: Sequence[str] = repeated(3, STRING)
    device: str = field_of(4, STRING)
    attr: Sequence[bytes] = repeated(5, BYTES)


class _Graph(Message):
    node: Sequence[bytes] = repeated(1, BYTES)
    versions: VersionDef | None = field_of(4, VersionDef)


def _node_bytes(node: GraphNode) -> bytes:
    attr = [_entry(node.text_key, AttrValue(s=text_bytes(node.text)))]
    if node.outputs:
        attr += _output_entries(tuple(node.outputs))
    attr += [_fact_entry(key, fact) for key, fact in node.facts.items()]
    return _Node(name=node.name, op=node.op, input=node.inputs, device=node.device, attr=attr).encode()


def _entry(key: str, value: AttrValue) -> bytes:
    return _Entry(key=key, value=value.encode()).encode()


@lru_cache(maxsize=1000)
def _output_entries(outputs: tuple[TensorFacts, ...]) -> list[bytes]:
    shapes = [shape_proto(one.shape) for one in outputs]
    entries = [_entry("_output_shapes", AttrValue(list=AttrListValue(shape=shapes)))]
    dtypes = [one.dtype for one in outputs]
    if len(dtypes) > 1 and any(dtypes):
        entries.append(_entry("dtype", AttrValue(list=AttrListValue(type=dtypes))))
    elif dtypes[0]:
        entries.append(_entry("dtype", AttrValue(type=dtypes[0])))
    return entries


@lru_cache(maxsize=1000, typed=True)
def _fact_entry(key: str, fact: Fact) -> bytes:
    if isinstance(fact, bool):
        return _entry(key, AttrValue(b=fact))
    return _entry(key, AttrValue(i=fact) if isinstance(fact, int) else AttrValue(shape=shape_proto(fact)))
