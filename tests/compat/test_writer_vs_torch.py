"""Our SummaryWriter against torch's: the same calls, read by TensorBoard, compared field by field."""

from __future__ import annotations

import inspect
import os
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from tensorboard.compat.proto import graph_pb2

import sightline
from sightline import FileWriter, SummaryWriter
from tests.compat import writer_calls
from tests.compat.writer_calls import HPARAMS, METRICS, Call
from tests.compat.written_events import events_of, only_event_file, pixels, written
from tests.fixtures.summary_calls import bytes_array, fractions

torch = pytest.importorskip("torch")
torch_tensorboard = pytest.importorskip("torch.utils.tensorboard")

TABLES: dict[str, dict[str, Call]] = {
    "scalar": writer_calls.SCALARS,
    "histogram": writer_calls.HISTOGRAMS,
    "image": writer_calls.IMAGES,
    "audio": writer_calls.SOUNDS,
    "text": writer_calls.TEXTS,
    "curve": writer_calls.CURVES,
    "layout": writer_calls.LAYOUTS,
    "mesh": writer_calls.MESHES,
}
CALLS = {f"{table}: {name}": call for table, calls in TABLES.items() for name, call in calls.items()}


def run_both(call: Call, directory: Path, **options: Any) -> tuple[Path, Path]:
    """The directories that torch's writer and ours leave behind."""
    theirs, ours = directory / "torch", directory / "sightline"
    writer = torch_tensorboard.SummaryWriter(str(theirs), **options)
    call(writer)
    writer.close()
    with SummaryWriter(str(ours), story=False, **options) as writer:
        call(writer)
    return theirs, ours


def assert_same(call: Call, directory: Path, **options: Any) -> None:
    theirs, ours = run_both(call, directory, **options)
    assert written(ours) == written(theirs)


@pytest.mark.parametrize("name", CALLS)
def test_a_call_writes_what_torch_writes(name: str, tmp_path: Path) -> None:
    assert_same(CALLS[name], tmp_path)


# -- arguments that only torch has


TORCH_CALLS: dict[str, Call] = {
    "new style": lambda w: w.add_scalar("loss", 1 / 3, 1, new_style=True),
    "double precision": lambda w: w.add_scalar("loss", 1 / 3, 1, None, True, True),
    "scalar tensor": lambda w: w.add_scalar("loss", torch.tensor(1 / 3, requires_grad=True), 1),
    "scalar of bfloat16": lambda w: w.add_scalar("loss", torch.tensor(1.5, dtype=torch.bfloat16), 1),
    "step tensor": lambda w: w.add_scalar("loss", 0.5, torch.tensor(5)),
    "histogram tensor": lambda w: w.add_histogram("weights", torch.arange(50.0, requires_grad=True)),
    "histogram of a parameter": lambda w: w.add_histogram("weights", torch.nn.Parameter(torch.ones(3, 3))),
    "image tensor": lambda w: w.add_image("picture", torch.from_numpy(bytes_array(3, 4, 5))),
    "audio tensor": lambda w: w.add_audio("sound", torch.from_numpy(fractions(1, 50, low=-1)), 1),
    "mesh tensors": lambda w: w.add_mesh("mesh", torch.ones(1, 3, 3), torch.ones(1, 3, 3).byte()),
    "float16 image": lambda w: w.add_image("picture", fractions(3, 4, 5).astype(np.float16)),
    "image of too high values": lambda w: w.add_image("picture", fractions(3, 4, 5, low=-1, high=2)),
    "curve tensors": lambda w: w.add_pr_curve("pr", torch.tensor([0, 1, 1]), torch.tensor([0.25, 0.75, 0.5])),
    "scalars": lambda w: w.add_scalars("run_14h", {"a": 1.5, "b": 2.5}, 3),
    "scalars with slashes": lambda w: [
        w.add_scalars("Loss/all", {"train": step, "val": step + 1}, step, 123.5) for step in range(3)
    ],
    **{
        f"tensor of {dtype}": lambda w, dtype=dtype: w.add_tensor("t", torch.ones(2, 3).to(dtype), 1)
        for dtype in (
            torch.float32, torch.float64, torch.int8, torch.int16, torch.int32, torch.int64,
        )
    },
}  # fmt: skip


