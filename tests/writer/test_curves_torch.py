"""Precision-recall curves through torch's writer, at its limit of 127 thresholds and below."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from torch.utils.tensorboard import SummaryWriter as TorchWriter  # noqa: E402

import sightline  # noqa: E402
from tests.writer.plugin_facts import array_of, ours, values_by_tag, written_by  # noqa: E402


@pytest.mark.parametrize("count", [10, 200_000])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_a_curve_is_what_torch_writes(tmp_path: Path, dtype: Any, count: int) -> None:
    torch.manual_seed(count)
    labels = torch.randint(2, (count,))
    predictions = torch.rand(count, dtype=dtype)
    weights = torch.rand(count, dtype=torch.float64).numpy()

    def call(writer: Any) -> None:
        writer.add_pr_curve("pr", labels, predictions, 4)
        writer.add_pr_curve("pr", labels.numpy(), predictions.numpy(), 5, num_thresholds=20, weights=weights)
        rows = np.arange(30).reshape(6, 5) / 30
        writer.add_pr_curve_raw("raw", *rows, global_step=6, num_thresholds=5)

    theirs = written_by(TorchWriter(str(tmp_path / "torch")), tmp_path / "torch", call)
    assert by_tag_and_step(ours(tmp_path / "ours", call)) == by_tag_and_step(theirs)


def by_tag_and_step(events: list[list[dict[str, Any]]]) -> dict[Any, dict[str, Any]]:
    """Curves are computed in the background: what is cheap may come first."""
    return {(value["tag"], value["step"]): value for event in events for value in event}


def test_tensors_of_any_kind_are_taken(tmp_path: Path) -> None:
    with sightline.SummaryWriter(tmp_path, story=False) as writer:
        predictions = torch.tensor([0.25, 0.75], requires_grad=True).to(torch.bfloat16)
        writer.add_pr_curve("pr", torch.tensor([True, False]), predictions, weights=torch.tensor([1.0, 2.0]))
    assert array_of(values_by_tag(tmp_path)["pr"])[:2, 0].tolist() == [1, 2]
