"""JSON-like values of hyper-parameters: ``google.protobuf.Value`` ↔ Python.

The format has one kind of number, a double: an integer that was logged comes back as the float it was
stored as.
"""

from __future__ import annotations

import numbers
from collections.abc import Mapping, Sequence
from typing import Union

from sightline.formats.plugin_messages import ListValue, Struct, StructValue
from sightline.model.errors import BadArgumentError

HParamValue = Union[None, bool, float, str, "list[HParamValue]", "dict[str, HParamValue]"]


def python_from_struct_value(value: StructValue) -> HParamValue:
    """The Python value. A value of no kind at all is None, like a null."""
    if value.list_value is not None:
        return [python_from_struct_value(item) for item in value.list_value.values]
    if value.struct_value is not None:
        items = value.struct_value.fields.items()
        return {name: python_from_struct_value(item) for name, item in items}
    if value.number_value is not None:
        return value.number_value
    return value.string_value if value.string_value is not None else value.bool_value


def struct_value_from_python(value: object) -> StructValue:
    """The message of a Python value. Raises BadArgumentError for types that have no place in it."""
    if value is None:
        return StructValue(null_value=0)
    if isinstance(value, bool):  # before numbers: a bool is one in Python
        return StructValue(bool_value=value)
    if isinstance(value, numbers.Real):  # NumPy's scalars are, too
        return StructValue(number_value=float(value))
    if isinstance(value, str):
        return StructValue(string_value=value)
    if isinstance(value, Mapping):
        fields = {str(name): struct_value_from_python(item) for name, item in value.items()}
        return StructValue(struct_value=Struct(fields=fields))
    if isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray)):
        items = [struct_value_from_python(item) for item in value]
        return StructValue(list_value=ListValue(values=items))
    raise BadArgumentError(f"A value of type {type(value).__name__} cannot be a hyper-parameter: {value!r}")
