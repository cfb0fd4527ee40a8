"""Embeddings: files read back by TensorBoard's projector plugin, by our own reader, and by hand."""

from __future__ import annotations

import errno
import io
import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import numpy as np
import pytest
from PIL import Image

import sightline
from sightline import SummaryWriter
from sightline.formats.projector import EmbeddingInfo, ProjectorConfig, parse_projector_config
from sightline.model.errors import BadArgumentError
from sightline.writer.media import projector_files
from tests.writer.media import pixels_of

rng = np.random.default_rng(11)
POINTS = rng.normal(size=(5, 3)).astype(np.float32)
CONFIG = "projector_config.pbtxt"


def config_of(directory: Path) -> ProjectorConfig:
    return parse_projector_config((directory / CONFIG).read_bytes())


def points_of(path: Path) -> Any:
    return np.array([line.split("\t") for line in path.read_text().splitlines()], dtype=np.float32)


def lines_of(directory: Path, tag: str = "default", step: int = 0) -> list[str]:
    return (directory / f"{step:05d}" / tag / "metadata.tsv").read_text(encoding="utf-8").split("\n")[:-1]


# -- files


def test_files_have_the_names_and_the_content_of_torch(writer: SummaryWriter, tmp_path: Path) -> None:
    writer.add_embedding(POINTS, list("abcde"), rng.random((5, 3, 4, 6)), 7, "words")
    assert writer.close()
    folder = tmp_path / "00007" / "words"
    assert sorted(os.listdir(folder)) == ["metadata.tsv", "sprite.png", "tensors.tsv"]
    np.testing.assert_array_equal(points_of(folder / "tensors.tsv"), POINTS)
    assert (folder / "metadata.tsv").read_text() == "a\nb\nc\nd\ne\n"
    assert (tmp_path / CONFIG).read_text() == (
        "embeddings {\n"
        '  tensor_name: "words:00007"\n'
        '  metadata_path: "00007/words/metadata.tsv"\n'
        "  sprite {\n"
        '    image_path: "00007/words/sprite.png"\n'
        "    single_image_dim: 6\n"
        "    single_image_dim: 4\n"
        "  }\n"
        '  tensor_path: "00007/words/tensors.tsv"\n'
        "}\n"
    )


def test_points_alone_are_an_embedding(writer: SummaryWriter, tmp_path: Path) -> None:
    writer.add_embedding(POINTS)
    assert writer.close()
    assert os.listdir(tmp_path / "00000" / "default") == ["tensors.tsv"]
    assert config_of(tmp_path).embeddings == [
        EmbeddingInfo(tensor_name="default:00000", tensor_path="00000/default/tensors.tsv")
    ]


@pytest.mark.parametrize(
    ("tag", "folder"),
    [("a/b", "a%2fb"), ("100%", "100%25"), ("a\\b", "a%5cb"), ("..", "%2e%2e"), ("ünï \0", "ünï %00")],
)
def test_a_tag_leads_nowhere_else(writer: SummaryWriter, tmp_path: Path, tag: str, folder: str) -> None:
    writer.add_embedding(POINTS, tag=tag)
    assert writer.close()
    assert os.listdir(tmp_path / "00000") == [folder]
    (info,) = config_of(tmp_path).embeddings
    assert (info.tensor_name, info.tensor_path) == (f"{tag}:00000", f"00000/{folder}/tensors.tsv")


@pytest.mark.parametrize(
    ("array", "text"),
    [
        (np.array([[0.1, -2.5, 3]], np.float32), "0.100000001\t-2.5\t3\n"),
        (np.array([[np.nan, np.inf, -np.inf]]), "nan\tinf\t-inf\n"),
        (np.array([[1, -7, 40]]), "1\t-7\t40\n"),
        (np.array([[True, False]]), "1\t0\n"),
        (np.array([[0.5], [1e-30]], np.float32), "0.5\n1e-30\n"),
        (np.array([[1e300, 0.1]]), "inf\t0.100000001\n"),
        (np.array([[0.5]], np.float16), "0.5\n"),
    ],
)
def test_numbers_are_written_to_the_precision_of_float32(
    writer: SummaryWriter, tmp_path: Path, array: Any, text: str
) -> None:
    writer.add_embedding(array)
    assert writer.close()
    assert (tmp_path / "00000/default/tensors.tsv").read_text() == text


def test_every_float32_comes_back_exactly(writer: SummaryWriter, tmp_path: Path) -> None:
    bits = rng.integers(0, 2**32, (600, 40), dtype=np.uint32).view(np.float32)
    finite = np.where(np.isfinite(bits), bits, 1)
    writer.add_embedding(finite)
    assert writer.close()
    np.testing.assert_array_equal(points_of(tmp_path / "00000/default/tensors.tsv"), finite)


