from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.formats.plugin_messages import StructValue
from sightline.formats.struct_values import HParamValue, python_from_struct_value, struct_value_from_python
from sightline.model.errors import BadArgumentError

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.floats(allow_nan=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(json_values)
def test_a_value_comes_back_with_its_type(value: HParamValue) -> None:
    back = python_from_struct_value(StructValue.decode(struct_value_from_python(value).encode()))
    assert back == value
    assert type(back) is type(value)


def test_integers_and_numbers_of_numpy_become_floats() -> None:
    for number in (3, np.int64(3), np.float32(3)):
        back = python_from_struct_value(struct_value_from_python(number))
        assert back == 3.0
        assert isinstance(back, float)


def test_a_value_of_no_kind_is_none() -> None:
    assert python_from_struct_value(StructValue()) is None


def test_other_types_are_refused() -> None:
    with pytest.raises(BadArgumentError, match="object"):
        struct_value_from_python(object())
