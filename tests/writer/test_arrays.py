from decimal import Decimal
from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest

from sightline.model.errors import BadArgumentError
from sightline.writer.engine.arrays import array_from, number_from


class TensorLike:
    """What a TensorFlow tensor looks like to us."""

    def __init__(self, array: np.ndarray) -> None:
        self._array = array

    def numpy(self) -> np.ndarray:
        return self._array


@pytest.mark.parametrize(
    "value", [3, 3.0, np.float32(3), np.int8(3), np.array(3), np.array([[3.0]]), [3], TensorLike(np.array(3))]
)
def test_a_value_with_one_element_is_its_number(value: object) -> None:
    assert number_from(value) == 3


def test_decimals_and_fractions_are_numbers() -> None:
    assert number_from(Decimal("0.5")) == number_from(Fraction(1, 2)) == 0.5


def test_half_and_bfloat16_numbers_are_exact() -> None:
    assert number_from(np.float16(0.1)) == float(np.float16(0.1))
    assert number_from(np.array(1.5, dtype=ml_dtypes.bfloat16)) == 1.5
    assert number_from(np.array(0.25, dtype=ml_dtypes.float8_e4m3fn)) == 0.25


@pytest.mark.parametrize("value", [[1, 2], [], "text", np.zeros((2, 2)), object(), 1j, None])
def test_what_is_not_one_number_is_refused(value: object) -> None:
    with pytest.raises(BadArgumentError):
        number_from(value)


def test_a_copy_does_not_see_later_changes() -> None:
    array = np.zeros(3)
    copy = array_from(array, is_copy=True)
    tensor_copy = array_from(TensorLike(array), is_copy=True)
    array[:] = 1
    assert copy.tolist() == tensor_copy.tolist() == [0, 0, 0]


def test_without_a_copy_a_numpy_array_is_itself() -> None:
    array = np.zeros(3)
    assert array_from(array) is array


def test_ragged_lists_are_refused_with_a_reason() -> None:
    with pytest.raises(BadArgumentError, match="list"):
        array_from([[1], [1, 2]])


def test_bfloat16_arrays_are_widened_exactly() -> None:
    array = np.array([1.5, -2, np.inf], dtype=ml_dtypes.bfloat16)
    assert array_from(array).dtype == np.float32
    assert array_from(array).tolist() == [1.5, -2, np.inf]