# -- labels


def test_rows_of_labels_have_a_header(writer: SummaryWriter, tmp_path: Path) -> None:
    rows = [[f"word {n}", n] for n in range(5)]
    writer.add_embedding(POINTS, rows, metadata_header=["word", "count"])
    assert writer.close()
    assert lines_of(tmp_path) == ["word\tcount", *(f"word {n}\t{n}" for n in range(5))]


def test_a_single_column_has_no_header_line_or_it_would_be_a_point(
    writer: SummaryWriter, tmp_path: Path
) -> None:
    writer.add_embedding(POINTS, [[letter] for letter in "abcde"], metadata_header=["letter"])
    assert writer.close()
    assert lines_of(tmp_path) == list("abcde")


def test_a_label_stays_on_its_line(writer: SummaryWriter, tmp_path: Path) -> None:
    labels = ["a\tb", "c\nd\r\n", "", " \t ", "e\u2028f"]
    writer.add_embedding(POINTS, labels)
    writer.add_embedding(POINTS, [[label, ""] for label in labels], tag="two", metadata_header=["x\ty", "z"])
    assert writer.close()
    assert lines_of(tmp_path) == ["a b", "c d  ", "-", "-", "e f"]
    assert lines_of(tmp_path, "two") == ["x y\tz", "a b\t", "c d  \t", "-\t", "-\t", "e f\t"]


def test_labels_may_be_anything_that_prints(writer: SummaryWriter, tmp_path: Path) -> None:
    writer.add_embedding(POINTS, np.arange(5))
    writer.add_embedding(POINTS, [1, 2.5, None, "ü", ("a", 1)], tag="mixed")
    assert writer.close()
    assert lines_of(tmp_path) == list("01234")
    assert lines_of(tmp_path, "mixed") == ["1", "2.5", "None", "ü", "('a', 1)"]


# -- thumbnails


@pytest.mark.parametrize("count", [1, 2, 4, 5, 9, 10])
@pytest.mark.parametrize("shape", [(3, 4, 4), (1, 4, 6), (4, 7, 3)])
def test_a_sprite_is_a_square_grid_of_thumbnails(count: int, shape: tuple[int, int, int]) -> None:
    channels, height, width = shape
    images = rng.integers(0, 256, (count, height, width, channels), dtype=np.uint8)
    images = np.repeat(images, 3, -1) if channels == 1 else images
    sprite = projector_files.sprite_from(images)
    columns = int(np.ceil(np.sqrt(count)))
    pixels = pixels_of(sprite.png)
    assert pixels.shape == (columns * height, columns * width, images.shape[-1])
    assert (sprite.width_px, sprite.height_px) == (width, height)
    for position, image in enumerate(images):
        row, column = divmod(position, columns)
        cell = pixels[row * height : (row + 1) * height, column * width : (column + 1) * width]
        np.testing.assert_array_equal(cell, image)


@pytest.mark.parametrize("dtype", [np.float32, np.uint8])
def test_thumbnails_are_floats_or_bytes(writer: SummaryWriter, tmp_path: Path, dtype: Any) -> None:
    images = np.zeros((5, 1, 2, 2), dtype)
    images[0] = 255 if dtype is np.uint8 else 1
    writer.add_embedding(POINTS, label_img=images)
    assert writer.close()
    pixels = pixels_of((tmp_path / "00000/default/sprite.png").read_bytes())
    assert pixels.shape == (6, 6, 3)
    assert pixels[:2, :2].min() == 255
    assert pixels.sum() == 12 * 255


def test_a_sprite_too_large_for_browsers_is_scaled_down_and_no_thumbnail_bleeds() -> None:
    colors = rng.integers(0, 256, (10, 3), dtype=np.uint8)
    images = np.broadcast_to(colors[:, None, None], (10, 50, 70, 3))
    sprite = projector_files.sprite_from(images, max_px=101)
    assert (sprite.width_px, sprite.height_px) == (25, 18)
    pixels = pixels_of(sprite.png)
    assert pixels.shape == (4 * 18, 4 * 25, 3)
    for position, color in enumerate(colors):
        row, column = divmod(position, 4)
        cell = pixels[row * 18 : (row + 1) * 18, column * 25 : (column + 1) * 25]
        assert np.abs(cell.astype(int) - color).max() == 0


