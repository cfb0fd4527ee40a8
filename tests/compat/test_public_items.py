"""The public read API on real logs: every item of every kind against TensorBoard's own message classes."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from google.protobuf import json_format
from tensorboard.compat.proto import event_pb2, summary_pb2
from tensorboard.compat.proto.graph_pb2 import GraphDef
from tensorboard.compat.proto.meta_graph_pb2 import MetaGraphDef
from tensorboard.plugins.custom_scalar import layout_pb2
from tensorboard.plugins.hparams import plugin_data_pb2 as hparams_pb2
from tensorboard.plugins.mesh import plugin_data_pb2 as mesh_pb2

import sightline
from tests import oracle
from tests.compat.test_real_logs import LOGS, NAMES

VALUE_FORMS = ("TENSOR", "SCALAR_TENSOR", "IMAGE", "AUDIO", "HISTOGRAM", "METADATA")


@pytest.fixture(params=NAMES)
def log_and_files(
    request: pytest.FixtureRequest,
) -> Iterator[tuple[sightline.Log, dict[str, oracle.Decoded]]]:
    """A real log opened with the public API, and its runs of a single file as the oracle reads them."""
    directory = LOGS / request.param
    runs: dict[str, list[Path]] = {}
    for path in directory.rglob("*tfevents*"):
        runs.setdefault(path.parent.relative_to(directory).as_posix(), []).append(path)
    files = {run: oracle.decode_file(paths[0]) for run, paths in runs.items() if len(paths) == 1}
    with sightline.open(directory, watch=False, cache=False) as log:
        yield log.wait(timeout_s=60), files


def test_scalars_of_a_run_equal_the_oracle(
    log_and_files: tuple[sightline.Log, dict[str, oracle.Decoded]],
) -> None:
    log, files = log_and_files
    for run, decoded in files.items():
        expected = {tag: rows for (tag, form), rows in decoded.rows.items() if form == "SCALAR"}
        scalars = log[run].scalars
        assert set(scalars) == set(expected)
        for tag, rows in expected.items():
            everything = scalars[tag].all
            assert everything.step.tolist() == [row.step for row in rows]
            assert everything.wall_time.tolist() == [row.wall_time for row in rows]
            values = np.array([row.value for row in rows])
            np.testing.assert_array_equal(everything.value.view(np.uint64), values.view(np.uint64))


def test_items_of_a_run_equal_the_messages(
    log_and_files: tuple[sightline.Log, dict[str, oracle.Decoded]],
) -> None:
    log, files = log_and_files
    for run, decoded in files.items():
        for (tag, form), rows in decoded.rows.items():
            if form in VALUE_FORMS:
                series = items_of(log[run], tag, form, decoded.plugins.get(tag, ""))
                assert [item.step for item in series] == [row.step for row in rows]
                for item, row in zip(series, rows, strict=True):
                    assert_item(item, summary_pb2.Summary.Value.FromString(row.data), decoded, tag)


KINDS = {
    "images": "images", "audio": "audio", "text": "text", "histograms": "histograms", "hparams": "hparams",
    "pr_curves": "pr_curves", "mesh": "meshes", "custom_scalars": "custom_scalars", "graph_keras_model":
    "graphs", "graph_run_metadata": "graphs", "graph_run_metadata_graph": "graphs",
}  # fmt: skip


def items_of(run: sightline.Run, tag: str, form: str, plugin: str) -> list[Any]:
    """All items of a tag in the mapping where a user would look for them."""
    legacy = {"IMAGE": "images", "AUDIO": "audio", "HISTOGRAM": "histograms"}
    mapping = getattr(run, legacy.get(form) or KINDS.get(plugin, "tensors"))
    return list(mapping[tag].all)


def assert_item(item: Any, value: summary_pb2.Summary.Value, decoded: oracle.Decoded, tag: str) -> None:
    """One item against the Summary.Value it came from."""
    assert item.tag == tag
    which = value.WhichOneof("value")
    if which == "image":
        assert item.samples == (value.image.encoded_image_string,)
        assert (item.width, item.height) == encoded_size(item.bytes)
    elif which == "audio":
        assert item.samples == (value.audio.encoded_audio_string,)
        assert item.sample_rate == value.audio.sample_rate
        assert item.mime_type == "audio/wav"
    elif which == "histo":
        filled = [number for number in value.histo.bucket if number]
        assert item.counts.sum() == sum(filled) == value.histo.num
        assert (item.left[0], item.right[-1]) == (value.histo.min, value.histo.max)
        assert (item.right[:-1] == item.left[1:]).all()
    elif which is None:
        assert_hparams(item, value.metadata.plugin_data.content)
    else:
        metadata = summary_pb2.SummaryMetadata.FromString(decoded.metadata.get(tag, b""))
        assert_tensor_item(item, value, metadata.plugin_data)


def assert_tensor_item(item: Any, value: summary_pb2.Summary.Value, plugin: Any) -> None:
    """Tensors by the plugin of their tag."""
    array = oracle.array(oracle.parse_value(value.SerializeToString()).tensor)
    name = plugin.plugin_name
    if name == "images":
        assert item.samples == tuple(array[2:])
        assert (item.width, item.height) == (int(array[0]), int(array[1]))
        if item.samples:  # tf.summary.image writes a batch of none, too
            assert (item.width, item.height) == encoded_size(item.bytes)
    elif name == "audio":
        assert item.samples == tuple(array[:, 0] if array.ndim == 2 else array)
    elif name == "text":
        assert item.array.shape == array.shape
        wanted = [text.decode("utf-8", "backslashreplace") for text in array.ravel().tolist()]
        assert item.array.ravel().tolist() == wanted
    elif name == "histograms":
        np.testing.assert_array_equal(np.stack([item.left, item.right, item.counts], axis=1), array)
    elif name == "hparams":
        assert_hparams(item, value.metadata.plugin_data.content)
    elif name == "custom_scalars":
        layout = layout_pb2.Layout.FromString(array[()])
        assert [category.title for category in item.layout.category] == [c.title for c in layout.category]
    elif name == "mesh":
        mesh = mesh_pb2.MeshPluginData.FromString(plugin.content)
        np.testing.assert_array_equal(item.array, array)
        assert (item.name, item.content_type, item.components, item.json_config) == (
            mesh.name, mesh.content_type, mesh.components, mesh.json_config,
        )  # fmt: skip
    elif name.startswith("graph_"):
        assert item.bytes == array.ravel()[0]
    elif array.dtype == object:
        assert item.array.tolist() == array.tolist()
    else:  # pr_curves, and tensors of no known plugin
        np.testing.assert_array_equal(item.array.astype(array.dtype), array)


def assert_hparams(item: Any, content: bytes) -> None:
    data = hparams_pb2.HParamsPluginData.FromString(content)
    if data.HasField("session_start_info"):
        info = data.session_start_info
        wanted = {name: json_format.MessageToDict(value) for name, value in info.hparams.items()}
        assert item.hparams == wanted
        assert item.session_start.group_name == info.group_name
        assert item.session_start.start_time_secs == info.start_time_secs
    elif data.HasField("session_end_info"):
        assert item.session_end.status == data.session_end_info.status
        assert item.session_end.end_time_secs == data.session_end_info.end_time_secs
    else:
        names = [info.name for info in data.experiment.hparam_infos]
        assert [info.name for info in item.experiment.hparam_infos] == names
        metrics = [info.name.tag for info in data.experiment.metric_infos]
        assert [info.name.tag for info in item.experiment.metric_infos] == metrics


def encoded_size(image: bytes) -> tuple[int, int]:
    """Width and height as a PNG or GIF says itself."""
    if image.startswith(b"GIF"):
        width, height = struct.unpack("<HH", image[6:10])
    else:
        width, height = struct.unpack(">II", image[16:24])
    return int(width), int(height)


def test_graphs_of_a_run_equal_the_messages(
    log_and_files: tuple[sightline.Log, dict[str, oracle.Decoded]],
) -> None:
    log, files = log_and_files
    for run, decoded in files.items():
        for (tag, form), rows in decoded.rows.items():
            if form not in ("GRAPH", "META_GRAPH", "RUN_METADATA"):
                continue
            for item, row in zip(log[run].graphs[tag].all, rows, strict=True):
                if form == "RUN_METADATA":
                    assert item.bytes == event_pb2.TaggedRunMetadata.FromString(row.data).run_metadata
                    continue
                graph = (
                    GraphDef.FromString(row.data)
                    if form == "GRAPH"
                    else MetaGraphDef.FromString(row.data).graph_def
                )
                assert GraphDef.FromString(item.bytes) == graph
                assert item.graph_def is not None
                assert [node.name for node in item.graph_def.node] == [node.name for node in graph.node]


def test_a_log_message_of_tensorflow_1_is_readable() -> None:
    with sightline.open(LOGS / "tf1" / "file_writer", watch=False, cache=False) as log:
        (tag,) = log.wait()["."].log_messages
        (item,) = log["."].log_messages[tag]
        assert (item.message, item.level_name, item.step) == ("saved", "INFO", 3)


def test_side_files_of_projector_and_profiler_are_found() -> None:
    with sightline.open(LOGS, watch=False, cache=False) as log:
        log.wait()
        for run in ("torch/structure", "tensorboardx/structure"):
            assert [Path(path).name for path in log[run].side_files.projector] == ["projector_config.pbtxt"]
        profile = log["tf2/profiled_graph"].side_files.profile
        assert [Path(path).name for path in profile] == ["host.xplane.pb"]
