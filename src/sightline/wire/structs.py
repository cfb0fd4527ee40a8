"""Structs of the wire from the objects that they tell of."""

from __future__ import annotations

from typing import Any, TypeVar

from msgspec import Struct

AnyStruct = TypeVar("AnyStruct", bound=Struct)


def struct_of(kind: type[AnyStruct], source: object, **given: Any) -> AnyStruct:
    """With the attributes of the source under the same names, but for what is given."""
    found = {name: getattr(source, name) for name in kind.__struct_fields__ if name not in given}
    return kind(**found, **given)
