"""The operations of a torch model as ``torch.export`` sees them, inside the modules that were seen running.

Export runs the model again with tensors that have no data, and says of each operation from which call of
which module it came. The calls, their scopes and what is said about the modules are those of the recorded
pass; only what is inside them differs. As there, a result leaves a module through the module's node: here
that is found out from who uses it, because an exported program knows no calls, only operations.

Export takes seconds and refuses many models, so it is not what ``add_graph`` does unless it is asked to.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any

from sightline.writer.model_graphs.module_tree import (
    ModuleTree,
    Place,
    module_node,
    tensor_facts,
    tensor_name,
    tensor_node,
)
from sightline.writer.model_graphs.nodes import (
    GraphNode,
    Names,
    TensorFacts,
    name_of_reference,
    name_part,
    reference,
)
from sightline.writer.model_graphs.operations import operation_text
from sightline.writer.model_graphs.recorder import Call, Recorder

_Path = tuple[Call, ...]

# The reason a model cannot be exported may be pages of advice.
MAX_REASON_CHARS = 1000


class ExportFailedError(Exception):
    """``torch.export`` cannot take the model; the message is its reason. Never leaves the writer."""


def exported_nodes(
    torch: Any,
    model: Any,
    arguments: tuple[tuple[Any, ...], dict[str, Any]],
    recorder: Recorder,
    tree: ModuleTree,
) -> list[GraphNode]:
    """The graph of the exported program. Raises ExportFailedError."""
    args, kwargs = arguments
    try:
        program = torch.export.export(model, args, kwargs, strict=False)
        return _Program(torch, program, recorder, tree).nodes()
    except Exception as error:
        raise ExportFailedError(f"{type(error).__name__}: {error}"[:MAX_REASON_CHARS]) from error


@dataclass
class _Value:
    """A result in the program: who made it, inside which calls, and what it is. A tuple is several things."""

    ref: str
    path: _Path
    facts: list[TensorFacts]


@dataclass
class _Exit:
    """What leaves a call through its node, in the order of its slots."""

    slots: dict[str, int] = field(default_factory=dict)
    outputs: list[TensorFacts] = field(default_factory=list)


class _Program:
    def __init__(self, torch: Any, program: Any, recorder: Recorder, tree: ModuleTree) -> None:
        self._torch = torch
        self._program = program
        self._recorder = recorder
        self._calls = {(call.place.path, call.number): call for call in recorder.calls}
        self._model_tensors = tree.tensors_by_path
        self._names = Names()
        for call in recorder.calls:
            self._names.unique(call.scope)
        self._nodes: list[GraphNode] = []
        self._tensor_names: dict[int, str] = {}
        self._values: dict[Any, _Value] = {}
        self._exits: dict[int, _Exit] = {}

    def nodes(self) -> list[GraphNode]:
        signature = self._program.graph_signature
        inputs = iter(signature.input_specs)
        input_names = self._input_names(signature)
        for node in self._program.graph.nodes:
            if node.op == "placeholder":
                self._add_placeholder(node, next(inputs), input_names)
            elif node.op == "call_function":
                self._add_operation(node)
            elif node.op == "output":
                self._add_outputs(node, signature.output_specs)
        self._nodes.extend(self._module_nodes())
        return self._nodes

    # -- what the program is given

    def _input_names(self, signature: Any) -> Iterator[str]:
        """The names of the recorded inputs when both count the same ones, else the program's own."""
        recorded = self._recorder.input_names
        own = [f"input/{name_part(name)}" for name in signature.user_inputs if isinstance(name, str)]
        return iter(recorded if len(recorded) == len(own) else own)

    def _add_placeholder(self, node: Any, spec: Any, input_names: Iterator[str]) -> None:
        facts = self._facts(node)
        if not facts:
            return
        found = self._model_tensors.get(spec.target or "")
        if found is not None:
            if node.users:  # every tensor of the model is given, used or not
                self._values[node] = self._model_tensor(*found, facts)
            return
        if spec.kind.name == "USER_INPUT":
            made = GraphNode(self._names.unique(next(input_names)), "IO Node", outputs=facts)
        else:
            made = GraphNode(
                self._names.unique(f"constant/{name_part(node.name)}"), "Constant", outputs=facts
            )
        made.device = facts[0].device
        self._nodes.append(made)
        self._values[node] = _Value(made.name, (), facts)

    def _model_tensor(self, place: Place, key: str, tensor: Any, facts: list[TensorFacts]) -> _Value:
        """A parameter or buffer of the model; one that has several names there is one node."""
        if id(tensor) not in self._tensor_names:
            name = self._tensor_names[id(tensor)] = self._names.unique(tensor_name(place, key))
            self._nodes.append(tensor_node(place, key, tensor, self._torch, name))
        return _Value(self._tensor_names[id(tensor)], (), facts)

    # -- operations

    def _add_operation(self, node: Any) -> None:
        if node.target is operator.getitem and node.args[0] in self._values:
            whole, slot = self._values[node.args[0]], node.args[1]
            ref = reference(name_of_reference(whole.ref), slot)
            self._values[node] = _Value(ref, whole.path, whole.facts[slot : slot + 1])
            return
        facts = self._facts(node)
        if not facts:
            return
        path = self._path(node)
        op = _operation_of(node.target)
        scope = f"{path[-1].scope}/" if path else ""
        name = self._names.unique(scope + name_part(op.rpartition("::")[2].rstrip("_")))
        inputs = [
            self._way_to(self._values[other], path) for other in node.all_input_nodes if other in self._values
        ]
        text = operation_text(*self._without_nodes(node), self._torch)
        self._nodes.append(GraphNode(name, op, inputs, facts, text, device=facts[0].device))
        self._values[node] = _Value(name, path, facts)

    def _without_nodes(self, node: Any) -> tuple[list[Any], dict[str, Any]]:
        """The arguments that are values, not edges."""
        kind = type(node)
        args = [value for value in node.args if not isinstance(value, kind)]
        return args, {key: value for key, value in node.kwargs.items() if not isinstance(value, kind)}

    def _path(self, node: Any) -> _Path:
        """The calls a node is inside of, from the model inwards. A second call is marked ``@1``."""
        path = []
        for key, (module_path, _) in node.meta.get("nn_module_stack", {}).items():
            number = key.rpartition("@")[2]
            call = self._calls.get((module_path, int(number) if number.isdecimal() else 0))
            if call is None:  # the program took another way than the pass that was seen
                break
            path.append(call)
        return tuple(path)

    def _way_to(self, value: _Value, path: _Path) -> str:
        """The reference to a value from inside `path`: out of all calls that the user is not in."""
        shared = sum(
            1 for _ in takewhile(lambda pair: pair[0] is pair[1], zip(value.path, path, strict=False))
        )
        ref = value.ref
        for call in reversed(value.path[shared:]):
            way_out = self._exits.setdefault(id(call), _Exit())
            if ref not in way_out.slots:
                way_out.slots[ref] = len(way_out.slots)
                way_out.outputs.extend(value.facts[:1])
            ref = reference(call.scope, way_out.slots[ref])
        return ref

    def _facts(self, node: Any) -> list[TensorFacts]:
        values = node.meta.get("val")
        values = values if isinstance(values, (list, tuple)) else [values]
        return [tensor_facts(value) for value in values if isinstance(value, self._torch.Tensor)]

    # -- what comes out

    def _add_outputs(self, node: Any, specs: Any) -> None:
        given = [
            value for value, spec in zip(node.args[0], specs, strict=False) if spec.kind.name == "USER_OUTPUT"
        ]
        results = [self._values[value] for value in given if value in self._values]
        for number, value in enumerate(results, start=1):
            facts = value.facts[:1]
            inputs = [self._way_to(value, ())]
            self._nodes.append(GraphNode(f"output/output.{number}", "IO Node", inputs, facts))

    def _module_nodes(self) -> Iterator[GraphNode]:
        names = {node.name for node in self._nodes} | {call.scope for call in self._recorder.calls}
        for call in self._recorder.calls:
            way_out = self._exits.get(id(call))
            if way_out is not None:
                sources, outputs = list(way_out.slots), way_out.outputs
            else:  # nothing came out of it, or what went in: its place is known from the recorded pass
                sources = [ref for ref in call.inputs if name_of_reference(ref) in names]
                outputs = call.outputs
            yield module_node(call.place.module, call.scope, sources, outputs)


def _operation_of(target: Any) -> str:
    schema = getattr(target, "_schema", None)
    return str(schema.name if schema is not None else getattr(target, "__name__", target))
