"""The same meshes through torch's writer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from torch.utils.tensorboard import SummaryWriter as TorchWriter  # noqa: E402

from tests.writer.plugin_facts import ours, written_by  # noqa: E402


def add_meshes(writer: Any) -> None:
    torch.manual_seed(0)
    vertices = torch.rand(2, 5, 3)
    colors = torch.randint(0, 256, (2, 5, 3), dtype=torch.uint8)
    faces = torch.tensor([[[0, 1, 2]], [[2, 3, 4]]], dtype=torch.int32)
    writer.add_mesh("full", vertices, colors, faces, {"b": [1, 2.5], "a": {"cls": "X"}}, 9, 3.5)
    writer.add_mesh("cloud", vertices=vertices.double(), global_step=1)
    writer.add_mesh("faces", vertices.half(), faces=faces.long())
    writer.add_mesh("numpy", vertices.numpy(), colors=colors.numpy())


def test_meshes_are_what_torch_writes(tmp_path: Path) -> None:
    theirs = written_by(TorchWriter(str(tmp_path / "torch")), tmp_path / "torch", add_meshes)
    assert ours(tmp_path / "ours", add_meshes) == theirs
