"""From a torch model and an example input to the nodes of its graph.

Modules and operations are recorded in one forward pass (``recorder``). Torch is never imported here: a model
brings it along.
"""

from __future__ import annotations

import inspect
import logging
import sys
from collections.abc import Sequence
from typing import Any

from sightline.model.errors import BadArgumentError
from sightline.writer.model_graphs.model_state import left_as_it_was
from sightline.writer.model_graphs.module_tree import is_lazy, module_tree, tree_nodes
from sightline.writer.model_graphs.nodes import GraphNode
from sightline.writer.model_graphs.recorder import MAX_NODES, Recorder
from sightline.writer.model_graphs.tensor_trees import tensors_in

log = logging.getLogger("sightline.writer")

_Arguments = tuple[tuple[Any, ...], dict[str, Any]]


def is_torch_module(model: object) -> bool:
    """Whether an object is a module of torch, without importing torch."""
    return any(
        base.__module__ == "torch.nn.modules.module" and base.__name__ == "Module"
        for base in type(model).__mro__
    )


def torch_nodes(model: Any, input_to_model: Any) -> list[GraphNode]:
    """The graph of one forward pass; of the modules and parameters alone when there is no input."""
    torch: Any = sys.modules["torch"]
    model = unwrapped(model)
    tree = module_tree(model, torch)
    if input_to_model is None:
        return tree_nodes(tree, torch)
    if any(is_lazy(tensor) for _, _, tensor in tree.tensors.values()):
        raise BadArgumentError(
            "The model has lazy parameters, which take their shape from the first batch. "
            "Call the model once before add_graph"
        )
    arguments = call_arguments(model, input_to_model)
    inputs = named_inputs(model, arguments, torch)
    recorder = Recorder(tree, torch)
    recorder.add_inputs(inputs)
    with left_as_it_was(torch, model, [tensor for _, tensor in inputs]):
        output = _run(model, arguments, recorder, inputs)
        recorder.add_outputs(tensors_in(output, torch))
    if recorder.is_full:
        log.info("the model ran more than %d modules and operations; add_graph left out the rest", MAX_NODES)
    return recorder.nodes()


def _run(model: Any, arguments: _Arguments, recorder: Recorder, inputs: Sequence[tuple[str, Any]]) -> object:
    args, kwargs = arguments
    try:
        with recorder.watching():
            return model(*args, **kwargs)
    except Exception as error:
        shapes = ", ".join(f"{path}: {tuple(tensor.shape)}" for path, tensor in inputs[:20]) or "no tensors"
        raise BadArgumentError(
            f"The model's forward pass failed on input_to_model ({shapes}): {type(error).__name__}: {error}. "
            "Pass what the model takes: a tensor, a tuple of arguments or a dict of keyword arguments"
        ) from error


def unwrapped(model: Any) -> Any:
    """The model itself, without the wrappers that compile it or spread it over devices.

    The call of a distributed wrapper would wait for all other processes to call it too.
    """
    while True:
        kind = type(model)
        if kind.__module__.startswith("torch.nn.parallel"):
            model = model.module
        elif kind.__module__.startswith("torch._dynamo") and kind.__name__ == "OptimizedModule":
            model = model._orig_mod
        else:
            return model


def call_arguments(model: Any, given: Any) -> _Arguments:
    """How to call the model with what was given.

    A tuple holds the arguments. So does a list or a named tuple, and a dict the keyword arguments, when the
    model's ``forward`` can take them so; else it is one argument. Anything else is one argument.
    """
    if type(given) is tuple:
        return given, {}
    if isinstance(given, dict):
        kwargs = {key: value for key, value in given.items() if isinstance(key, str)}
        if len(kwargs) == len(given) and _fits(model, (), kwargs):
            return (), kwargs
    elif isinstance(given, (list, tuple)) and _fits(model, tuple(given), {}):
        return tuple(given), {}
    return (given,), {}


def named_inputs(model: Any, arguments: _Arguments, torch: Any) -> list[tuple[str, Any]]:
    """The tensors among the arguments, named by the parameters of ``forward``."""
    args, kwargs = arguments
    signature = _signature(model)
    try:
        bound = signature.bind(*args, **kwargs).arguments if signature else None
    except TypeError:  # the call itself will say it better
        bound = None
    if signature is None or bound is None:
        return tensors_in(
            {**{f"input.{number}": value for number, value in enumerate(args)}, **kwargs}, torch
        )
    named: dict[str, Any] = {}
    for name, value in bound.items():
        if signature.parameters[name].kind is inspect.Parameter.VAR_KEYWORD:
            named.update(value)
        else:
            named[name] = value
    return tensors_in(named, torch)


def _fits(model: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    signature = _signature(model)
    if signature is None:
        return True
    try:
        signature.bind(*args, **kwargs)
    except TypeError:
        return False
    return True


def _signature(model: Any) -> inspect.Signature | None:
    try:
        return inspect.signature(model.forward)
    except (TypeError, ValueError):
        return None
