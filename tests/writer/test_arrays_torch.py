"""Tensors of real torch: every dtype, and memory that training writes over."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from sightline.model.errors import BadArgumentError  # noqa: E402
from sightline.writer.engine.arrays import array_from, is_torch_tensor, number_from, number_later  # noqa: E402


@pytest.mark.parametrize(
    "dtype",
    [
        torch.float64,
        torch.float32,
        torch.float16,
        torch.bfloat16,
        torch.int8,
        torch.uint8,
        torch.int64,
        torch.bool,
    ],
)
def test_every_dtype_keeps_its_values(dtype: "torch.dtype") -> None:
    tensor = torch.tensor([0, 1, 1], dtype=dtype)
    assert array_from(tensor).tolist() == [0, 1, 1]
    assert number_from(tensor[1]) == 1


def test_eight_bit_floats_and_sparse_and_conjugated_tensors_are_taken() -> None:
    assert array_from(torch.tensor([0.5, 2.0]).to(torch.float8_e4m3fn)).tolist() == [0.5, 2.0]
    assert array_from(torch.eye(2).to_sparse()).tolist() == [[1, 0], [0, 1]]
    assert array_from(torch.tensor([1 + 2j]).conj()).tolist() == [1 - 2j]


def test_gradients_do_not_matter() -> None:
    weight = torch.nn.Parameter(torch.ones(2))
    assert is_torch_tensor(weight)
    assert array_from(weight).tolist() == [1, 1]
    assert number_from((weight * 2).sum()) == 4


def test_a_copy_does_not_see_an_optimizer_step() -> None:
    weight = torch.zeros(3)
    copy = array_from(weight, is_copy=True)
    with torch.no_grad():
        weight += 1
    assert copy.tolist() == [0, 0, 0]


def test_a_list_of_tensors_is_stacked() -> None:
    stacked = array_from([torch.tensor(1.0), torch.tensor(2.0)])
    assert np.array_equal(stacked, [1, 2])


def test_several_elements_are_not_one_number() -> None:
    with pytest.raises(BadArgumentError, match="shape"):
        number_from(torch.zeros(2))


def test_a_tensor_on_the_cpu_is_read_at_once() -> None:
    assert number_later(torch.tensor(1.0)) is None
