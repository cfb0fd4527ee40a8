"""The native sink as Python sees it: what it takes, what lies in the file, threads, forks and ends.

What the disk does to it is in test_sink_trouble.py; scripted disks are in core/tests/test_sink_trouble.cpp,
which the sanitizers watch.
"""

import math
import os
import re
import signal
import struct
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tensorboard.backend.event_processing.event_file_loader import RawEventFileLoader
from tensorboard.backend.event_processing.plugin_event_accumulator import EventAccumulator
from tensorboard.compat.proto.event_pb2 import Event

import sightline
from sightline._core import HISTOGRAM_GEOMETRIC, HISTOGRAM_UNIFORM, Sink
from tests.writer.reading import events_of, events_of_file, files_of, scalars_of, values_of


def open_sink(directory: Path, **options: Any) -> Sink:
    return Sink(str(directory), **{"hostname": "host", "flush_secs": 1000.0, **options})


def as_float32(value: float) -> float:
    with np.errstate(over="ignore"):
        return float(np.float32(value))


# -- the file


def test_the_file_is_named_like_torchs_and_begins_with_its_version(tmp_path: Path) -> None:
    sink = open_sink(tmp_path / "a" / "b", suffix=".mine")
    assert re.fullmatch(
        rf"events\.out\.tfevents\.\d{{10}}\.host\.{os.getpid()}\.\d+\.mine", Path(sink.path).name
    )
    (event,) = events_of_file(Path(sink.path))
    assert event.file_version == "brain.Event:2"
    assert event.source_metadata.writer == "sightline.writer"
    assert sink.is_open
    assert sink.close()


def test_odd_names_do_not_leave_the_directory(tmp_path: Path) -> None:
    sink = open_sink(tmp_path, hostname="../../ho/st")
    assert Path(sink.path).parent == tmp_path
    with pytest.raises(ValueError, match="suffix"):
        open_sink(tmp_path, suffix="/x")


def test_sinks_in_one_directory_have_files_of_their_own(tmp_path: Path) -> None:
    sinks = [open_sink(tmp_path) for _ in range(20)]
    for i, sink in enumerate(sinks):
        sink.add_scalar("a", i, i, None)
    assert all(sink.close() for sink in sinks)
    assert len(files_of(tmp_path)) == len({sink.path for sink in sinks}) == 20
    assert sorted(scalars_of(tmp_path)["a"]) == [(i, float(i)) for i in range(20)]


def test_after_closing_the_next_value_begins_a_new_file(tmp_path: Path) -> None:
    sink = open_sink(tmp_path)
    sink.add_scalar("a", 1, 1, None)
    assert sink.close()
    assert not sink.is_open
    assert sink.close()
    first = sink.path
    sink.add_scalar("a", 2, 2, None)
    assert sink.is_open
    assert sink.close()
    assert sink.path != first
    assert len(files_of(tmp_path)) == 2
    assert scalars_of(tmp_path) == {"a": [(1, 1.0), (2, 2.0)]}


def test_a_relative_directory_stays_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)
    sink = open_sink(Path("run"))
    monkeypatch.chdir(tmp_path / "elsewhere")
    sink.add_scalar("a", 1, 1, None)
    assert sink.close()
    sink.add_scalar("a", 2, 2, None)
    assert sink.close()
    assert sink.take_notices() == []
    assert scalars_of(tmp_path / "run") == {"a": [(1, 1.0), (2, 2.0)]}


# -- what it takes


@pytest.mark.parametrize(
    ("given_value", "wanted"),
    [
        (0, 0.0),
        (True, 1.0),
        (-3, -3.0),
        (0.1, as_float32(0.1)),
        (1e300, math.inf),
        (-math.inf, -math.inf),
        (10**400, math.inf),
        (-(10**400), -math.inf),
        (np.float64(0.25), 0.25),
        (np.float32(0.25), 0.25),
        (np.float16(0.25), 0.25),
        (np.longdouble(0.25), 0.25),
        (np.int8(-3), -3.0),
        (np.uint64(2**63), float(2**63)),
        (np.bool_(True), 1.0),
    ],
)
def test_numbers_of_all_kinds_are_taken(tmp_path: Path, given_value: Any, wanted: float) -> None:
    sink = open_sink(tmp_path)
    assert sink.add_scalar("a", given_value, 1, None) is False
    assert sink.add_scalars({"b": given_value}, 1, None) is False
    assert sink.close()
    assert scalars_of(tmp_path) == {"a": [(1, wanted)], "b": [(1, wanted)]}