@pytest.mark.parametrize("name", TORCH_CALLS)
def test_a_call_with_torchs_own_arguments_writes_what_torch_writes(name: str, tmp_path: Path) -> None:
    theirs, ours = run_both(TORCH_CALLS[name], tmp_path)
    if name.startswith("tensor of"):
        assert arrays_of(ours) == arrays_of(theirs)
    else:
        assert written(ours) == written(theirs)


def arrays_of(directory: Path) -> list[Any]:
    """Tags, steps, types and elements."""
    from tensorboard.util import tensor_util

    return [
        (value.tag, event.step, value.metadata.plugin_data.plugin_name, array.dtype, array.tolist())
        for event in events_of(only_event_file(directory))
        for value in event.summary.value
        for array in [tensor_util.make_ndarray(value.tensor)]
    ]


# -- files beside the event file


EMBEDDINGS: dict[str, Call] = {
    **writer_calls.EMBEDDINGS,
    "images": lambda w: w.add_embedding(
        torch.from_numpy(fractions(5, 3)),
        metadata=[1, 2, 3, 4, 5],
        label_img=torch.from_numpy(fractions(5, 3, 8, 8)),
    ),
}


@pytest.mark.parametrize("name", EMBEDDINGS)
def test_an_embedding_leaves_the_files_that_torch_leaves(name: str, tmp_path: Path) -> None:
    theirs, ours = run_both(EMBEDDINGS[name], tmp_path)
    found = side_files(ours)
    assert found == side_files(theirs)
    for path in found:
        if path.endswith(".png"):
            with Image.open(ours / path) as one, Image.open(theirs / path) as other:
                assert one.convert("RGBA").tobytes() == other.convert("RGBA").tobytes()
        elif path.endswith(".tsv"):
            assert cells_of(ours / path) == cells_of(theirs / path)
        else:
            assert projector_config(ours / path) == projector_config(theirs / path)


def cells_of(path: Path) -> list[list[object]]:
    """Vectors are read as float32; how many digits stand there does not matter."""
    lines = [line.split("\t") for line in path.read_text().splitlines()]
    if path.name == "tensors.tsv":
        return [[np.float32(cell) for cell in line] for line in lines]
    return lines  # type: ignore[return-value]


def side_files(directory: Path) -> list[str]:
    return sorted(
        path.relative_to(directory).as_posix()
        for path in directory.rglob("*")
        if path.is_file() and "tfevents" not in path.name
    )


def projector_config(path: Path) -> Any:
    from google.protobuf import text_format
    from tensorboard.plugins.projector.projector_config_pb2 import ProjectorConfig

    return text_format.Parse(path.read_text(), ProjectorConfig())


# -- graphs and films, which are made in another way


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # torch's own use of torch.jit.trace
def test_a_graph_is_where_torch_puts_it(tmp_path: Path) -> None:
    model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU())
    theirs, ours = run_both(lambda w: w.add_graph(model, torch.ones(1, 3)), tmp_path)
    for path in (theirs, ours):
        (event,) = (event for event in events_of(only_event_file(path)) if event.HasField("graph_def"))
        assert event.step == 0
        graph = graph_pb2.GraphDef.FromString(event.graph_def)
        assert any("Linear[0]" in node.name for node in graph.node)


