"""Layouts of charts, as TensorBoard parses them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import tensorboardX
from tensorboard.plugins.custom_scalar import layout_pb2

import sightline
from sightline.model.errors import BadArgumentError
from tests.writer.plugin_facts import ours, values_by_tag, written_by

LAYOUT = {
    "losses": {"both": ["Multiline", ["loss/.*", "val/loss"]], "band": ["Margin", ["m", "m/lo", "m/hi"]]},
    "empty": {},
    "grün": {"accuracy": ["Multiline", ("acc",)]},
}


@pytest.mark.parametrize(
    "call",
    [
        lambda writer: writer.add_custom_scalars(LAYOUT),
        lambda writer: writer.add_custom_scalars_multilinechart(["a", "b"]),
        lambda writer: writer.add_custom_scalars_marginchart(["a", "b", "c"], category="x", title="y"),
    ],
)
def test_a_layout_is_what_tensorboardx_writes(tmp_path: Path, call: Any) -> None:
    theirs = written_by(tensorboardX.SummaryWriter(str(tmp_path / "x")), tmp_path / "x", call)
    assert ours(tmp_path / "ours", call) == theirs


def charts_of(directory: Path) -> dict[str, list[str]]:
    """The layout that counts: category → titles."""
    value = values_by_tag(directory)["custom_scalars__config__"]
    layout = layout_pb2.Layout.FromString(value.tensor.string_val[0])
    return {category.title: [chart.title for chart in category.chart] for category in layout.category}


def test_single_charts_add_up(tmp_path: Path) -> None:
    with sightline.SummaryWriter(tmp_path, story=False) as writer:
        writer.add_custom_scalars_multilinechart(["a"], title="one")
        writer.add_custom_scalars_marginchart(["a", "b", "c"], title="two")
        writer.add_custom_scalars_multilinechart(["d"], "other", "three")
        writer.add_custom_scalars_multilinechart(["e"], title="one")
    assert charts_of(tmp_path) == {"default": ["one", "two"], "other": ["three"]}
    with sightline.open(tmp_path, watch=False).wait() as log:
        layout = log["."].custom_scalars["custom_scalars__config__"][-1].layout
    assert layout.category[0].chart[0].multiline.tag == ["e"]


def test_a_whole_layout_replaces_everything_before(tmp_path: Path) -> None:
    with sightline.SummaryWriter(tmp_path, story=False) as writer:
        writer.add_custom_scalars_multilinechart(["a"], title="one")
        writer.add_custom_scalars(LAYOUT)
        writer.add_custom_scalars_multilinechart(["a"], category="losses", title="more")
    assert charts_of(tmp_path) == {"losses": ["both", "band", "more"], "empty": [], "grün": ["accuracy"]}


@pytest.mark.parametrize(
    ("layout", "reason"),
    [
        ([], "dict"),
        ({"a": []}, "dict"),
        ({"a": {"b": ["Pie", ["x"]]}}, "Multiline"),
        ({"a": {"b": ["Margin", ["x", "y"]]}}, "three tags"),
        ({"a": {"b": ["Multiline", "x"]}}, "list of tags"),
        ({"a": {"b": ["Multiline", [1]]}}, "list of tags"),
        ({"a": {"b": ["Multiline"]}}, "kind and its tags"),
        ({1: {"b": ["Multiline", ["x"]]}}, "category"),
        ({"a": {2: ["Multiline", ["x"]]}}, "title"),
    ],
)
def test_senseless_layouts_are_refused_and_change_nothing(tmp_path: Path, layout: Any, reason: str) -> None:
    with sightline.SummaryWriter(tmp_path, story=False) as writer:
        writer.add_custom_scalars_multilinechart(["a"])
        with pytest.raises(BadArgumentError, match=reason):
            writer.add_custom_scalars(layout)
        with pytest.raises(BadArgumentError):
            writer.add_custom_scalars_marginchart(["a"])
    assert charts_of(tmp_path) == {"default": ["untitled"]}
