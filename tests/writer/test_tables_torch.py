"""Tables and confusion matrices of tensors."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import PIL.Image
import pytest

torch = pytest.importorskip("torch")

import sightline  # noqa: E402


def test_tensors_are_cells_columns_and_tables(tmp_path: Path) -> None:
    image = torch.zeros(3, 4, 5)
    image[0] = 1
    with sightline.SummaryWriter(tmp_path, story=False) as writer:
        writer.add_table("cells", [[torch.tensor(1.5, dtype=torch.bfloat16), torch.tensor(True), image]])
        image[:] = 0.5
        writer.add_table("columns", {"a": torch.arange(3), "b": torch.rand(3, requires_grad=True)})
        writer.add_table("table", torch.eye(2, dtype=torch.int64))
    with sightline.open(tmp_path, watch=False).wait() as log:
        tables = log["."].tables
        cells = tables["cells"][0]
        assert (cells.types, cells.rows[0][:2]) == (("number", "bool", "image"), (1.5, True))
        assert np.asarray(PIL.Image.open(io.BytesIO(cells.rows[0][2]))).tolist() == [[[255, 0, 0]] * 5] * 4
        assert tables["columns"][0].column("a") == [0, 1, 2]
        assert tables["columns"][0].types == ("number", "number")
        assert tables["table"][0].rows == ((1, 0), (0, 1))


def test_a_confusion_matrix_of_tensors(tmp_path: Path) -> None:
    with sightline.SummaryWriter(tmp_path, story=False) as writer:
        scores = torch.tensor([[0.1, 0.9], [0.8, 0.2]])
        writer.add_confusion_matrix(
            "c", y_true=torch.tensor([1, 1]), y_pred=scores.argmax(1), labels=["a", "b"]
        )
    with sightline.open(tmp_path, watch=False).wait() as log:
        item = log["."].confusion_matrices["c"][0]
        assert (item.labels, item.counts.tolist()) == (("a", "b"), [[0, 0], [1, 1]])
