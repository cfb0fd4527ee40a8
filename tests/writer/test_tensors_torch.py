"""Tensors of torch: as torch writes them where it is right, and right where it is not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

torch = pytest.importorskip("torch")

from torch.utils.tensorboard import SummaryWriter as TorchWriter  # noqa: E402

import sightline  # noqa: E402
from tests.writer.plugin_facts import ours, values_by_tag, written_by  # noqa: E402

RIGHT_IN_TORCH = [
    torch.float32,
    torch.float64,
    torch.int8,
    torch.int16,
    torch.int32,
    torch.int64,
    torch.bool,
    torch.complex64,
    torch.complex128,
]


@pytest.mark.parametrize("shape", [(), (1,), (2, 3)])
@pytest.mark.parametrize("dtype", RIGHT_IN_TORCH)
def test_a_tensor_is_what_torch_writes(tmp_path: Path, dtype: Any, shape: tuple[int, ...]) -> None:
    torch.manual_seed(1)
    tensor = (torch.rand(shape) * 100 - 50).to(dtype)

    def call(writer: Any) -> None:
        writer.add_tensor("t", tensor, 5, 7.5)

    theirs = written_by(TorchWriter(str(tmp_path / "torch")), tmp_path / "torch", call)
    assert ours(tmp_path / "ours", call) == theirs


@pytest.mark.parametrize("count", [0, 1, 5])
@pytest.mark.parametrize(
    ("dtype", "number"),
    [
        ("bfloat16", 14),
        ("float16", 19),
        ("uint8", 4),
        ("float8_e5m2", 24),
        ("float8_e4m3fn", 25),
        ("float8_e4m3fnuz", 26),
        ("float8_e5m2fnuz", 28),
    ],
)
def test_narrow_types_keep_their_own_bits(tmp_path: Path, dtype: str, number: int, count: int) -> None:
    tensor = torch.tensor([1.5, 0.1, 0.0, 300.0, 7.0][:count]).to(getattr(torch, dtype))
    known = getattr(ml_dtypes, dtype, None) or getattr(np, dtype)
    wanted = tensor.view(torch.uint8).numpy().view(known)
    with sightline.SummaryWriter(tmp_path, story=False) as writer:
        writer.add_tensor("t", tensor)
    proto = values_by_tag(tmp_path)["t"].tensor
    assert proto.dtype == number
    if count > 1:
        assert proto.tensor_content == wanted.tobytes()
    assert all(0 <= pattern <= 0xFFFF for pattern in proto.half_val)
    with sightline.open(tmp_path, watch=False).wait() as log:
        item = log["."].tensors["t"][0]
        assert np.array_equal(item.array.astype(np.float64), wanted.astype(np.float64), equal_nan=True)


def test_gradients_strides_and_sparse_tensors_do_not_matter(tmp_path: Path) -> None:
    weight = torch.arange(6.0).reshape(2, 3).requires_grad_()
    with sightline.SummaryWriter(tmp_path, story=False) as writer:
        writer.add_tensor("grad", weight.T)
        writer.add_tensor("sparse", torch.eye(2).to_sparse())
        writer.add_tensor("bfloat16", weight.T.to(torch.bfloat16))
    with sightline.open(tmp_path, watch=False).wait() as log:
        tensors = log["."].tensors
        assert tensors["grad"][0].array.tolist() == [[0, 3], [1, 4], [2, 5]]
        assert tensors["bfloat16"][0].array.tolist() == [[0, 3], [1, 4], [2, 5]]
        assert tensors["sparse"][0].array.tolist() == [[1, 0], [0, 1]]
