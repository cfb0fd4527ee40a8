"""The same layouts through torch's writer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")

from torch.utils.tensorboard import SummaryWriter as TorchWriter

from tests.writer.plugin_facts import ours, written_by

LAYOUT = {
    "losses": {"both": ["Multiline", ["loss/.*", "val/loss"]], "band": ["Margin", ["m", "m/lo", "m/hi"]]},
    "more": {"accuracy": ["Multiline", ["acc"]]},
}


@pytest.mark.parametrize(
    "call",
    [
        lambda writer: writer.add_custom_scalars(LAYOUT),
        lambda writer: writer.add_custom_scalars_multilinechart(["a", "b"], "x", "y"),
        lambda writer: writer.add_custom_scalars_marginchart(["a", "b", "c"]),
    ],
)
def test_a_layout_is_what_torch_writes(tmp_path: Path, call: Any) -> None:
    theirs = written_by(TorchWriter(str(tmp_path / "torch")), tmp_path / "torch", call)
    assert ours(tmp_path / "ours", call) == theirs
