"""Logs of real programs: the core against the oracle, and the oracle against TensorBoard."""

from __future__ import annotations

from pathlib import Path

import pytest
from tensorboard.backend.event_processing import event_accumulator
from tensorboard.backend.event_processing.event_file_loader import RawEventFileLoader
from tensorboard.compat.proto import event_pb2
from tensorboard.util import tensor_util

from sightline import _core
from tests import oracle
from tests.compat.comparison import FORMS, assert_log_is_read_right, assert_same_floats, scanned

LOGS = Path(__file__).parents[1] / "fixtures" / "logs"
NAMES = sorted(path.relative_to(LOGS).as_posix() for path in LOGS.glob("*/*") if path.is_dir())
EVENT_FILES = sorted(path.relative_to(LOGS).as_posix() for path in LOGS.rglob("*tfevents*"))
ALL_POINTS = dict.fromkeys(event_accumulator.DEFAULT_SIZE_GUIDANCE, 0)

# The dtypes TensorBoard can turn into arrays; no large unsigned, small float or quantized ones.
TENSORBOARD_DTYPES = (1, 2, 3, 4, 5, 6, 9, 10, 17, 19)


@pytest.mark.parametrize("name", NAMES)
def test_every_value_of_a_real_log_equals_the_oracle(name: str) -> None:
    assert_log_is_read_right(LOGS / name, scanned(LOGS / name))


def test_all_real_logs_are_read_as_one_log_directory() -> None:
    assert_log_is_read_right(LOGS, scanned(LOGS))


@pytest.mark.parametrize("name", EVENT_FILES)
def test_the_oracle_finds_the_records_that_tensorboard_finds(name: str) -> None:
    events = [event_pb2.Event.FromString(raw) for raw in RawEventFileLoader(str(LOGS / name)).Load()]
    decoded = oracle.decode_file(LOGS / name)
    assert decoded.record_count == len(events)
    assert decoded.wall_times == [event.wall_time for event in events]
    expected: dict[tuple[str, int], list[bytes]] = {}
    for event in events:
        for value in event.summary.value:
            expected.setdefault((value.tag, event.step), []).append(
                value.SerializeToString(deterministic=True)
            )
    for (tag, form), rows in decoded.rows.items():
        if form in ("TENSOR", "IMAGE", "AUDIO", "HISTOGRAM", "METADATA"):
            for row in rows:
                value = event_pb2.Event().summary.value.add()
                value.ParseFromString(row.data)
                assert value.SerializeToString(deterministic=True) in expected[tag, row.step]


@pytest.mark.parametrize("name", EVENT_FILES)
def test_scalars_equal_those_of_tensorboards_accumulator(name: str) -> None:
    accumulator = event_accumulator.EventAccumulator(str(LOGS / name), ALL_POINTS, purge_orphaned_data=False)
    accumulator.Reload()
    index = scanned(LOGS / name)
    (run,) = index.run_names()
    for tag in accumulator.Tags()["tensors"]:
        metadata = accumulator.summary_metadata.get(tag)
        if metadata is None or metadata.plugin_data.plugin_name != "scalars":
            continue
        events = accumulator.Tensors(tag)
        if events[0].tensor_proto.dtype not in TENSORBOARD_DTYPES:
            continue
        arrays = [tensor_util.make_ndarray(event.tensor_proto) for event in events]
        wanted = [(e, float(a.item())) for e, a in zip(events, arrays, strict=True) if a.size == 1]
        (part,) = index.parts(run, tag, _core.FORM_SCALAR)
        assert part.step.tolist() == [event.step for event, _ in wanted]
        assert_same_floats(part.wall_time, [event.wall_time for event, _ in wanted])
        assert_same_floats(part.value, [value for _, value in wanted])


def test_the_real_logs_hold_every_form_there_is() -> None:
    index = scanned(LOGS)
    found = {series.form for run in index.run_names() for series in index.series(run)}
    assert found == set(FORMS.values())


def test_the_real_logs_hold_every_plugin_there_is() -> None:
    index = scanned(LOGS)
    found = {series.plugin for run in index.run_names() for series in index.series(run)}
    assert found >= {
        "", "scalars", "images", "audio", "text", "histograms", "hparams", "pr_curves", "mesh",
        "custom_scalars", "graph_run_metadata", "graph_run_metadata_graph", "graph_keras_model", "tensor",
        "somebody_else",
    }  # fmt: skip