@pytest.mark.parametrize(
    "value", ["1", None, 1j, [1.0], np.zeros(1), np.complex64(1), np.str_("1"), b"1", object()]
)
def test_other_things_are_refused_and_nothing_is_taken(tmp_path: Path, value: Any) -> None:
    sink = open_sink(tmp_path)
    with pytest.raises(TypeError, match="number"):
        sink.add_scalar("a", value, 1, None)
    with pytest.raises(TypeError, match="number"):
        sink.add_scalars({"a": 1.0, "b": value}, 1, None)
    assert sink.close()
    assert values_of(tmp_path) == []


def test_steps_are_whole_numbers_of_64_bits(tmp_path: Path) -> None:
    sink = open_sink(tmp_path)
    steps: list[Any] = [None, 0, -1, 2**63 - 1, -(2**63), np.int32(7), True]
    for step in steps:
        sink.add_scalar("a", 1, step, None)
    for step in [1.5, "1", 2**63, -(2**63) - 1, np.float32(1), [1]]:
        with pytest.raises(TypeError, match=r"step|integer"):
            sink.add_scalar("a", 1, step, None)  # type: ignore[arg-type]
    assert sink.close()
    assert [step for step, _ in scalars_of(tmp_path)["a"]] == [0, 0, -1, 2**63 - 1, -(2**63), 7, 1]
    assert sink.last_step == 2**63 - 1


def test_tags_are_text_and_halves_of_characters_are_replaced(tmp_path: Path) -> None:
    sink = open_sink(tmp_path)
    for tag in ["", "ä/β/漢", "a\0b", "x" * 100_000, "\ud800!"]:
        sink.add_scalar(tag, 1, 1, None)
        sink.add_scalars({tag: 2}, 1, None)
    odd_tags: list[Any] = [None, b"a", 1]
    for tag in odd_tags:
        with pytest.raises(TypeError, match="tag"):
            sink.add_scalar(tag, 1, 1, None)
        with pytest.raises(TypeError, match="tag"):
            sink.add_scalars({tag: 1}, 1, None)
    assert sink.close()
    assert list(scalars_of(tmp_path)) == ["", "ä/β/漢", "a\0b", "x" * 100_000, "?!"]


def test_a_dict_is_one_event(tmp_path: Path) -> None:
    sink = open_sink(tmp_path)
    values = {f"tag{i}": float(i) for i in range(1000)}
    sink.add_scalars(values, 3, 12.5)
    sink.add_scalars({}, 4, None)
    with pytest.raises(TypeError, match="dict"):
        sink.add_scalars([("a", 1)], 1, None)  # type: ignore[arg-type]
    assert sink.close()
    _, event = events_of(tmp_path)
    assert (event.step, event.wall_time) == (3, 12.5)
    assert {value.tag: value.simple_value for value in event.summary.value} == values


def test_the_wall_time_is_now_unless_it_is_given(tmp_path: Path) -> None:
    sink = open_sink(tmp_path)
    before = events_of(tmp_path)[0].wall_time
    sink.add_scalar("a", 1, 1, None)
    sink.add_scalar("a", 1, 1, 5)
    with pytest.raises(TypeError):
        sink.add_scalar("a", 1, 1, "now")  # type: ignore[arg-type]
    assert sink.close()
    _, now, given_time = events_of(tmp_path)
    assert before <= now.wall_time < before + 100
    assert given_time.wall_time == 5


def test_events_are_written_as_they_are(tmp_path: Path) -> None:
    sink = open_sink(tmp_path)
    events = [b"", b"\x10\x05", b"\x1a" + b"\x80\x80\x40" + bytes(1 << 20)]
    for event in events:
        sink.add_event(event)
    with pytest.raises(TypeError):
        sink.add_event("text")  # type: ignore[arg-type]
    assert sink.close()
    assert [event.SerializeToString() for event in events_of(tmp_path)[1:]] == events


