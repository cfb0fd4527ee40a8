"""Embeddings against the files of torch's own writer."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sightline import SummaryWriter
from tests.writer.media import pixels_of

torch = pytest.importorskip("torch")
tensorboard = pytest.importorskip("torch.utils.tensorboard")
pytestmark = pytest.mark.filterwarnings("ignore")  # of the oracle
GENERATOR = torch.Generator().manual_seed(8)


def files_below(directory: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(directory)): path.read_bytes()
        for path in directory.rglob("*")
        if path.is_file() and "tfevents" not in path.name
    }


def points_of(data: bytes) -> Any:
    return np.array([line.split("\t") for line in data.decode().splitlines()], dtype=np.float32)


def test_the_files_are_those_of_torch(tmp_path: Path) -> None:
    points = torch.randn(20, 7, generator=GENERATOR)
    calls: list[dict[str, Any]] = [
        {"mat": points, "metadata": [f"word {n}" for n in range(20)]},
        {
            "mat": points.double(),
            "label_img": torch.rand(20, 3, 6, 6, generator=GENERATOR),
            "global_step": 12,
        },
        {"mat": points.numpy(), "label_img": torch.rand(20, 1, 5, 9, generator=GENERATOR), "tag": "a/b%"},
        {
            "mat": points,
            "metadata": [[n, n * n] for n in range(20)],
            "metadata_header": ["n", "square"],
            "tag": "header",
            "global_step": 123456,
        },
    ]
    with tensorboard.SummaryWriter(tmp_path / "theirs") as theirs:
        for call in calls:
            theirs.add_embedding(**call)
    with SummaryWriter(tmp_path / "ours", story=False) as ours:
        for call in calls:
            ours.add_embedding(**call)
    written, expected = files_below(tmp_path / "ours"), files_below(tmp_path / "theirs")
    assert written.keys() == expected.keys()
    for name, data in expected.items():
        if name.endswith("tensors.tsv"):
            np.testing.assert_array_equal(points_of(written[name]), points_of(data))
        elif name.endswith("sprite.png"):
            # Torch's sprite is as high as wide, ours has as many rows as columns: below, both are black.
            left, right = pixels_of(written[name]), pixels_of(data)
            assert left.shape[1:] == right.shape[1:]
            np.testing.assert_array_equal(left, right[: len(left)])
            assert not right[len(left) :].any()
        else:
            assert written[name] == data, name
    assert len(expected) == 9


def test_labels_and_thumbnails_may_be_tensors(tmp_path: Path) -> None:
    with SummaryWriter(tmp_path, story=False) as writer:
        images = torch.full((3, 1, 2, 2), 255, dtype=torch.uint8)  # torch would multiply them by 255
        writer.add_embedding(torch.eye(3, dtype=torch.bfloat16), torch.arange(3), images)
        writer.add_embedding(torch.eye(3).requires_grad_(), list(torch.arange(3)), tag="list")
        assert writer.flush()
    for tag in ("default", "list"):
        assert (tmp_path / "00000" / tag / "metadata.tsv").read_text() == "0\n1\n2\n"
    assert pixels_of((tmp_path / "00000/default/sprite.png").read_bytes()).sum() == 3 * 12 * 255
    assert os.path.exists(tmp_path / "projector_config.pbtxt")
