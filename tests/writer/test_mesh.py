"""Meshes and point clouds, as TensorBoard's own plugin serves them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorboardX
from tensorboard.plugins.mesh import metadata as mesh_metadata

import sightline
from sightline.formats.plugin_messages import MeshContent
from sightline.model.errors import BadArgumentError
from tests.writer.plugin_facts import array_of, ours, values_by_tag, written_by

VERTICES = np.arange(24, dtype=np.float64).reshape(2, 4, 3) / 7
COLORS = (np.arange(24).reshape(2, 4, 3) * 10).astype(np.uint8)
FACES = np.array([[[0, 1, 2], [0, 2, 3]]] * 2)
CONFIG = {"material": {"cls": "PointsMaterial", "size": 0.05}, "camera": {"cls": "PerspectiveCamera"}}


def test_a_mesh_is_that_of_tensorboardx_but_for_the_tags_and_what_it_leaves_out(tmp_path: Path) -> None:
    def call(writer: Any) -> None:
        writer.add_mesh("m", VERTICES, COLORS, FACES, CONFIG, 5, 7.5)

    (theirs,) = written_by(tensorboardX.SummaryWriter(str(tmp_path / "x")), tmp_path / "x", call)
    (found,) = ours(tmp_path / "ours", call)
    assert [value["tag"] for value in found] == ["m_VERTEX", "m_FACE", "m_COLOR"]
    for value, other in zip(found, theirs, strict=True):
        data = mesh_metadata.parse_plugin_metadata(value["content"])
        assert data == mesh_metadata.parse_plugin_metadata(other["content"])  # it fills in components
        assert {**value, "tag": "", "content": b""} == {**other, "tag": "", "content": b""}


def test_all_three_values_lie_in_one_event_and_know_each_other(tmp_path: Path) -> None:
    with sightline.SummaryWriter(tmp_path, story=False) as writer:
        writer.add_mesh("cloud", VERTICES, COLORS, global_step=3)
    with sightline.open(tmp_path, watch=False).wait() as log:
        meshes = log["."].meshes
        assert list(meshes) == ["cloud_VERTEX", "cloud_COLOR"]
        vertices, colors = meshes["cloud_VERTEX"][0], meshes["cloud_COLOR"][0]
    assert (vertices.name, colors.name, colors.step) == ("cloud", "cloud", 3)
    assert vertices.components == colors.components == 1 << MeshContent.VERTEX | 1 << MeshContent.COLOR
    assert vertices.json_config == "{}"
    assert np.array_equal(vertices.array, VERTICES.astype(np.float32))
    assert np.array_equal(colors.array, COLORS)


def test_one_mesh_needs_no_batch(tmp_path: Path) -> None:
    with sightline.SummaryWriter(tmp_path, story=False) as writer:
        writer.add_mesh("m", VERTICES[0].tolist(), faces=FACES[0], config_dict=CONFIG)
    values = values_by_tag(tmp_path)
    assert array_of(values["m_VERTEX"]).shape == (1, 4, 3)
    data = mesh_metadata.parse_plugin_metadata(values["m_FACE"].metadata.plugin_data.content)
    assert list(data.shape) == [1, 2, 3]
    assert json.loads(data.json_config) == CONFIG


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"vertices": None}, "needs vertices"),
        ({"vertices": np.zeros((2, 4, 2))}, r"\[2, 4, 2\]"),
        ({"vertices": np.zeros(3)}, "shape"),
        ({"vertices": np.zeros((1, 2, 3), dtype=complex)}, "real numbers"),
        ({"colors": COLORS[:, :3]}, "colour"),
        ({"faces": FACES[:1]}, "as many of faces"),
        ({"config_dict": [1]}, "dict"),
        ({"config_dict": {"a": object()}}, "JSON"),
    ],
)
def test_senseless_meshes_are_refused(tmp_path: Path, arguments: dict[str, Any], reason: str) -> None:
    with (
        sightline.SummaryWriter(tmp_path, story=False) as writer,
        pytest.raises(BadArgumentError, match=reason),
    ):
        writer.add_mesh("m", **{"vertices": VERTICES, **arguments})