@pytest.mark.parametrize("dtype", [torch.uint8, torch.float32])
def test_a_film_as_gif_has_the_pixels_that_torch_gives_it(
    dtype: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("moviepy.editor")  # of version 1: torch asks for it
    film = torch.from_numpy(bytes_array(2, 4, 3, 16, 16)).to(dtype) / (255 if dtype.is_floating_point else 1)
    monkeypatch.setattr("sightline.writer.kinds.video.has_av", lambda: False)
    theirs, ours = run_both(lambda w: w.add_video("film", film.to(dtype), 1, 8, 123.5), tmp_path)
    (expected,), (found,) = (
        [e for e in events_of(only_event_file(path)) if e.step] for path in (theirs, ours)
    )
    theirs_image, our_image = expected.summary.value[0].image, found.summary.value[0].image
    assert (our_image.height, our_image.width, our_image.colorspace, found.wall_time) == (
        theirs_image.height, theirs_image.width, theirs_image.colorspace, expected.wall_time,
    )  # fmt: skip
    assert pixels(our_image.encoded_image_string)[:20] == pixels(theirs_image.encoded_image_string)[:20]


# -- opening and closing


def test_purge_step_is_written_as_torch_writes_it_but_twice(tmp_path: Path) -> None:
    # TensorBoard takes the first START that it sees for the beginning of the run, and purges nothing.
    theirs, ours = (
        written(path)["."] for path in run_both(lambda w: w.add_scalar("l", 0.5, 8), tmp_path, purge_step=8)
    )
    start = ("session_log", ())
    assert ours[start] == 2 * theirs[start] == 2 * [{"step": "8", "session_log": {"status": "START"}}]
    assert {**ours, start: []} == {**theirs, start: []}


def test_names_of_files_and_directories_are_torchs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    theirs = torch_tensorboard.SummaryWriter(comment="_x", filename_suffix=".mine")
    ours = SummaryWriter(comment="_x", filename_suffix=".mine", story=False)
    shape = re.compile(r"runs/\w{3}\d\d_\d\d-\d\d-\d\d_" + re.escape(os.uname().nodename) + "_x")
    assert shape.fullmatch(theirs.get_logdir())
    assert shape.fullmatch(ours.get_logdir())
    assert ours.log_dir == ours.get_logdir()
    name = re.compile(r"events\.out\.tfevents\.\d{10}\..+\.\d+\.\d+\.mine")
    for writer in (theirs, ours):
        writer.close()
    for path in tmp_path.rglob("*tfevents*"):
        assert name.fullmatch(path.name)


def test_a_writer_goes_on_after_close_in_a_new_file_as_torchs_does(tmp_path: Path) -> None:
    def call(writer: Any) -> None:
        writer.add_scalar("loss", 0.5, 1)
        writer.close()
        writer.add_scalar("loss", 0.25, 2)

    theirs, ours = run_both(call, tmp_path)
    assert written(ours) == written(theirs)
    assert len(list(ours.glob("*tfevents*"))) == len(list(theirs.glob("*tfevents*"))) == 2


def test_every_event_file_begins_with_the_version(tmp_path: Path) -> None:
    _, ours = run_both(lambda w: w.add_scalar("loss", 0.5), tmp_path)
    assert events_of(only_event_file(ours))[0].file_version == "brain.Event:2"


# -- what is different on purpose


def _without_times(events: Any) -> Any:
    """Start and end of a session are times of day, inside serialized content."""
    from tensorboard.plugins.hparams.plugin_data_pb2 import HParamsPluginData

    found = []
    for event in events:
        for value in event.summary.value:
            content = HParamsPluginData.FromString(value.metadata.plugin_data.content)
            for part, field in (
                ("session_start_info", "start_time_secs"),
                ("session_end_info", "end_time_secs"),
                ("experiment", "time_created_secs"),
            ):
                if content.HasField(part):
                    getattr(content, part).ClearField(field)
            found.append((value.tag, value.simple_value, event.step, _sorted_lines(content)))
    return sorted(found)


def _sorted_lines(message: Any) -> list[str]:
    return sorted(str(message).splitlines())  # maps have no order


def test_hparams_in_a_sub_run_are_what_torch_writes(tmp_path: Path) -> None:
    domains = {"lr": [0.1, 0.2], "optimizer": ["adam", "sgd"]}
    theirs, ours = run_both(lambda w: w.add_hparams(HPARAMS, METRICS, domains, "trial", 3), tmp_path)
    assert _without_times(events_of(only_event_file(ours / "trial"))) == _without_times(
        events_of(only_event_file(theirs / "trial"))
    )


def test_hparams_go_into_the_run_itself(tmp_path: Path) -> None:
    theirs, ours = run_both(lambda w: w.add_hparams(HPARAMS, METRICS), tmp_path)
    assert [path.parent for path in ours.rglob("*tfevents*")] == [ours]
    assert {path.parent for path in theirs.rglob("*tfevents*")} != {theirs}
    (stray,) = (path for path in theirs.rglob("*tfevents*") if path.parent != theirs)
    assert _without_times(events_of(only_event_file(ours))) == _without_times(events_of(stray))


def test_a_bool_hparam_stays_a_bool(tmp_path: Path) -> None:
    theirs, ours = run_both(lambda w: w.add_hparams({"flag": True}, {"m": 1.0}, run_name="trial"), tmp_path)
    assert "bool_value: true" in str(_without_times(events_of(only_event_file(ours / "trial"))))
    assert "number_value: 1" in str(_without_times(events_of(only_event_file(theirs / "trial"))))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.uint8, torch.bool])
