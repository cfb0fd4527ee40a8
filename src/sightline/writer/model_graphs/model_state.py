"""Runs a model once and leaves it, and all random streams, exactly as they were.

The pass runs in evaluation mode without gradients. Afterwards these are as before, also when it failed: the
training flag of each module; buffers and example inputs, which are copied first and written back when they
changed; and what each module's attributes refer to, so that a counter or a cached tensor goes back too. A
deep copy of the model would be simpler, but a model may fill the device. What is not undone: changes inside
lists and other objects that a module holds, and outside of the model.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

import numpy as np

_TABLES = ("_parameters", "_buffers", "_modules")


@contextmanager
def left_as_it_was(torch: Any, model: Any, inputs: Sequence[Any]) -> Iterator[None]:
    """Inside, `model` may be called; `inputs` are the tensors it will be given."""
    modules = list(model.modules())
    flags = [(module, module.training) for module in modules]
    tables = [_copy_of(table) for module in modules for table in _tables_of(module)]
    with torch.no_grad(), ExitStack() as stack:
        copies = [_Copy(torch, tensor) for tensor in _unique([*model.buffers(), *inputs])]
        stack.enter_context(_random_streams(torch, model))
        stack.enter_context(_plain_execution(torch))
        try:
            for module in modules:
                # Not eval(): models override train(), and may do far more there than set the flag.
                module.training = False
            yield
        finally:
            for module, is_training in flags:
                module.training = is_training
            for table, before in tables:
                _put_back(table, before)
            for copy in copies:
                copy.put_back()


def _unique(tensors: Sequence[Any]) -> list[Any]:
    return list({id(tensor): tensor for tensor in tensors}.values())


def _tables_of(module: Any) -> list[dict[str, Any]]:
    attributes = vars(module)
    return [attributes, *(attributes[name] for name in _TABLES if isinstance(attributes.get(name), dict))]


def _copy_of(table: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    return table, dict(table)


def _put_back(table: dict[str, Any], before: dict[str, Any]) -> None:
    # By identity: comparing tensors would compare their elements.
    if len(table) == len(before) and all(table.get(key, table) is value for key, value in before.items()):
        return
    table.clear()
    table.update(before)


class _Copy:
    """What a tensor held."""

    def __init__(self, torch: Any, tensor: Any) -> None:
        self._torch = torch
        self._tensor = tensor
        self._before = tensor.clone()
        # Tensors made in inference mode count no versions.
        self._version = 0 if tensor.is_inference() else tensor._version

    def put_back(self) -> None:
        """Writes back only what changed, and not as a new version: a backward pass may still need it."""
        if not self._is_changed():
            return
        with self._torch.inference_mode(self._tensor.is_inference()):
            if self._tensor.shape == self._before.shape:
                self._tensor.data.copy_(self._before)
            else:
                self._tensor.data = self._before

    def _is_changed(self) -> bool:
        # Versions alone do not tell: batch normalization changes its statistics without a new version.
        try:
            return not self._torch.equal(self._tensor, self._before)
        except (RuntimeError, NotImplementedError):  # kinds that cannot be compared: sparse, without data
            return not self._tensor.is_inference() and self._tensor._version != self._version


@contextmanager
def _random_streams(torch: Any, model: Any) -> Iterator[None]:
    """Draws inside do not shift the streams outside: those of torch, of Python and of NumPy."""
    of_python, of_numpy = random.getstate(), np.random.get_state()
    devices = {tensor.device for tensor in (*model.parameters(), *model.buffers())}
    kinds = {device.type for device in devices} - {"cpu", "meta"}
    try:
        with ExitStack() as stack:
            stack.enter_context(torch.random.fork_rng(devices=[]))
            for kind in sorted(kinds):
                indices = sorted({device.index or 0 for device in devices if device.type == kind})
                stack.enter_context(torch.random.fork_rng(devices=indices, device_type=kind))
            yield
    finally:
        random.setstate(of_python)
        np.random.set_state(of_numpy)


@contextmanager
def _plain_execution(torch: Any) -> Iterator[None]:
    """Modules run as they are written: not compiled, and not fused into one call as attention may be."""
    attention: Any = getattr(torch.backends, "mha", None)
    was_fast = attention.get_fastpath_enabled() if attention else False
    # Asking for the stance imports the compiler; when nobody has, nothing is compiled.
    has_compiler = "torch._dynamo" in sys.modules and hasattr(torch.compiler, "set_stance")
    with ExitStack() as stack:
        if has_compiler:
            stack.enter_context(torch.compiler.set_stance("force_eager"))
        try:
            if was_fast:
                attention.set_fastpath_enabled(False)
            yield
        finally:
            if was_fast:
                attention.set_fastpath_enabled(True)
