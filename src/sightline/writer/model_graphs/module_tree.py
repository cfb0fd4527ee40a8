"""Where each module and parameter lives in a model, and what is said about it.

A module's scope is the path from the model to it, in torch's style: ``Net/ModuleList[blocks]/Block[0]``. A
module that is held in several places has the scope of the first. Nothing here runs the model.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from sightline.formats.messages import DataType
from sightline.writer.model_graphs.nodes import Fact, GraphNode, Names, TensorFacts, device_name, name_part

_DTYPES = {
    **{dtype.name.lower(): dtype for dtype in DataType},
    # What torch calls otherwise.
    "float16": DataType.HALF,
    "float32": DataType.FLOAT,
    "float64": DataType.DOUBLE,
}


@dataclass(frozen=True, eq=False)
class Place:
    """A module in its model."""

    module: Any
    path: str
    """As torch names it: ``blocks.0``; empty for the model itself."""
    scope: str
    parent: Place | None

    @property
    def part(self) -> str:
        """The last part of the scope: ``Block[0]``."""
        return self.scope.rpartition("/")[2]


@dataclass
class ModuleTree:
    """All modules, parameters and buffers of a model, by identity."""

    root: Place
    places: dict[int, Place] = field(default_factory=dict)
    tensors: dict[int, tuple[Place, str, Any]] = field(default_factory=dict)
    """Each parameter, buffer and other tensor that a module holds, with its owner and its name there."""


def module_tree(model: Any, torch: Any) -> ModuleTree:
    """The tree of a model, parents before their children."""
    names = Names()
    tree = ModuleTree(Place(model, "", names.unique(name_part(class_name(model))), None))
    waiting = [tree.root]
    while waiting:
        place = waiting.pop()
        if id(place.module) in tree.places:
            continue
        tree.places[id(place.module)] = place
        for key, tensor in _own_tensors(place.module, torch):
            tree.tensors.setdefault(id(tensor), (place, key, tensor))
        waiting.extend(reversed(list(_children(place, names))))
    return tree


def _own_tensors(module: Any, torch: Any) -> list[tuple[str, Any]]:
    """Parameters, buffers, and tensors in plain attributes, alone or in a list or dict."""
    found = [*module._parameters.items(), *module._buffers.items()]
    for key, value in vars(module).items():
        if isinstance(value, torch.Tensor):
            found.append((key, value))
        elif isinstance(value, (list, tuple, dict)) and key not in ("_parameters", "_buffers"):
            items = value.items() if isinstance(value, dict) else enumerate(value)
            found += [(f"{key}.{name}", item) for name, item in items if isinstance(item, torch.Tensor)]
    return [(key, tensor) for key, tensor in found if tensor is not None]


def _children(place: Place, names: Names) -> Iterable[Place]:
    for key, module in place.module._modules.items():
        if module is not None:
            part = f"{name_part(class_name(module))}[{name_part(key)}]"
            path = f"{place.path}.{key}" if place.path else key
            yield Place(module, path, names.unique(f"{place.scope}/{part}"), place)


def is_scripted(module: Any) -> bool:
    """Whether a module was compiled by TorchScript: it runs without Python, and takes no hooks."""
    return type(module).__module__.startswith("torch.jit.")


def class_name(module: Any) -> str:
    """The name of a module's class; of a scripted one, what it was before."""
    return str(module.original_name) if is_scripted(module) else type(module).__name__


def tensor_facts(tensor: Any) -> TensorFacts:
    """Shape, type and device of a tensor, as far as its kind knows them."""
    try:
        shape = tuple(int(size) for size in tensor.shape)
    except (RuntimeError, TypeError):  # nested tensors, and parameters that wait for their first input
        shape = None
    return TensorFacts(shape, _dtype_of(tensor.dtype), _device_of(tensor.device))


@lru_cache(maxsize=100)
def _dtype_of(dtype: Any) -> DataType:
    return _DTYPES.get(str(dtype).removeprefix("torch."), DataType.INVALID)


@lru_cache(maxsize=100)
def _device_of(device: Any) -> str:
    return device_name(device.type, device.index)


def tensor_node(place: Place, key: str, tensor: Any, torch: Any, name: str) -> GraphNode:
    """The node of a tensor that a module holds."""
    facts = tensor_facts(tensor)
    is_parameter = isinstance(tensor, torch.nn.Parameter)
    return GraphNode(
        name,
        "Parameter" if is_parameter else "Buffer" if key in place.module._buffers else "Constant",
        outputs=[facts],
        text=f"{place.path}.{key}" if place.path else key,
        facts={"trainable": bool(tensor.requires_grad)} if is_parameter else {},
        device=facts.device,
    )


def tensor_name(place: Place, key: str) -> str:
    return f"{place.scope}/{name_part(key)}"


def module_facts(module: Any) -> dict[str, Fact]:
    """How many parameters a module has: itself, with all inside it, and of these how many are trained."""
    own = list({id(tensor): tensor for tensor in module._parameters.values() if tensor is not None}.values())
    inside = list(module.parameters()) if module._modules else own
    facts: dict[str, Fact] = {
        "parameters": sum(map(element_count, own)),
        "parameters_total": sum(map(element_count, inside)),
    }
    if inside:
        trained = sum(element_count(tensor) for tensor in inside if tensor.requires_grad)
        facts["parameters_trainable"] = trained
        facts["trainable"] = trained > 0
    return facts


def element_count(tensor: Any) -> int:
    """The number of elements; 0 for a parameter that waits for its first input."""
    return 0 if is_lazy(tensor) else int(tensor.numel())


def is_lazy(tensor: Any) -> bool:
    """Whether a parameter has no shape yet, as those of ``torch.nn.LazyLinear``."""
    return type(tensor).__name__ in ("UninitializedParameter", "UninitializedBuffer")


def module_text(module: Any) -> str:
    """What a module says about itself."""
    try:
        return str(module.extra_repr())
    except Exception as error:  # any code may stand there, and a graph is not worth failing for it
        return f"extra_repr() failed: {error!r}"


def tree_nodes(tree: ModuleTree, torch: Any) -> list[GraphNode]:
    """The graph of a model that was not run: parameters lead to their module, modules to the one around."""
    inputs: dict[int, list[str]] = {key: [] for key in tree.places}
    names = Names()
    nodes = []
    for place, key, tensor in tree.tensors.values():
        node = tensor_node(place, key, tensor, torch, names.unique(tensor_name(place, key)))
        nodes.append(node)
        inputs[id(place.module)].append(node.name)
    for place in tree.places.values():
        if place.parent is not None:
            inputs[id(place.parent.module)].append(place.scope)
    for place in reversed(tree.places.values()):
        nodes.append(module_node(place.module, place.scope, inputs[id(place.module)], []))
    return nodes


def module_node(module: Any, name: str, inputs: list[str], outputs: list[TensorFacts]) -> GraphNode:
    """The node of one call of a module. It has the name of the module's scope and is the way out of it."""
    facts = module_facts(module)
    if outputs:
        device = outputs[0].device
    else:
        first = next(iter(module.parameters()), None)
        device = tensor_facts(first).device if first is not None else ""
    return GraphNode(
        name, class_name(module), inputs, outputs, text=module_text(module), facts=facts, device=device
    )
