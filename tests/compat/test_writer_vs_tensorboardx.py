"""Our SummaryWriter against tensorboardX's: its calls are taken, and what it writes in its own way is listed.

Ours writes as torch does. Where tensorboardX writes the same values in another form, the difference is taken
out (``in_torchs_form``); what is really different has a test of its own.
"""

from __future__ import annotations

import base64
import inspect
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorboardX
from google.protobuf import text_format
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from tensorboard.plugins.mesh.plugin_data_pb2 import MeshPluginData
from tensorboard.plugins.projector.projector_config_pb2 import ProjectorConfig

import sightline
from sightline import FileWriter, GlobalSummaryWriter, SummaryWriter
from tests.compat import writer_calls
from tests.compat.writer_calls import HPARAMS, METRICS, Call
from tests.compat.written_events import events_of, only_event_file, written
from tests.fixtures.summary_calls import bytes_array

LOGS = Path(__file__).parents[1] / "fixtures" / "logs" / "tensorboardx"

CALLS: dict[str, Call] = {
    f"{table}: {name}": call
    for table, calls in {
        "scalar": writer_calls.SCALARS,
        "histogram": writer_calls.HISTOGRAMS,
        "image": writer_calls.IMAGES,
        "text": writer_calls.TEXTS,
        "curve": writer_calls.CURVES,
        "layout": writer_calls.LAYOUTS,
        "mesh": writer_calls.MESHES,
    }.items()
    for name, call in calls.items()
}
OWN_CALLS: dict[str, Call] = {
    "described scalar": lambda w: w.add_scalar(
        "loss", 0.5, 1, display_name="Loss", summary_description="falls"
    ),
    "metadata": lambda w: _inside(
        w.use_metadata(global_step=7, walltime=123.5), lambda: w.add_scalar("loss", 0.5)
    ),
    "images of several sizes": lambda w: w.add_images(
        "pictures", [bytes_array(3, 4, 6), bytes_array(3, 4, 6)], dataformats="CHW"
    ),
}


def _inside(context: Any, call: Callable[[], object]) -> None:
    with context:
        call()


def run_both(call: Call, directory: Path, **options: Any) -> tuple[Path, Path]:
    theirs, ours = directory / "tensorboardX", directory / "sightline"
    with tensorboardX.SummaryWriter(str(theirs), **options) as writer:
        call(writer)
    with SummaryWriter(logdir=str(ours), story=False, **options) as writer:
        call(writer)
    return theirs, ours


def values_in(found: Any) -> list[dict[str, Any]]:
    return [
        value
        for run in found.values()
        for events in run.values()
        for event in events
        for value in event.get("summary", {}).get("value", [])
    ]


def in_torchs_form(found: Any) -> Any:
    """What tensorboardX writes, with the differences in form taken out."""
    for value in values_in(found):
        metadata = value.get("metadata", {}).get("plugin_data", {})
        if "image" in value:
            value.pop("metadata", None)  # names the plugin beside a legacy image, which says it already
        elif metadata.get("plugin_name") == "mesh":
            content = MeshPluginData.FromString(base64.b64decode(metadata["content"]))
            content.ClearField("components")  # tensorboardX does not say which parts there are
            if content.json_config in ("null", "{}"):
                content.ClearField("json_config")
            metadata["content"] = str(content)
            value["tag"] = _mesh_part(value["tag"])
    return {run: {_mesh_key(key): events for key, events in of_run.items()} for run, of_run in found.items()}


def _mesh_part(tag: str) -> str:
    parts = {"_VERTEX": "_1", "_FACE": "_2", "_COLOR": "_3"}
    return next(
        (tag.removesuffix(name) + number for name, number in parts.items() if tag.endswith(name)), tag
    )


def _mesh_key(key: Any) -> Any:
    what, tags = key
    return what, tuple(_mesh_part(tag) for tag in tags)


@pytest.mark.parametrize("name", [*CALLS, *OWN_CALLS])
def test_a_call_writes_what_tensorboardx_writes(name: str, tmp_path: Path) -> None:
    theirs, ours = run_both({**CALLS, **OWN_CALLS}[name], tmp_path)
    assert in_torchs_form(written(ours)) == in_torchs_form(written(theirs))


