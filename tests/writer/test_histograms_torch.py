"""Histograms of torch tensors, against torch's own writer for the same calls."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sightline import SummaryWriter
from sightline.model.errors import BadArgumentError
from tests.writer.reading import values_of
from tests.writer.test_histograms import EDGES, assert_same_histogram, assert_same_histograms, only_histogram

torch = pytest.importorskip("torch")
torch_tensorboard = pytest.importorskip("torch.utils.tensorboard")


def tensors_of_every_kind() -> dict[str, Any]:
    torch.manual_seed(0)
    numbers = torch.randn(40, 30)
    layer = torch.nn.Linear(30, 20)
    return {
        "float": numbers,
        "double": numbers.double() * 1e-5,
        "half": numbers.half(),
        "int8": (numbers * 20).to(torch.int8),
        "int64": (numbers * 1e10).long(),
        "uint8": (numbers.abs() * 50).to(torch.uint8),
        "bool": numbers > 1,
        "transposed": numbers.T,
        "every third": numbers[:, ::3],
        "number": torch.tensor(3.5),
        "parameter": layer.weight,
        "negative zero": torch.tensor([-0.0, 0.0]),
        "constant": torch.full((7,), 2.5),
    }


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"max_bins": 100},
        {"max_bins": 7},
        {"bins": "auto"},
        {"bins": 12},
        {"bins": [-5.0, -1.0, 0.0, 0.5, 9e9]},
    ],
)
def test_every_field_is_what_torch_writes(
    writer: SummaryWriter, tmp_path: Path, options: dict[str, Any]
) -> None:
    theirs = torch_tensorboard.SummaryWriter(str(tmp_path / "theirs"))
    for step, (tag, values) in enumerate(tensors_of_every_kind().items()):
        for each in (theirs, writer):
            each.add_histogram(tag, values, step, **options)
    theirs.close()
    assert writer.close()
    assert_same_histograms(writer.log_dir, tmp_path / "theirs")


@pytest.mark.parametrize("bins", ["tensorflow", 10])
@pytest.mark.parametrize("layout", ["plain", "transposed", "parameter", "sparse"])
def test_bfloat16_is_counted_without_loss(writer: SummaryWriter, layout: str, bins: Any) -> None:
    numbers = torch.randn(50, 30, generator=torch.Generator().manual_seed(1)).bfloat16()
    wide = numbers.double().numpy().ravel()
    given = {
        "plain": numbers,
        "transposed": numbers.T,
        "parameter": torch.nn.Parameter(numbers),
        "sparse": numbers.to_sparse(),
    }[layout]
    writer.add_histogram("a", given, bins=bins)
    theirs = torch_tensorboard.summary.make_histogram(wide, EDGES if bins == "tensorflow" else bins)
    assert_same_histogram(only_histogram(writer), theirs)


@pytest.mark.parametrize("bins", ["tensorflow", "auto", 10])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_writing_over_the_tensor_after_the_call_does_not_matter(
    writer: SummaryWriter, bins: Any, dtype: Any
) -> None:
    tensor = torch.ones(100_000, dtype=dtype)
    writer.add_histogram("a", tensor, bins=bins)
    tensor.zero_()
    histogram = only_histogram(writer)
    assert (histogram.min, histogram.max, histogram.num) == (1, 1, 100_000)


def test_gradients_that_are_not_finite_are_left_out(
    writer: SummaryWriter, caplog: pytest.LogCaptureFixture
) -> None:
    tensor = torch.tensor([1.0, float("nan"), float("inf"), 3.0], dtype=torch.bfloat16)
    writer.add_histogram("grad", tensor, 1)
    histogram = only_histogram(writer)
    assert (histogram.num, histogram.sum) == (2, 4)
    assert "1 NaN and 1 infinite of 4 elements" in caplog.text


def test_edges_may_be_a_tensor(writer: SummaryWriter) -> None:
    writer.add_histogram("a", torch.tensor([0.5, 1.5]), bins=torch.tensor([0, 1, 2]))
    assert list(only_histogram(writer).bucket_limit) == [0, 1, 2]


def test_a_raw_histogram_of_tensors_is_what_torch_writes(writer: SummaryWriter, tmp_path: Path) -> None:
    values = np.random.default_rng(0).normal(size=100)
    counts, edges = np.histogram(values, bins=10)
    arguments = (
        values.min(), values.max(), len(values), values.sum(), values @ values,
        torch.tensor(edges[1:]), torch.tensor(counts), 4,
    )  # fmt: skip
    theirs = torch_tensorboard.SummaryWriter(str(tmp_path / "theirs"))
    for each in (theirs, writer):
        each.add_histogram_raw("a", *arguments)
    theirs.close()
    assert writer.close()
    assert values_of(writer.log_dir) == values_of(tmp_path / "theirs")


@pytest.mark.parametrize(
    ("tensor", "message"),
    [(torch.zeros(0), "at least one element"), (torch.zeros(0, dtype=torch.bfloat16), "at least one element"),
     (torch.zeros(3, dtype=torch.complex64), "absolute value")],
)  # fmt: skip
def test_tensors_that_cannot_be_counted_are_refused(writer: SummaryWriter, tensor: Any, message: str) -> None:
    with pytest.raises(BadArgumentError, match=message):
        writer.add_histogram("a", tensor)