def test_scaling_down_is_reported(
    writer: SummaryWriter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    small = projector_files.sprite_from
    monkeypatch.setattr(
        "sightline.writer.kinds.embedding.sprite_from", lambda images: small(images, max_px=9)
    )
    writer.add_embedding(POINTS, label_img=np.ones((5, 3, 8, 6)))
    assert writer.close()
    assert [record.message for record in caplog.records] == [
        "'default': thumbnails are scaled down to 2 x 3 pixels (said once per tag)"
    ]
    (info,) = config_of(tmp_path).embeddings
    assert info.sprite is not None
    assert list(info.sprite.single_image_dim) == [2, 3]


# -- the configuration


def test_embeddings_add_up_and_the_same_name_replaces_its_own(
    writer: SummaryWriter, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    writer.add_embedding(POINTS, tag="a", global_step=1)
    writer.add_embedding(POINTS, tag="b", global_step=1)
    writer.add_embedding(POINTS, tag="a", global_step=2)
    assert writer.flush()
    assert not caplog.records
    writer.add_embedding(POINTS[:2], list("xy"), tag="a", global_step=1)
    assert writer.close()
    infos = config_of(tmp_path).embeddings
    assert [info.tensor_name for info in infos] == ["b:00001", "a:00002", "a:00001"]
    assert infos[-1].metadata_path == "00001/a/metadata.tsv"
    assert len(points_of(tmp_path / "00001/a/tensors.tsv")) == 2
    assert "'a': the embedding of step 1 is replaced" in caplog.text


def test_a_resumed_run_keeps_what_was_there(tmp_path: Path) -> None:
    (tmp_path / CONFIG).write_text(
        'model_checkpoint_path: "model.ckpt" # by hand\n'
        "embeddings < tensor_name: 'layer' bookmarks_path: 'b.json' tensor_shape: [5, 3] >"
    )
    for step in (1, 2):
        with SummaryWriter(tmp_path, story=False) as writer:
            writer.add_embedding(POINTS, global_step=step)
    config = config_of(tmp_path)
    assert config.model_checkpoint_path == "model.ckpt"
    assert config.embeddings[0] == EmbeddingInfo(
        tensor_name="layer", bookmarks_path="b.json", tensor_shape=[5, 3]
    )
    assert [info.tensor_name for info in config.embeddings[1:]] == ["default:00001", "default:00002"]


def test_a_configuration_that_makes_no_sense_is_put_aside(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / CONFIG).write_text("= nonsense")
    with SummaryWriter(tmp_path, story=False) as writer:
        writer.add_embedding(POINTS)
    assert len(config_of(tmp_path).embeddings) == 1
    assert (tmp_path / f"{CONFIG}.damaged").read_text() == "= nonsense"
    assert "a new configuration begins" in caplog.text


PROCESS = """
import sys, numpy, sightline
with sightline.SummaryWriter(sys.argv[1], story=False) as writer:
    for step in range(15):
        writer.add_embedding(numpy.ones((2, 2)), tag=sys.argv[2], global_step=step)
"""


def test_processes_that_write_at_once_lose_nothing(tmp_path: Path) -> None:
    children = [
        subprocess.Popen([sys.executable, "-c", PROCESS, str(tmp_path), name], env=dict(os.environ))
        for name in "ab"
    ]
    assert [child.wait() for child in children] == [0, 0]
    names = {info.tensor_name for info in config_of(tmp_path).embeddings}
    assert names == {f"{name}:{step:05d}" for name in "ab" for step in range(15)}


# -- trouble


def test_a_full_disk_is_logged_and_counted_and_training_goes_on(
    writer: SummaryWriter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    writer.add_embedding(POINTS, tag="before")
    assert writer.flush()
    before = (tmp_path / CONFIG).read_bytes()

    def full(*paths: str) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(projector_files.os, "replace", full)
    writer.add_embedding(POINTS, tag="after")
    assert not writer.flush()
    monkeypatch.undo()
    (record,) = caplog.records
    assert record.levelname == "ERROR"
    assert "'after' of step 0 could not be written" in record.message
    assert "No space left" in record.message
    assert (tmp_path / CONFIG).read_bytes() == before
    assert not list(tmp_path.rglob("*.tmp"))
    writer.add_embedding(POINTS, tag="later")
    writer.close()
    assert [info.tensor_name for info in config_of(tmp_path).embeddings] == ["before:00000", "later:00000"]


def test_the_points_are_those_of_the_moment_of_the_call(
    writer: SummaryWriter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_write = threading.Event()
    write = projector_files.write_embedding

    def late(*values: Any) -> None:
        may_write.wait()
        write(*values)

    monkeypatch.setattr("sightline.writer.kinds.embedding.write_embedding", late)
    points, labels = POINTS.copy(), list("abcde")
    writer.add_embedding(points, labels)
    points[:] = 0
    labels[:] = []
    may_write.set()
    assert writer.close()
    np.testing.assert_array_equal(points_of(tmp_path / "00000/default/tensors.tsv"), POINTS)
    assert lines_of(tmp_path) == list("abcde")


def test_a_writer_that_writes_nothing_makes_no_files(tmp_path: Path) -> None:
    with SummaryWriter(tmp_path / "none", write_to_disk=False) as writer:
        writer.add_embedding(POINTS, label_img=np.ones((5, 3, 2, 2)))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"mat": np.zeros(5)}, r"\[points, dimensions\]"),
        ({"mat": np.zeros((0, 3))}, r"\[points, dimensions\]"),
        ({"mat": [["a", "b"]]}, "numbers"),
        ({"metadata": list("abcd")}, "4 labels do not fit 5 points"),
        ({"metadata": [list("ab")] * 5, "metadata_header": ["a"]}, "Row 0 .* 2 cells"),
        ({"metadata": [["a"], *[list("ab")] * 4], "metadata_header": ["a", "b"]}, "Row 0 .* 1 cells"),
        ({"label_img": np.zeros((4, 3, 2, 2))}, "for 5 points"),
        ({"label_img": np.zeros((5, 2, 2))}, "label_img"),
        ({"label_img": np.zeros((5, 9, 2, 2))}, "channels"),
        ({"tag": None}, "tag"),
        ({"tag": "a" * 300}, "too many"),
        ({"global_step": "x"}, "step"),
    ],
)
def test_what_makes_no_embedding_is_refused_in_the_call(
    writer: SummaryWriter, tmp_path: Path, changes: dict[str, Any], reason: str
) -> None:
    with pytest.raises(BadArgumentError, match=reason):
        writer.add_embedding(**{"mat": POINTS, **changes})
    assert writer.close()
    assert not (tmp_path / CONFIG).exists()