@pytest.mark.parametrize("name", writer_calls.SOUNDS)
def test_a_sound_differs_by_rounding_at_most(name: str, tmp_path: Path) -> None:
    pytest.importorskip("soundfile")
    theirs, ours = run_both(writer_calls.SOUNDS[name], tmp_path)
    (expected,), (found,) = (
        [e for e in events_of(only_event_file(path)) if e.step] for path in (theirs, ours)
    )
    their_audio, our_audio = expected.summary.value[0].audio, found.summary.value[0].audio
    samples = [
        np.frombuffer(audio.encoded_audio_string[44:], "<i2").astype(int)
        for audio in (their_audio, our_audio)
    ]
    np.testing.assert_allclose(*samples, atol=1)
    for audio in (their_audio, our_audio):
        audio.ClearField("encoded_audio_string")
    assert our_audio == their_audio
    assert found.wall_time == expected.wall_time or name == "mono"


def _samples(audio: Any) -> Any:
    return np.frombuffer(audio.encoded_audio_string[44:], "<i2").astype(int)


@pytest.mark.parametrize("name", writer_calls.EMBEDDINGS)
def test_an_embedding_leaves_the_files_that_tensorboardx_leaves(name: str, tmp_path: Path) -> None:
    theirs, ours = run_both(writer_calls.EMBEDDINGS[name], tmp_path)
    assert _side_files(ours) == _side_files(theirs)


def _side_files(directory: Path) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for path in directory.rglob("*"):
        if path.is_file() and "tfevents" not in path.name:
            content: Any = path.read_text()
            if path.name == "tensors.tsv":
                content = np.loadtxt(path, dtype=np.float32, delimiter="\t").tolist()
            elif path.suffix == ".pbtxt":
                content = text_format.Parse(content, ProjectorConfig())
            found[path.relative_to(directory).as_posix()] = content
    return found


# -- what is different on purpose


def test_tags_stay_as_they_are(tmp_path: Path) -> None:
    theirs, ours = run_both(lambda w: w.add_scalar("my loss: 100 %", 0.5), tmp_path)
    assert list(written(theirs)["."]) == [("summary", ("my_loss__100__",))]
    assert list(written(ours)["."]) == [("summary", ("my loss: 100 %",))]


def test_scalars_of_one_chart_have_the_directories_of_torch(tmp_path: Path) -> None:
    theirs, ours = run_both(lambda w: w.add_scalars("loss", {"a": 0.5, "b": 1.5}, 3), tmp_path)
    their_runs, our_runs = written(theirs), written(ours)
    assert set(their_runs) == {".", "loss/a", "loss/b"}
    assert set(our_runs) == {".", "loss_a", "loss_b"}
    for key in "ab":
        assert our_runs[f"loss_{key}"] == their_runs[f"loss/{key}"]


def test_exported_scalars_are_those_of_tensorboardx(tmp_path: Path) -> None:
    def call(writer: Any) -> None:
        for step in range(3):
            writer.add_scalars("loss", {"a": step / 2, "b": 1.5}, step, 123.5)
        writer.export_scalars_to_json(str(tmp_path / "all.json"))
        exported.append(json.loads((tmp_path / "all.json").read_text()))

    exported: list[dict[str, Any]] = []
    run_both(call, tmp_path)
    theirs, ours = exported
    assert sorted(ours.values()) == sorted(theirs.values())


@pytest.mark.parametrize(
    "call",
    [
        lambda w: w.add_hparams(HPARAMS, METRICS, "trial", 3),
        lambda w: w.add_hparams(HPARAMS, METRICS, name="trial", global_step=3),
    ],
)
def test_named_hparams_are_those_of_tensorboardx(call: Call, tmp_path: Path) -> None:
    theirs, ours = run_both(call, tmp_path)
    expected, found = (EventAccumulator(str(path / "trial")).Reload() for path in (theirs, ours))
    assert found.Tags() == expected.Tags()
    for tag in expected.Tags()["scalars"]:
        assert [(e.step, e.value) for e in found.Scalars(tag)] == [
            (e.step, e.value) for e in expected.Scalars(tag)
        ]


