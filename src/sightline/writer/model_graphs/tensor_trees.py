"""The tensors inside whatever a model takes and returns, each with the path that leads to it.

Models pass tensors around in tuples, dicts, data classes, or objects of their own making. The walk goes into
all of them, in order, and is bounded: an object may hold anything, itself included.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any

MAX_DEPTH = 8
# Objects looked at in one walk. A batch has a few tensors; a cache of all layers has some hundreds.
MAX_VISITS = 20_000

_PLAIN = (int, float, complex, str, bytes, type(None), type)


def tensors_in(value: object, torch: Any) -> list[tuple[str, Any]]:
    """Path and tensor of each tensor in `value`; a tensor that is there twice counts twice."""
    if isinstance(value, torch.Tensor):  # nearly always
        return [("", value)]
    if isinstance(value, _PLAIN):
        return []
    walk = _Walk(torch)
    walk.look_at(value, "", MAX_DEPTH)
    return walk.found


class _Walk:
    def __init__(self, torch: Any) -> None:
        self.found: list[tuple[str, Any]] = []
        self._tensor = torch.Tensor
        # Modules hold parameters, which are no data that flows.
        self._skipped = (*_PLAIN, torch.nn.Module, torch.dtype, torch.device)
        self._visits_left = MAX_VISITS
        self._open: set[int] = set()

    def look_at(self, value: object, path: str, depth_left: int) -> None:
        if isinstance(value, self._tensor):
            self.found.append((path, value))
            return
        self._visits_left -= 1
        if isinstance(value, self._skipped) or not depth_left or self._visits_left < 0:
            return
        if id(value) in self._open:  # it holds itself
            return
        self._open.add(id(value))
        for key, item in _items_of(value):
            self.look_at(item, f"{path}.{key}" if path else str(key), depth_left - 1)
        self._open.discard(id(value))


def _items_of(value: Any) -> Iterable[tuple[object, object]]:
    """What an object is made of. Properties are not asked: they may compute."""
    if type(value) in (tuple, list):
        return enumerate(value)
    if isinstance(value, Mapping):
        return value.items()
    if isinstance(value, (tuple, list)):
        return zip(value._fields, value, strict=False) if hasattr(value, "_fields") else enumerate(value)
    if dataclasses.is_dataclass(value):
        return [(field.name, getattr(value, field.name, None)) for field in dataclasses.fields(value)]
    return [] if callable(value) else list(getattr(value, "__dict__", {}).items())