def test_tensors_of_types_that_torch_writes_wrong_are_right(dtype: Any, tmp_path: Path) -> None:
    tensor = torch.tensor([0.0, 1.0, 1.5, 250.0]).to(dtype)
    with SummaryWriter(tmp_path, story=False) as writer:
        writer.add_tensor("t", tensor, 1)
    run = sightline.open(tmp_path).wait()["."]
    (item,) = run.tensors["t"]
    np.testing.assert_array_equal(item.array, tensor.float().numpy())


def test_a_curve_may_have_more_than_127_thresholds(tmp_path: Path) -> None:
    labels, predictions = np.array([0, 1, 1]), np.array([0.25, 0.5, 0.75])
    with SummaryWriter(tmp_path, story=False) as writer:
        writer.add_pr_curve("pr", labels, predictions, num_thresholds=201)
    (value,) = (v for event in events_of(only_event_file(tmp_path)) for v in event.summary.value)
    assert [dim.size for dim in value.tensor.tensor_shape.dim] == [6, 201]


def test_numbers_that_are_not_finite_do_not_stop_a_histogram(tmp_path: Path) -> None:
    values = np.array([1.0, np.nan, 2.0, np.inf])
    with SummaryWriter(tmp_path / "a", story=False) as writer:
        writer.add_histogram("weights", values)
    with SummaryWriter(tmp_path / "b", story=False) as writer:
        writer.add_histogram("weights", values[[0, 2]])
    assert written(tmp_path / "a") == written(tmp_path / "b")


# -- all calls in one run, through TensorBoard's accumulator and our own reader


def test_the_accumulator_finds_the_same_tags_in_both(tmp_path: Path) -> None:
    def call_all(writer: Any) -> None:
        for one in CALLS.values():
            one(writer)

    theirs, ours = (str(path) for path in run_both(call_all, tmp_path))
    found, expected = EventAccumulator(ours).Reload().Tags(), EventAccumulator(theirs).Reload().Tags()
    assert _sorted_lists(found) == _sorted_lists(expected)
    our_run, their_run = sightline.open(ours).wait()["."], sightline.open(theirs).wait()["."]
    assert {tag: (info.kind, info.count) for tag, info in our_run.tags.items()} == {
        tag: (info.kind, info.count) for tag, info in their_run.tags.items()
    }


def _sorted_lists(tags: dict[str, Any]) -> dict[str, Any]:
    return {kind: sorted(found) if isinstance(found, list) else found for kind, found in tags.items()}


# -- signatures


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [(torch_tensorboard.SummaryWriter, SummaryWriter), (torch_tensorboard.FileWriter, FileWriter)],
)
def test_every_parameter_of_torch_has_its_name_place_and_default(theirs: Any, ours: Any) -> None:
    different = set()
    for name in ["__init__", *(name for name in vars(theirs) if not name.startswith("_"))]:
        our_parameters = list(inspect.signature(getattr(ours, name)).parameters.values())
        for place, parameter in enumerate(inspect.signature(getattr(theirs, name)).parameters.values()):
            assert our_parameters[place].name == parameter.name, f"{name}: {parameter}"
            if our_parameters[place].default != parameter.default:
                different.add((name, parameter.name))
    # Values reach the disk within a second. FileWriter's directory has a second name, as in tensorboardX.
    # tensorboardX calls prototxt something else, so that neither name can be required.
    assert different <= {("__init__", "flush_secs"), ("__init__", "log_dir"), ("add_onnx_graph", "prototxt")}
