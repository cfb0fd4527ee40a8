"""How operations that a torch model ran are named and described."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

MAX_ARGUMENTS = 20
MAX_ITEMS = 8
MAX_STRING_CHARS = 80


def operation_name(function: Any) -> str:
    """The name people know: ``linear``, ``add_``, ``getitem``."""
    name = getattr(function, "__name__", "") or type(function).__name__
    if name == "__get__":  # an attribute that is a tensor, as x.T
        name = getattr(getattr(function, "__self__", None), "__name__", name)
    return name.strip("_") if name.startswith("_") else name


def is_in_place(function: Any) -> bool:
    """Whether the first argument is changed although nothing is returned."""
    return getattr(function, "__name__", "") in ("__setitem__", "__set__")


def operation_text(args: Sequence[Any], kwargs: Mapping[str, Any], torch: Any) -> str:
    """The arguments that are no tensors, in order."""
    shown = [_argument(value, torch) for value in args[:MAX_ARGUMENTS]]
    shown += [
        text and f"{key}={text}"
        for key, value in list(kwargs.items())[:MAX_ARGUMENTS]
        for text in [_argument(value, torch)]
    ]
    return ", ".join(text for text in shown if text)


def _argument(value: Any, torch: Any, depth_left: int = 2) -> str:
    """Short and safe for any value; empty for tensors and lists of them, which are edges."""
    if isinstance(value, torch.Tensor):
        return ""
    if value is None or value is ... or isinstance(value, (bool, int, float, complex)):
        return repr(value)
    if isinstance(value, (torch.dtype, torch.device, torch.memory_format, torch.layout)):
        return str(value)
    if isinstance(value, str):
        return value if len(value) <= MAX_STRING_CHARS else f"{value[:MAX_STRING_CHARS]}…"
    if isinstance(value, slice):
        bounds = (value.start, value.stop, value.step)
        return ":".join("" if bound is None else _argument(bound, torch) for bound in bounds[:3])
    if isinstance(value, (list, tuple)):
        return _items(value, torch, depth_left)
    return type(value).__name__


def _items(values: Sequence[Any], torch: Any, depth_left: int) -> str:
    if not depth_left:
        return "…"
    shown = [_argument(value, torch, depth_left - 1) for value in values[:MAX_ITEMS]]
    if not any(shown):
        return ""
    more = ", …" if len(values) > MAX_ITEMS else ""
    return f"({', '.join(text or 'tensor' for text in shown)}{more})"