def test_histograms_are_counted_later_and_odd_elements_are_told_once_per_tag(tmp_path: Path) -> None:
    sink = open_sink(tmp_path)
    data = np.array([1.0, 2.0, np.nan, np.inf])
    for step in range(3):
        sink.add_histogram("a", data, step, 1.0, HISTOGRAM_GEOMETRIC)
        sink.add_histogram("b", data, step, 1.0, HISTOGRAM_UNIFORM, buckets=4, metadata=b"\x12\x01n")
    sink.add_histogram("c", np.arange(1_000_000, dtype=np.int16), 3, 1.0, HISTOGRAM_UNIFORM)
    data[:] = 0  # it was copied
    assert sink.close()
    assert [level for level, _ in sink.take_notices()] == ["warning", "warning"]
    values = [value for _, value in values_of(tmp_path)]
    assert [value.tag for value in values] == ["a", "b"] * 3 + ["c"]
    assert (values[0].histo.min, values[0].histo.max, values[0].histo.num) == (1, 2, 2)
    assert values[1].metadata.display_name == "n"
    rows = np.frombuffer(values[1].tensor.tensor_content).reshape(4, 3)
    assert rows.tolist() == [[1, 1.25, 1], [1.25, 1.5, 0], [1.5, 1.75, 0], [1.75, 2, 1]]
    assert np.frombuffer(values[6].tensor.tensor_content).reshape(30, 3)[:, 2].sum() == 1_000_000


def test_the_bytes_are_those_that_protobuf_writes(tmp_path: Path) -> None:
    sink = open_sink(tmp_path, purge_step=300)
    for step in [0, 1, -1, 300]:
        sink.add_scalar("a" * step if step > 0 else "", step, step, None)
        sink.add_scalars({"x" * 200: 0, "y": 1e-40}, step, 0.0)
        sink.add_histogram("h", np.arange(-5.0, 5.0), step, 1.0, HISTOGRAM_GEOMETRIC, metadata=b"\x12\x01n")
        sink.add_histogram("h", np.arange(0.0), step, 1.0, HISTOGRAM_UNIFORM, buckets=300)
    assert sink.close()
    records = list(RawEventFileLoader(sink.path).Load())
    assert len(records) == 1 + 2 + 4 * 4
    assert [Event.FromString(record).SerializeToString() for record in records] == records


@pytest.mark.parametrize(
    "data", [np.zeros(2, complex), np.array(["a"]), np.zeros(2, "datetime64[s]"), "x", [1]]
)
def test_arrays_that_cannot_be_counted_are_refused(tmp_path: Path, data: Any) -> None:
    sink = open_sink(tmp_path)
    with pytest.raises(TypeError):
        sink.add_histogram("a", data, 1, 1.0, HISTOGRAM_GEOMETRIC)
    with pytest.raises(ValueError, match="buckets"):
        sink.add_histogram("a", np.zeros(2), 1, 1.0, HISTOGRAM_UNIFORM, buckets=0)
    assert sink.close()
    assert values_of(tmp_path) == []


points = st.tuples(
    st.text(max_size=20),
    st.one_of(st.floats(), st.floats(width=32), st.integers()),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False, allow_infinity=False),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(points, max_size=30))
def test_anything_reads_back_exactly(
    tmp_path_factory: pytest.TempPathFactory, given_points: list[tuple[str, float, int, float]]
) -> None:
    directory = tmp_path_factory.mktemp("any")
    sink = open_sink(directory)
    for tag, value, step, wall_time in given_points:
        sink.add_scalar(tag, value, step, wall_time)
    assert sink.close()

    def bits(value: float) -> bytes:
        return struct.pack("<d", value) if not math.isnan(value) else b"nan"

    wanted = [(tag, (bits(as_float32(value)), step, bits(when))) for tag, value, step, when in given_points]
    read = [
        (value.tag, (bits(value.simple_value), event.step, bits(event.wall_time)))
        for event in events_of(directory)[1:]
        for value in event.summary.value
    ]
    assert read == wanted
    with sightline.open(directory, cache=False) as log:
        for tag in {tag for tag, _ in wanted}:
            rows = log.wait()["."].scalars[tag].all
            mine = list(
                zip(map(bits, rows.value), map(int, rows.step), map(bits, rows.wall_time), strict=True)
            )
            assert mine == [point for name, point in wanted if name == tag]


# -- purging


def steps_in_tensorboard(directory: Path) -> dict[str, list[int]]:
    """What TensorBoard shows with ``--load_fast=false``."""
    accumulator = EventAccumulator(str(directory), tensor_size_guidance={"scalars": 0})
    accumulator.Reload()
    return {tag: [e.step for e in accumulator.Tensors(tag)] for tag in accumulator.Tags()["tensors"]}