def test_a_writer_that_writes_nothing_takes_every_call(tmp_path: Path) -> None:
    for theirs in (True, False):
        kind = tensorboardX.SummaryWriter if theirs else SummaryWriter
        with kind(str(tmp_path / "none"), write_to_disk=False) as writer:
            for call in CALLS.values():
                call(writer)
    assert not (tmp_path / "none").exists()


# -- the global writer


def test_the_global_writer_counts_steps_as_tensorboardx_does(tmp_path: Path) -> None:
    # Recorded: tensorboardX starts five processes for its counters.
    writer = GlobalSummaryWriter(tmp_path, story=False)
    for value in range(5):
        writer.add_scalar("counted", value)
        writer.add_text("note", f"value {value}")
    writer.close()
    assert written(tmp_path)["."] == without_times(written(LOGS / "global_writer")["."])


def without_times(found: Any) -> Any:
    for events in found.values():
        for event in events:
            event.pop("wall_time", None)
    return found


# -- all calls in one run, and signatures


def test_the_accumulator_finds_the_same_tags_in_both(tmp_path: Path) -> None:
    def call_all(writer: Any) -> None:
        for name, one in CALLS.items():
            if not name.startswith("mesh"):  # whose tags differ
                one(writer)

    theirs, ours = (str(path) for path in run_both(call_all, tmp_path))
    found, expected = EventAccumulator(ours).Reload().Tags(), EventAccumulator(theirs).Reload().Tags()
    for kind, tags in expected.items():
        assert found[kind] == tags or sorted(found[kind]) == sorted(tags)
    assert set(sightline.open(ours).wait()["."].tags) == set(sightline.open(theirs).wait()["."].tags)


# Parameters that have another place in ours, because torch has them elsewhere, or that ours does not have.
ELSEWHERE = {
    ("__init__", "logdir"): "torch's first parameter is log_dir; given by place both are the same",
    ("__init__", "log_dir"): "is the first one",
    ("__init__", "comet_config"): "another service's logger",
    ("add_hparams", "name"): "third, where torch has the domains; taken there too when it is text",
    ("add_hparams", "global_step"): "fourth, where torch has the name; taken there too",
    ("add_image_with_boxes", "dataformats"): "torch has rescale before it",
    ("add_image_with_boxes", "labels"): "torch has rescale before it",
    ("add_onnx_graph", "onnx_model_file"): "torch calls it prototxt; the first in both",
    ("add_scalar", "display_name"): "torch has new_style and double_precision before it",
    ("add_scalar", "summary_description"): "torch has new_style and double_precision before it",
}


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        (tensorboardX.SummaryWriter, SummaryWriter),
        (tensorboardX.writer.FileWriter, FileWriter),
        (tensorboardX.GlobalSummaryWriter, GlobalSummaryWriter),
    ],
)
def test_every_parameter_of_tensorboardx_has_its_name_place_and_default(theirs: Any, ours: Any) -> None:
    for method in ["__init__", *(name for name in vars(theirs) if not name.startswith("_"))]:
        if not callable(getattr(theirs, method)):
            continue
        mine = inspect.signature(getattr(ours, method)).parameters
        places = list(mine)
        for place, parameter in enumerate(inspect.signature(getattr(theirs, method)).parameters.values()):
            if parameter.kind is parameter.VAR_KEYWORD or (method, parameter.name) in ELSEWHERE:
                continue
            assert parameter.name in mine, f"{method}: {parameter}"
            if parameter.kind is not parameter.KEYWORD_ONLY:
                assert places[place] == parameter.name, f"{method}: {parameter}"
            if parameter.name != "flush_secs":
                assert mine[parameter.name].default == parameter.default, f"{method}: {parameter}"


@pytest.mark.parametrize(("method", "name"), ELSEWHERE)
def test_a_parameter_that_is_elsewhere_is_still_there_by_name(method: str, name: str) -> None:
    if (method, name) != ("add_onnx_graph", "onnx_model_file"):
        assert name in inspect.signature(getattr(SummaryWriter, method)).parameters
