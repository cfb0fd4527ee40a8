"""Hyper-parameters as the format has them: bool, number or text, whatever a configuration holds.

Nested dicts become names with ``/``. What is no bool, number or text becomes text: lists and their like as
JSON, functions and classes by name, anything else as it prints. None is left out, as torch does:
TensorBoard cannot sort a column that has a null in it.
"""

from __future__ import annotations

import json
import numbers
from collections.abc import Mapping
from enum import Enum
from typing import Any

import numpy as np

from sightline.formats.plugin_messages import HParamType
from sightline.model.errors import BadArgumentError
from sightline.writer.engine.arguments import text_from
from sightline.writer.engine.arrays import array_from, is_torch_tensor
from sightline.writer.kinds.scalars import flattened

Plain = bool | float | str

TYPES: dict[type, HParamType] = {
    bool: HParamType.BOOL,
    int: HParamType.FLOAT64,
    float: HParamType.FLOAT64,
    str: HParamType.STRING,
}

# Readers show values in the cells of a table.
_LONGEST_MADE_TEXT = 10_000
_MOST_ELEMENTS_SPELLED = 1_000


def plain_hparams(hparams: Any) -> dict[str, Plain]:
    """All hyper-parameters of a (nested) dict by name."""
    if not isinstance(hparams, Mapping):
        raise BadArgumentError(
            f"hparam_dict is a dict, not {type(hparams).__name__}. Give vars(args) of a namespace"
        )
    try:
        leaves = list(flattened(hparams))
    except RecursionError:
        raise BadArgumentError("hparam_dict contains itself, or is nested too deep") from None
    plain: dict[str, Plain] = {}
    for name, value in leaves:
        if name in plain:
            raise BadArgumentError(
                f"Two hyper-parameters are called {name!r}; nested names are joined by '/'"
            )
        plain[name] = plain_value(value)
    return plain


def plain_domains(domains: Any, hparams: Mapping[str, Plain]) -> dict[str, list[Plain]]:
    """The values that hyper-parameters may have, checked against those they do have."""
    if not isinstance(domains, Mapping):
        raise BadArgumentError(f"hparam_domain_discrete is a dict of lists, not {type(domains).__name__}")
    plain = {}
    for name, values in domains.items():
        if name not in hparams:
            raise BadArgumentError(f"hparam_domain_discrete has {name!r}, which is no hyper-parameter")
        if not isinstance(values, (list, tuple)):
            raise BadArgumentError(f"hparam_domain_discrete[{name!r}] is a list, not {type(values).__name__}")
        plain[name] = [plain_value(value) for value in values]
        wanted = TYPES[type(hparams[name])]
        if any(TYPES[type(value)] is not wanted for value in plain[name]):
            raise BadArgumentError(
                f"hparam_domain_discrete[{name!r}] needs values of the type that the hyper-parameter has "
                f"({wanted.name}): {values!r}"
            )
    return plain


def plain_value(value: Any) -> Plain:
    """The bool, number or text of a value."""
    if isinstance(value, Enum):
        value = value.value if isinstance(value, (str, int, float)) else value.name
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, (str, bytes, bytearray)):
        return text_from(value)
    if isinstance(value, numbers.Real):  # NumPy's scalars are, too
        try:
            return float(value)
        except OverflowError:
            return _shortened(str(value))
    if callable(value):
        return _shortened(getattr(value, "__name__", None) or str(value))
    if is_torch_tensor(value) or (hasattr(value, "shape") and hasattr(value, "dtype")):
        return _plain_of_array(value)
    if isinstance(value, (list, tuple, set, frozenset, Mapping)):
        return _shortened(_json(value))
    return _shortened(str(value))


def _plain_of_array(value: Any) -> Plain:
    try:
        array = array_from(value)
    except BadArgumentError:
        return _shortened(str(value))
    if array.size == 1:
        return plain_value(array.reshape(()).item())
    if array.size > _MOST_ELEMENTS_SPELLED:
        return f"{array.dtype} array of shape {list(array.shape)}"
    return _shortened(_json(array.tolist()))


def _json(value: Any) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, default=_json_of_other)
    except (TypeError, ValueError):  # keys that are no text; a list that contains itself
        return str(value)
    except RecursionError:
        raise BadArgumentError("A hyper-parameter is nested too deep") from None


def _json_of_other(value: Any) -> Any:
    if isinstance(value, (set, frozenset)):
        return sorted(value, key=str)
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, np.ndarray) and value.size <= _MOST_ELEMENTS_SPELLED:
        return value.tolist()
    return plain_value(value)


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST_MADE_TEXT else f"{text[:_LONGEST_MADE_TEXT]}…"