def steps_in_sightline(directory: Path) -> dict[str, tuple[list[int], list[int]]]:
    with sightline.open(directory, cache=False) as log:
        return {
            tag: (series.step.tolist(), series.superseded.step.tolist())
            for tag, series in log.wait()["."].scalars.items()
        }


def log_steps(directory: Path, first: int, last: int, *tags: str, purge_step: int | None = None) -> None:
    sink = open_sink(directory, purge_step=purge_step)
    for step in range(first, last):
        for tag in tags:
            sink.add_scalar(tag, step, step, None)
    assert sink.close()


def test_a_purge_step_hides_what_it_supersedes_and_nothing_else(tmp_path: Path) -> None:
    log_steps(tmp_path, 0, 10, "a", "b")
    log_steps(tmp_path, 5, 7, "a", purge_step=5)
    assert steps_in_tensorboard(tmp_path) == {"a": list(range(7)), "b": list(range(5))}
    old = list(range(5, 10))
    assert steps_in_sightline(tmp_path) == {"a": (list(range(7)), old), "b": (list(range(5)), old)}
    log_steps(tmp_path, 6, 8, "a", purge_step=6)  # a second restart
    assert steps_in_tensorboard(tmp_path) == {"a": list(range(8)), "b": list(range(5))}
    assert steps_in_sightline(tmp_path)["a"] == (list(range(8)), [*old, 6])


def test_a_purge_step_hides_nothing_where_nothing_is_superseded(tmp_path: Path) -> None:
    log_steps(tmp_path / "first", 5, 9, "a", purge_step=5)
    assert steps_in_tensorboard(tmp_path / "first") == {"a": [5, 6, 7, 8]}
    assert steps_in_sightline(tmp_path / "first") == {"a": ([5, 6, 7, 8], [])}
    log_steps(tmp_path / "later", 0, 3, "a")
    log_steps(tmp_path / "later", 10, 12, "a", purge_step=10)
    assert steps_in_tensorboard(tmp_path / "later") == {"a": [0, 1, 2, 10, 11]}
    assert steps_in_sightline(tmp_path / "later") == {"a": ([0, 1, 2, 10, 11], [])}


# -- threads, forks and ends


