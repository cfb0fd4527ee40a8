"""The graph of an OpenVINO model, from the XML file that describes its layers.

The file is read element by element and never held as a whole. It is somebody else's: a document type, the
only way to make XML explode or to let it read other files, is refused, and so are files of absurd size.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from xml.parsers import expat

from sightline.formats.messages import DataType
from sightline.model.errors import BadArgumentError, NoSuchPathError
from sightline.writer.model_graphs.nodes import GraphNode, Names, TensorFacts, reference

MAX_FILE_BYTES = 256 << 20
MAX_LAYERS = 200_000
MAX_EDGES = 1_000_000

_DTYPES = {
    "FP64": DataType.DOUBLE,
    "FP32": DataType.FLOAT,
    "FP16": DataType.HALF,
    "BF16": DataType.BFLOAT16,
    "I64": DataType.INT64,
    "I32": DataType.INT32,
    "I16": DataType.INT16,
    "I8": DataType.INT8,
    "U64": DataType.UINT64,
    "U32": DataType.UINT32,
    "U16": DataType.UINT16,
    "U8": DataType.UINT8,
    "BOOL": DataType.BOOL,
    "STRING": DataType.STRING,
}


@dataclass
class _Port:
    id: str
    precision: str = ""
    dims: list[int] = field(default_factory=list)


@dataclass
class _Layer:
    id: str
    name: str
    type: str
    data: dict[str, str] = field(default_factory=dict)
    outputs: list[_Port] = field(default_factory=list)
    slot_of_port: dict[str, int] = field(default_factory=dict)
    inputs: list[tuple[str, str]] = field(default_factory=list)
    """The layer that each edge comes from, and the port there."""


class _Reader:
    """Handlers of the XML parser. The path tells layers of the model from those inside a layer's body."""

    def __init__(self) -> None:
        self.layers: dict[str, _Layer] = {}
        self.edge_count = 0
        self._path: list[str] = []
        self._layer: _Layer | None = None
        self._dim = ""

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self._path.append(tag)
        place = tuple(self._path[1:])
        if place == ("layers", "layer"):
            layer_id = attributes.get("id", "")
            layer = _Layer(layer_id, attributes.get("name") or layer_id, attributes.get("type") or "op")
            self._layer = self.layers[layer_id] = layer
        elif place == ("edges", "edge"):
            self._add_edge(attributes)
        elif self._layer is not None and place == ("layers", "layer", "data"):
            self._layer.data.update(attributes)
        elif self._layer is not None and place == ("layers", "layer", "output", "port"):
            port = attributes.get("id", "")
            self._layer.slot_of_port.setdefault(port, len(self._layer.outputs))
            self._layer.outputs.append(_Port(port, attributes.get("precision", "")))
        if len(self.layers) > MAX_LAYERS or self.edge_count > MAX_EDGES:
            raise BadArgumentError(f"it has more than {MAX_LAYERS:,} layers or {MAX_EDGES:,} edges")
        self._dim = ""

    def text(self, text: str) -> None:
        if self._path[-1:] == ["dim"] and len(self._dim) < 20:
            self._dim += text

    def end(self, tag: str) -> None:
        if tuple(self._path[1:]) == ("layers", "layer", "output", "port", "dim") and self._layer is not None:
            try:
                self._layer.outputs[-1].dims.append(int(self._dim))
            except ValueError:  # "?" or a range: any size
                self._layer.outputs[-1].dims.append(-1)
        self._path.pop()

    def refuse(self, *_: object) -> None:
        raise BadArgumentError("it declares a document type, which no OpenVINO model does")

    def _add_edge(self, attributes: dict[str, str]) -> None:
        source, target = attributes.get("from-layer", ""), attributes.get("to-layer", "")
        if source not in self.layers or target not in self.layers:
            raise BadArgumentError(
                f"an edge leads from layer {source!r} to layer {target!r}, and one is not there"
            )
        self.edge_count += 1
        self.layers[target].inputs.append((source, attributes.get("from-port", "")))


def openvino_nodes(path: str | PathLike[str]) -> list[GraphNode]:
    """The nodes of the graph in a file. Raises NoSuchPathError and BadArgumentError."""
    try:
        layers = _read_layers(Path(path))
    except FileNotFoundError as error:
        raise NoSuchPathError(str(path), "Pass the path of an OpenVINO model's XML file") from error
    except (OSError, expat.ExpatError, BadArgumentError) as error:
        raise BadArgumentError(f"This file cannot be read as an OpenVINO model ({error}): {path}") from error
    if not layers:
        raise BadArgumentError(
            f"There are no layers in this file. Pass the XML file of an OpenVINO model: {path}"
        )
    names = Names()
    name_of = {layer.id: names.unique(layer.name) for layer in layers.values()}
    return [_node(layer, layers, name_of) for layer in layers.values()]


def _read_layers(path: Path) -> dict[str, _Layer]:
    if path.stat().st_size > MAX_FILE_BYTES:
        raise BadArgumentError(f"it has more than {MAX_FILE_BYTES >> 20} MB")
    reader = _Reader()
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = reader.start
    parser.CharacterDataHandler = reader.text
    parser.EndElementHandler = reader.end
    parser.StartDoctypeDeclHandler = reader.refuse
    with path.open("rb") as file:
        parser.ParseFile(file)
    return reader.layers


def _node(layer: _Layer, layers: dict[str, _Layer], name_of: dict[str, str]) -> GraphNode:
    inputs = [reference(name_of[source], _slot(layers[source], port)) for source, port in layer.inputs]
    outputs = [
        TensorFacts(tuple(port.dims), _DTYPES.get(port.precision, DataType.INVALID)) for port in layer.outputs
    ]
    text = ", ".join(f"{key} = {value}" for key, value in layer.data.items())
    return GraphNode(name_of[layer.id], layer.type, inputs, outputs, text, text_key="parameters")


def _slot(layer: _Layer, port: str) -> int:
    """Ports are numbered through inputs and outputs; slots count outputs only."""
    return layer.slot_of_port.get(port, 0)
