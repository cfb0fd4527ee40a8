"""Text and tables of text, as TensorBoard and our own reader see them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import tensorboardX

import sightline
from sightline.model.errors import BadArgumentError
from tests.writer.plugin_facts import array_of, ours, values_by_tag, written_by


def add_texts(writer: object) -> None:
    writer.add_text("note", "# hello\n\n*grün* 🙂", 3, 12.5)  # type: ignore[attr-defined]
    writer.add_text("note", "", 4)  # type: ignore[attr-defined]
    writer.add_text("a/b", "x" * 100_000)  # type: ignore[attr-defined]


def test_text_is_what_tensorboardx_writes(tmp_path: Path) -> None:
    theirs = written_by(tensorboardX.SummaryWriter(str(tmp_path / "x")), tmp_path / "x", add_texts)
    assert ours(tmp_path / "ours", add_texts) == theirs


@pytest.mark.parametrize(
    ("text", "shape", "pieces"),
    [
        ("one", (1,), ["one"]),
        (["a", "b"], (2,), ["a", "b"]),
        (("a", 1, None), (3,), ["a", "1", "None"]),
        ([["name", "value"], ["lr", 0.1]], (2, 2), [["name", "value"], ["lr", "0.1"]]),
        (np.array([["a"], ["b"]]), (2, 1), [["a"], ["b"]]),
        (b"gr\xc3\xbcn \xff", (1,), ["grün \\xff"]),
        (17, (1,), ["17"]),
        ("half a pair: \ud83d", (1,), ["half a pair: \\ud83d"]),
        (["ends with zeros\0\0"], (1,), ["ends with zeros\0\0"]),
    ],
)
def test_texts_keep_the_shape_they_are_given_in(
    tmp_path: Path, text: object, shape: object, pieces: object
) -> None:
    with sightline.SummaryWriter(tmp_path, story=False) as writer:
        writer.add_text("t", text)
    value = values_by_tag(tmp_path)["t/text_summary"]
    assert array_of(value).shape == shape
    with sightline.open(tmp_path, watch=False).wait() as log:
        item = log["."].text["t/text_summary"][0]
        assert item.array.tolist() == pieces


@pytest.mark.parametrize("text", [[], [[]], [["a"], ["b", "c"]], ["a", ["b"]], np.zeros((0, 2), dtype=str)])
def test_empty_and_ragged_tables_are_refused(tmp_path: Path, text: object) -> None:
    with sightline.SummaryWriter(tmp_path, story=False) as writer, pytest.raises(BadArgumentError):
        writer.add_text("t", text)


def test_a_tag_that_is_no_text_is_refused(tmp_path: Path) -> None:
    with (
        sightline.SummaryWriter(tmp_path, story=False) as writer,
        pytest.raises(BadArgumentError, match="tag"),
    ):
        writer.add_text(7, "x")  # type: ignore[arg-type]