# -- readers


def test_our_own_reader_finds_the_configuration(writer: SummaryWriter, tmp_path: Path) -> None:
    writer.add_embedding(POINTS)
    writer.close()
    with sightline.open(str(tmp_path)) as log:
        (path,) = log.wait()["."].side_files.projector
    assert parse_projector_config(Path(path).read_bytes()) == config_of(tmp_path)


@pytest.mark.filterwarnings("ignore")
def test_the_projector_of_tensorboard_serves_all_of_it(tmp_path: Path) -> None:
    plugin_module = pytest.importorskip("tensorboard.plugins.projector.projector_plugin")
    base_plugin = pytest.importorskip("tensorboard.plugins.base_plugin")
    werkzeug_test = pytest.importorskip("werkzeug.test")
    run = tmp_path / "run"
    images = rng.random((5, 3, 4, 6))
    with SummaryWriter(run, story=False) as writer:
        writer.add_embedding(
            POINTS, [[f"w{n}", n] for n in range(5)], images, 3, "a/b", metadata_header=["word", "n"]
        )
        writer.add_embedding(np.full((2, 2), np.nan), ["", "x"], tag="plain")

    class Provider:
        def list_runs(self, *values: object, **options: object) -> Any:
            return [type("Run", (), {"run_name": "run"})()]

    context = base_plugin.TBContext(logdir=str(tmp_path), data_provider=Provider())
    apps = plugin_module.ProjectorPlugin(context).get_plugin_apps()

    def get(route: str, **query: str) -> bytes:
        answer = werkzeug_test.Client(apps[route]).get(f"{route}?{urlencode({'run': 'run', **query})}")
        assert answer.status_code == 200, answer.data
        data: bytes = answer.data
        return data

    assert json.loads(get("/runs")) == ["run"]
    embeddings = json.loads(get("/info"))["embeddings"]
    assert [(one["tensorName"], one["tensorShape"]) for one in embeddings] == [
        ("a/b:00003", [5, 3]),
        ("plain:00000", [2, 2]),
    ]
    assert embeddings[0]["sprite"]["singleImageDim"] == [6, 4]
    tensor = np.frombuffer(get("/tensor", name="a/b:00003"), np.float32).reshape(5, 3)
    np.testing.assert_array_equal(tensor, POINTS)
    assert np.isnan(np.frombuffer(get("/tensor", name="plain:00000"), np.float32)).all()
    assert get("/metadata", name="a/b:00003").decode().splitlines()[:2] == ["word\tn", "w0\t0"]
    assert get("/metadata", name="plain:00000") == b"-\nx\n"
    sprite = Image.open(io.BytesIO(get("/sprite_image", name="a/b:00003")))
    assert sprite.size == (18, 12)