def test_many_threads_lose_nothing(tmp_path: Path) -> None:
    # A small buffer, so that callers also wait for room.
    sink = open_sink(tmp_path, max_pending_bytes=20_000, flush_secs=0.001)
    histogram = np.arange(1000.0)

    def work(name: str) -> None:
        for step in range(500):
            sink.add_scalar(name, step, step, None)
            sink.add_scalars({f"{name}/x": step, f"{name}/y": step}, step, None)
            if step % 100 == 0:
                sink.add_histogram(f"{name}/h", histogram, step, 1.0, HISTOGRAM_UNIFORM)
                assert sink.flush()
                assert sink.problem == ""
        sink.take_notices()

    threads = [threading.Thread(target=work, args=(str(i),)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sink.close()
    assert sink.lost_events == sink.pending_bytes == 0
    scalars = scalars_of(tmp_path)
    assert len(scalars) == 24
    assert all(rows == [(i, float(i)) for i in range(500)] for rows in scalars.values())
    assert len(values_of(tmp_path)) == 24 * 500 + 8 * 5


def run(code: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Runs a program of its own: a fork of this one would copy the locks of all its threads."""
    program = f"""
import multiprocessing, os, signal, sys, threading, warnings
warnings.simplefilter("ignore", DeprecationWarning)  # of forking with threads
from sightline._core import Sink
def open_sink(**options):
    return Sink(sys.argv[1], **{{"hostname": "host", "flush_secs": 1000.0, **options}})
{code}"""
    command = [sys.executable, "-c", program, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


FORKS = """
sink = open_sink(flush_secs=0.01)
is_over = threading.Event()
def log_all_the_time():
    step = 0
    while not is_over.is_set():
        sink.add_scalar("parent", step, step, None)
        step += 1
        if step % 10 == 0:
            sink.flush()
thread = threading.Thread(target=log_all_the_time)
thread.start()
for child in range(5):
    pid = os.fork()
    if pid == 0:
        assert not sink.is_open and sink.pending_bytes == 0
        for step in range(100):
            sink.add_scalar(f"child{child}", step, step, None)
        assert sink.flush() and sink.close() and f".{os.getpid()}." in sink.path
        os._exit(0)
    assert os.waitpid(pid, 0)[1] == 0
is_over.set()
thread.join()
assert sink.close()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_forked_children_have_files_of_their_own_while_the_parent_logs(tmp_path: Path) -> None:
    done = run(FORKS, tmp_path)
    assert done.returncode == 0, done.stderr
    assert len(files_of(tmp_path)) == 6
    scalars = scalars_of(tmp_path)
    for child in range(5):
        assert scalars[f"child{child}"] == [(i, float(i)) for i in range(100)]
    assert scalars["parent"] == [(i, float(i)) for i in range(len(scalars["parent"]))]
    for file in files_of(tmp_path):
        tags = {value.tag for event in events_of_file(file) for value in event.summary.value}
        assert len(tags) == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_that_logs_nothing_has_no_file(tmp_path: Path) -> None:
    code = """
sink = open_sink()
sink.add_scalar("a", 1, 1, None)
pid = os.fork()
if pid == 0:
    assert sink.flush() and sink.close() and not sink.is_open and sink.last_step == 1
    del sink
    os._exit(0)
assert os.waitpid(pid, 0)[1] == 0
assert sink.close()
"""
    done = run(code, tmp_path)
    assert done.returncode == 0, done.stderr
    assert len(files_of(tmp_path)) == 1
    assert scalars_of(tmp_path) == {"a": [(1, 1.0)]}


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_processes_of_multiprocessing_have_files_of_their_own(tmp_path: Path, method: str) -> None:
    if method == "fork" and not hasattr(os, "fork"):
        pytest.skip("needs fork")
    program = tmp_path / "program.py"
    program.write_text(
        """
import multiprocessing, sys, warnings
warnings.simplefilter("ignore", DeprecationWarning)
from sightline._core import Sink
sink = None
def work(name):
    mine = sink or Sink(sys.argv[1], hostname="host")
    for step in range(200):
        mine.add_scalar(name, step, step, None)
    assert mine.close()
if __name__ == "__main__":
    sink = Sink(sys.argv[1], hostname="host")
    context = multiprocessing.get_context(sys.argv[2])
    children = [context.Process(target=work, args=(f"child{i}",)) for i in range(3)]
    for child in children:
        child.start()
    work("parent")
    for child in children:
        child.join()
        assert child.exitcode == 0
"""
    )
    directory = tmp_path / "run"
    subprocess.run([sys.executable, str(program), str(directory), method], check=True, timeout=120)
    assert len(files_of(directory)) == 4
    names = {"parent", "child0", "child1", "child2"}
    assert scalars_of(directory) == {name: [(i, float(i)) for i in range(200)] for name in names}


def test_a_kill_takes_nothing_that_is_older_than_the_flush_interval(tmp_path: Path) -> None:
    code = """
sink = open_sink(flush_secs=0.05)
for step in range(1000):
    sink.add_scalar("a", step, step, None)
while sink.pending_bytes:  # nobody asks it to write
    os.sched_yield()
os.kill(os.getpid(), signal.SIGKILL)
"""
    assert run(code, tmp_path).returncode == -signal.SIGKILL
    assert scalars_of(tmp_path) == {"a": [(i, float(i)) for i in range(1000)]}


@pytest.mark.parametrize(
    ("ending", "code"),
    [("", 0), ("sys.exit(3)", 3), ("raise ValueError", 1), ("del sink", 0), ("sink.close()", 0)],
)
def test_what_is_not_closed_is_written_when_the_interpreter_ends(
    tmp_path: Path, ending: str, code: int
) -> None:
    done = run(
        f"""
sink = open_sink()
for step in range(1000):
    sink.add_scalar("a", step, step, None)
{ending}""",
        tmp_path,
    )
    assert done.returncode == code, done.stderr
    assert scalars_of(tmp_path) == {"a": [(i, float(i)) for i in range(1000)]}


def test_an_interpreter_ends_while_threads_are_still_logging(tmp_path: Path) -> None:
    code = """
sink = open_sink(max_pending_bytes=5000)
def work():
    for step in range(10**9):
        sink.add_scalar("a", step, step, None)
        if step % 100 == 0:
            sink.flush()
for _ in range(4):
    threading.Thread(target=work, daemon=True).start()
while sink.last_step < 1000:
    os.sched_yield()
"""
    done = run(code, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(scalars_of(tmp_path)["a"]) > 1000
