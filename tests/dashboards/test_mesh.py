"""Meshes and point clouds: one entry for all parts, and sentences for what is left out."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorboardX
import torch
from numpy.typing import NDArray
from tensorboard.plugins.mesh import plugin_data_pb2 as mesh_pb2
from torch.utils.tensorboard import SummaryWriter

from sightline.dashboards.mesh import geometry
from sightline.dashboards.mesh.geometry import Geometry, geometry_of
from sightline.formats.tensors import tensor_from_array
from sightline.log import open_log
from sightline.model.errors import MediaError
from tests.event_logs import write_run
from tests.fixtures import event_bytes as eb
from tests.server.clients import InProcess, client_for

SQUARE = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], np.float32)
TRIANGLES = np.array([[0, 1, 2], [0, 2, 3]])
REDS = np.array([[255, 0, 0], [200, 0, 0], [100, 0, 0], [0, 0, 0]])
CONTENTS = {"VERTEX": 1, "FACE": 2, "COLOR": 3}


def part(name: str, step: int, **arrays: NDArray[Any]) -> bytes:
    """A record for each part, whatever its type and shape."""
    records = []
    for word, array in arrays.items():
        data = mesh_pb2.MeshPluginData(name=name, content_type=CONTENTS[word], shape=array.shape)
        value = eb.blob(1, f"{name}_{word}".encode()) + eb.blob(8, tensor_from_array(array).encode())
        value += eb.metadata(b"mesh", content=data.SerializeToString())
        records.append(eb.record(eb.event(eb.summary(value), step=step)))
    return b"".join(records)


def client_of(directory: Path) -> InProcess:
    client = client_for(open_log(directory, watch=False, cache=False).wait())
    client.api("runs")
    return client


class Answer:
    def __init__(self, body: bytes) -> None:
        end = 8 + int.from_bytes(body[4:8], "little")
        self.facts: dict[str, Any] = json.loads(body[8:end])["facts"]
        points, faces = self.facts["points"], self.facts["faces"]
        begin = end + self.facts["vertex_offset"]
        self.vertices = np.frombuffer(body, "<f4", 3 * points, begin).reshape(-1, 3)
        self.faces = np.frombuffer(body, "<u4", 3 * faces, end + self.facts["face_offset"]).reshape(-1, 3)
        offset = self.facts["color_offset"]
        self.colors = (
            None if offset is None else np.frombuffer(body, "u1", 3 * points, end + offset).reshape(-1, 3)
        )


def ask(client: InProcess, tag: str, *, index: int = 0, step: int = 0, sample: int = 0, run: int = 0) -> Any:
    params = {"run": run, "tag": tag, "index": index, "step": step, "sample": sample}
    return client.get("/api/v1/mesh", params=params)


def answer(client: InProcess, tag: str, **more: int) -> Answer:
    got = ask(client, tag, **more)
    assert got.status_code == 200, got.text
    return Answer(got.content)


def listed(client: InProcess) -> list[str]:
    return [one["tag"] for one in client.api("tags")["tags"] if one["kind"] == "mesh"]


# ── the parts of one mesh ────────────────────────────────────────────────────────────────────────────────


def write_torch(directory: Path) -> None:
    with SummaryWriter(str(directory)) as writer:
        for step in range(3):
            vertices = torch.tensor(SQUARE[None] * (step + 1))
            colors, faces = torch.tensor(REDS[None]), torch.tensor(TRIANGLES[None])
            config = {"material": {"cls": "PointsMaterial"}}
            writer.add_mesh("square", vertices, colors, faces, config_dict=config, global_step=step)


def write_tensorboardx(directory: Path) -> None:
    with warnings.catch_warnings(), tensorboardX.SummaryWriter(str(directory)) as writer:
        warnings.simplefilter("ignore")
        for step in range(3):
            writer.add_mesh(
                "square", SQUARE[None] * (step + 1), REDS[None], TRIANGLES[None], global_step=step
            )


@pytest.mark.parametrize(
    ("write", "tag", "config"),
    [
        (write_torch, "square_VERTEX", '{"material": {"cls": "PointsMaterial"}}'),
        (write_tensorboardx, "square_1", ""),
    ],
)
def test_the_parts_of_a_mesh_are_one_entry(tmp_path: Path, write: Any, tag: str, config: str) -> None:
    write(tmp_path / "run")
    client = client_of(tmp_path)
    assert listed(client) == [tag]
    got = answer(client, tag, index=2, step=2)
    np.testing.assert_array_equal(got.vertices, SQUARE * 3)
    np.testing.assert_array_equal(got.faces, TRIANGLES)
    np.testing.assert_array_equal(got.colors, REDS)
    assert got.facts["samples"] == 1
    assert got.facts["notes"] == []
    assert got.facts["config"] == config


def test_parts_belong_to_the_step_of_the_vertices(tmp_path: Path) -> None:
    one, two = np.array([[[0, 1, 2]]]), np.array([[[0, 2, 3]]])
    write_run(
        tmp_path / "run",
        part("m", 1, VERTEX=SQUARE[None], FACE=one),
        part("m", 2, VERTEX=SQUARE[None]),
        part("m", 3, VERTEX=SQUARE[None], FACE=two),
    )
    client = client_of(tmp_path)
    faces = [answer(client, "m_VERTEX", index=i, step=i + 1).faces.tolist() for i in range(3)]
    assert faces == [one[0].tolist(), [], two[0].tolist()]


def test_a_part_that_comes_later_makes_another_answer(tmp_path: Path) -> None:
    write_run(tmp_path / "run", part("m", 1, VERTEX=SQUARE[None]))
    log = open_log(tmp_path, watch=False, cache=False).wait()
    client = client_for(log)
    client.api("runs")
    before = ask(client, "m_VERTEX", step=1)
    address = {"run": 0, "tag": "m_VERTEX", "index": 0, "step": 1}
    known = {"if-none-match": before.headers["etag"]}
    assert client.get("/api/v1/mesh", params=address, headers=known).status_code == 304
    with next((tmp_path / "run").iterdir()).open("ab") as file:
        file.write(part("m", 1, FACE=TRIANGLES[None]))
    log.refresh()
    later = client.get("/api/v1/mesh", params=address, headers=known)
    assert later.status_code == 200
    assert len(Answer(later.content).faces) == 2


def test_a_part_that_is_damaged_is_said_and_the_rest_is_there(tmp_path: Path) -> None:
    write_run(tmp_path / "run", part("m", 1, VERTEX=SQUARE[None], FACE=np.array([b"no number"], object)))
    got = answer(client_of(tmp_path), "m_VERTEX", step=1)
    assert len(got.vertices) == 4
    assert got.facts["faces"] == 0
    (note,) = got.facts["notes"]
    assert note.startswith("Faces cannot be read: ")


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({"step": 7}, 404),
        ({"tag": "n_VERTEX"}, 404),
        ({"run": 9}, 404),
        ({"sample": -1}, 422),
    ],
)
def test_what_is_not_there_is_an_error(tmp_path: Path, changes: dict[str, Any], status: int) -> None:
    write_run(tmp_path / "run", part("m", 1, VERTEX=SQUARE[None]))
    address = {"run": 0, "tag": "m_VERTEX", "index": 0, "step": 1, **changes}
    assert client_of(tmp_path).get("/api/v1/mesh", params=address).status_code == status


def test_of_a_smaller_batch_the_last_one_stands_for_those_behind_it(tmp_path: Path) -> None:
    batch = np.stack([SQUARE * size for size in (1, 2, 3, 4)])
    faces = np.stack([TRIANGLES, TRIANGLES[::-1]])
    write_run(tmp_path / "run", part("m", 1, VERTEX=batch), part("m", 2, VERTEX=batch[:2], FACE=faces))
    client = client_of(tmp_path)
    np.testing.assert_array_equal(answer(client, "m_VERTEX", step=1, sample=3).vertices, SQUARE * 4)
    got = answer(client, "m_VERTEX", index=1, step=2, sample=3)
    np.testing.assert_array_equal(got.vertices, SQUARE * 2)
    np.testing.assert_array_equal(got.faces, TRIANGLES[::-1])
    assert got.facts["samples"] == 2
    assert got.facts["notes"] == []


# ── what can be drawn of it ──────────────────────────────────────────────────────────────────────────────


def drawn(vertices: Any, faces: Any = None, colors: Any = None, sample: int = 0) -> Geometry:
    arrays = (None if one is None else np.asarray(one) for one in (vertices, faces, colors))
    return geometry_of(*arrays, sample=sample)  # type: ignore[arg-type]


def test_vertices_that_are_no_numbers_are_left_out_with_their_faces_and_colours() -> None:
    vertices = SQUARE.copy()
    vertices[1, 2] = np.nan
    found = drawn(vertices[None], TRIANGLES[None], REDS[None])
    np.testing.assert_array_equal(found.vertices, SQUARE[[0, 2, 3]])
    np.testing.assert_array_equal(found.colors, REDS[[0, 2, 3]])
    assert found.faces.tolist() == [[0, 1, 2]]  # was 0, 2, 3
    assert found.notes == [
        "1 of 4 vertices are left out: they are NaN or infinite",
        "1 of 2 faces are left out: a corner of theirs is missing or not a number",
    ]


@pytest.mark.parametrize("bad", [4, -1, 0.5, np.nan, 1e300])
def test_faces_that_lead_nowhere_are_left_out(bad: float) -> None:
    found = drawn(SQUARE[None], [[[0, 1, bad], [0, 2, 3]]])
    assert found.faces.tolist() == [[0, 2, 3]]
    assert found.notes == ["1 of 2 faces are left out: a corner of theirs is missing or not a number"]


def test_only_vertices_that_are_no_numbers_leave_nothing() -> None:
    found = drawn(np.full((1, 3, 3), np.inf), [[[0, 1, 2]]])
    assert found.vertices.shape == (0, 3)
    assert found.faces.shape == (0, 3)


@pytest.mark.parametrize("dtype", [np.float64, np.float16, np.int32, np.uint8])
def test_other_types_of_numbers_are_taken(dtype: Any) -> None:
    found = drawn(SQUARE[None].astype(dtype), TRIANGLES[None].astype(np.uint64))
    np.testing.assert_array_equal(found.vertices, SQUARE)
    np.testing.assert_array_equal(found.faces, TRIANGLES)


def test_one_of_a_batch_is_chosen_and_a_part_without_a_batch_is_for_all() -> None:
    batch = np.stack([SQUARE, SQUARE * 2])
    found = drawn(batch, TRIANGLES, np.stack([REDS, REDS[::-1]]), sample=1)
    np.testing.assert_array_equal(found.vertices, SQUARE * 2)
    np.testing.assert_array_equal(found.faces, TRIANGLES)
    np.testing.assert_array_equal(found.colors, REDS[::-1])
    assert found.samples == 2


@pytest.mark.parametrize(
    ("colors", "wanted"),
    [
        (REDS[None] + 0.4, REDS),
        (REDS[None] / 255.0, REDS),
        # As in TensorBoard: torch logs bytes as floats too, so that these may be bytes.
        ((REDS[None] == 255).astype(np.float32), REDS == 255),
        (np.concatenate([REDS, np.full((4, 1), 9)], axis=1)[None], REDS),
        (
            np.where(REDS == 200, np.nan, np.where(REDS == 255, 999, REDS))[None],
            np.where(REDS == 200, 0, REDS),
        ),
        (REDS[None, :2], None),
        (np.zeros(7), None),
        (np.float64(1), None),
    ],
)
def test_colours_are_bytes_or_a_note(colors: Any, wanted: Any) -> None:
    found = drawn(SQUARE[None], None, colors)
    if wanted is None:
        assert found.colors is None
        assert "Colours are not used" in found.notes[0]
    else:
        np.testing.assert_array_equal(found.colors, wanted)


@pytest.mark.parametrize("shape", [(3,), (), (0, 4, 3), (1, 4, 2), (1, 1, 4, 3)])
def test_vertices_of_another_shape_are_an_error(shape: tuple[int, ...]) -> None:
    with pytest.raises(MediaError, match="shape"):
        drawn(np.zeros(shape))


def test_faces_of_another_shape_leave_a_point_cloud() -> None:
    found = drawn(SQUARE[None], np.zeros((1, 2, 4)))
    assert len(found.vertices) == 4
    assert len(found.faces) == 0
    assert "Faces are not drawn" in found.notes[0]


def test_too_many_points_are_thinned_and_too_large_a_mesh_is_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(geometry, "MAX_POINTS", 3)
    found = drawn(SQUARE[None], None, REDS[None])
    np.testing.assert_array_equal(found.vertices, SQUARE[[0, 1, 3]])
    np.testing.assert_array_equal(found.colors, REDS[[0, 1, 3]])
    assert found.notes == ["3 of 4 points are shown, an even choice"]
    with pytest.raises(MediaError, match="too large"):
        drawn(SQUARE[None], TRIANGLES[None])
