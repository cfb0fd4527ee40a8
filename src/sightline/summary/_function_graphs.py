"""Summary functions inside a ``tf.function``.

While TensorFlow traces a function there are no numbers yet: Python code runs once, and what it leaves in the
graph runs at every call. So there a summary function leaves a call of itself in the graph, with writer,
condition and scope as they were when it was traced; tensors arrive when the graph runs.
"""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, ParamSpec

from sightline.summary._context import current_scope, no_step_error, state

P = ParamSpec("P")


def runs_in_functions(*tensor_names: str) -> Callable[[Callable[P, bool]], Callable[P, bool]]:
    """Makes a summary function work inside a ``tf.function``; the arguments named may be tensors there."""

    def decorated(function: Callable[P, bool]) -> Callable[P, bool]:
        signature = inspect.signature(function)

        @functools.wraps(function)
        def called(*args: P.args, **kwargs: P.kwargs) -> bool:
            tensorflow = sys.modules.get("tensorflow")
            if tensorflow is None or getattr(tensorflow, "executing_eagerly", _always)():
                return function(*args, **kwargs)
            bound = signature.bind(*args, **kwargs)
            bound.apply_defaults()
            left: bool = _left_in_graph(tensorflow, function, bound.arguments, tensor_names)
            return left

        return called

    return decorated


def _always() -> bool:
    return True  # TensorFlow is just being imported


def _left_in_graph(
    tensorflow: Any, function: Callable[..., bool], arguments: dict[str, Any], tensor_names: tuple[str, ...]
) -> Any:
    """Puts a call of the function into the graph. The result is a tensor that says whether it wrote."""
    writer, scope = state.writer, current_scope()
    if writer is None:
        return False
    # Asked here and not when the graph runs: so TensorFlow keeps the order of reading and changing variables.
    condition = state.condition() if callable(state.condition) else state.condition
    if arguments["step"] is None:
        arguments["step"] = state.step
    if arguments["step"] is None:
        raise no_step_error()
    tensors = {}
    for name in tensor_names:
        value = arguments[name]
        if name == "tensor" and callable(value):
            value = value()
        if tensorflow.is_tensor(value) or _holds_tensors(tensorflow, value):
            tensors[name] = tensorflow.convert_to_tensor(value)

    def run(condition: Any, *values: Any) -> bool:
        with _found_around(writer, condition, scope):
            return function(**{**arguments, **dict(zip(tensors, values, strict=True))})

    inputs = [True if condition is None else condition, *tensors.values()]
    return tensorflow.py_function(run, inputs, tensorflow.bool)


def _holds_tensors(tensorflow: Any, value: Any) -> bool:
    return isinstance(value, (list, tuple)) and any(tensorflow.is_tensor(item) for item in value)


@contextmanager
def _found_around(writer: Any, condition: Any, scope: str) -> Iterator[None]:
    """The graph runs in threads of TensorFlow, which have no writer of their own."""
    before = state.writer, state.condition, state.scope
    state.writer, state.condition, state.scope = writer, condition, scope
    try:
        yield
    finally:
        state.writer, state.condition, state.scope = before
