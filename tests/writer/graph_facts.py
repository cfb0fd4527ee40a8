"""What a written graph says, read with TensorBoard's messages, and the rules every graph of ours obeys."""

from __future__ import annotations

import re
from collections.abc import Callable
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

from tensorboard.compat.proto.config_pb2 import RunMetadata
from tensorboard.compat.proto.graph_pb2 import GraphDef

from sightline import SummaryWriter
from tests.writer.reading import events_of


def written_graph(directory: Path, add: Callable[[SummaryWriter], object]) -> Any:
    """The GraphDef that `add` makes a writer write."""
    with SummaryWriter(directory, story=False) as writer:
        add(writer)
    return graph_of(directory)


def graph_of(directory: Path) -> Any:
    (data,) = [event.graph_def for event in events_of(directory) if event.HasField("graph_def")]
    return GraphDef.FromString(data)


def run_metadata_of(directory: Path) -> dict[str, Any]:
    """Tag → RunMetadata."""
    tagged = [
        event.tagged_run_metadata for event in events_of(directory) if event.HasField("tagged_run_metadata")
    ]
    return {one.tag: RunMetadata.FromString(one.run_metadata) for one in tagged}


def nodes_by_name(graph: Any) -> dict[str, Any]:
    return {node.name: node for node in graph.node}


def shapes_of(node: Any) -> list[list[int]]:
    return [[dim.size for dim in shape.dim] for shape in node.attr["_output_shapes"].list.shape]


def text_of(node: Any) -> str:
    return node.attr["attr"].s.decode()


def source_of(reference: str) -> str:
    return re.sub(r":\d+$", "", reference.removeprefix("^"))


def edges_of(graph: Any) -> set[tuple[str, str]]:
    return {(source_of(ref), node.name) for node in graph.node for ref in node.input}


def modules_of(graph: Any) -> dict[str, Any]:
    """The nodes of calls: only these count parameters."""
    return {node.name: node for node in graph.node if "parameters_total" in node.attr}


def ancestors_of(graph: Any, name: str) -> set[str]:
    """Every node that a node depends on."""
    nodes = nodes_by_name(graph)
    found: set[str] = set()
    waiting = [name]
    while waiting:
        for ref in nodes[waiting.pop()].input:
            if source_of(ref) not in found:
                found.add(source_of(ref))
                waiting.append(source_of(ref))
    return found


def module_edges_of(graph: Any) -> set[tuple[str, str]]:
    """Edges between calls and inputs, over all operations in between, each from the nearest call."""
    nodes, modules = nodes_by_name(graph), modules_of(graph)
    edges: set[tuple[str, str]] = set()
    for name in [*modules, *(node.name for node in graph.node if node.name.startswith("output/"))]:
        waiting, seen = [name], set()
        while waiting:
            for ref in nodes[waiting.pop()].input:
                source = source_of(ref)
                if source in modules or source.startswith("input/"):
                    edges.add((source, name))
                elif source not in seen:
                    seen.add(source)
                    waiting.append(source)
    return edges


def assert_sound(graph: Any) -> None:
    """One name, one node; every reference leads to a result that is there; nothing depends on itself."""
    names = [node.name for node in graph.node]
    assert len(names) == len(set(names))
    nodes = nodes_by_name(graph)
    for node in graph.node:
        for ref in node.input:
            source = source_of(ref)
            assert source in nodes, (node.name, ref)
            slot = int(ref.removeprefix("^")[len(source) + 1 :] or 0)
            assert slot < max(1, len(shapes_of(nodes[source]))), (node.name, ref)
        for key, value in node.attr.items():
            assert value.ByteSize() <= 1024 or key == "_output_shapes"
    order = TopologicalSorter({name: {source_of(ref) for ref in node.input} for name, node in nodes.items()})
    order.prepare()  # raises when there is a circle
    assert graph.versions.producer == 22


def strict_hierarchy(graph: Any) -> set[str]:
    """The names TensorBoard's page makes: a node with the name of a scope moves into it, in brackets."""
    scopes = {
        name[:end] for name in nodes_by_name(graph) for end in (m.start() for m in re.finditer("/", name))
    }
    return {
        f"{name}/({name.rpartition('/')[2]})" if name in scopes else name for name in nodes_by_name(graph)
    }
