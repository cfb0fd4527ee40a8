"""The same texts through torch's writer."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch")

from torch.utils.tensorboard import SummaryWriter as TorchWriter

from tests.writer.plugin_facts import ours, written_by


def add_texts(writer: object) -> None:
    writer.add_text("note", "# hello\n\n*grün* 🙂", 3, 12.5)  # type: ignore[attr-defined]
    writer.add_text("note", "", global_step=4, walltime=1)  # type: ignore[attr-defined]
    writer.add_text(tag="a/b", text_string="x" * 100_000)  # type: ignore[attr-defined]


def test_text_is_what_torch_writes(tmp_path: Path) -> None:
    theirs = written_by(TorchWriter(str(tmp_path / "torch")), tmp_path / "torch", add_texts)
    assert ours(tmp_path / "ours", add_texts) == theirs
