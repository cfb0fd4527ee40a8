"""Active time: what is left of wall time when the pauses between restarts are taken out."""

from __future__ import annotations

import math
import time
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import sightline
from sightline.query.active_time import active_time_s
from sightline.query.lines import Line, LineReader, LineSource
from sightline.store.run import sessions_of
from sightline.store.runs import RunStore
from sightline.store.story import CHILD_WRITER
from tests.event_logs import BEGIN_S, append, points, read, start, write_restarted_run, write_run
from tests.fixtures import event_bytes as eb


def active_line(store: RunStore, tag: str = "loss") -> Line:
    (line,) = LineReader(store.runs(), LineSource(tag=tag, x="active")).lines()
    return line


def active_x(store: RunStore, tag: str = "loss") -> NDArray[np.float64]:
    x = active_line(store, tag).x
    assert x is not None
    return x


def test_the_clock_stands_still_between_sessions() -> None:
    wall = np.array([100.0, 110.0, 150.0, 200.0, 205.0, 300.0, 310.0, 400.0, math.nan])
    sessions = [(100.0, 110.0), (200.0, 205.0), (300.0, 310.0)]
    np.testing.assert_array_equal(
        active_time_s(wall, 100.0, sessions), [0, 10, 10, 10, 15, 15, 25, 115, math.nan]
    )
    # A line that begins in the second session, or in a pause, counts from there.
    np.testing.assert_array_equal(active_time_s(wall[3:7], 200.0, sessions), [0, 5, 5, 15])
    np.testing.assert_array_equal(active_time_s(wall[2:5], 150.0, sessions), [0, 0, 5])
    np.testing.assert_array_equal(active_time_s(np.array([90.0, 100.0]), 90.0, sessions), [0, 10])
    np.testing.assert_array_equal(active_time_s(wall[:3], 100.0, [(0.0, 1.0)]), [0, 10, 50])
    assert np.isnan(active_time_s(wall, math.nan, sessions)).all()


def test_a_restart_in_a_second_file_leaves_out_the_pause(tmp_path: Path) -> None:
    write_restarted_run(tmp_path / "a")  # steps 0 to 5 at 1 to 6 s; steps 3 to 7 again at 101 to 105 s
    line = active_line(read(tmp_path))
    assert line.step.tolist() == [0, 1, 2, 3, 4, 5, 6, 7]
    # What the first start computed up to its last point, superseded or not, was work.
    assert line.x is not None
    assert line.x.tolist() == [0, 1, 2, 5, 6, 7, 8, 9]
    assert line.along("active") is line.x


def test_several_restarts_add_up(tmp_path: Path) -> None:
    for number, begin in enumerate((0, 1000, 50_000)):
        write_run(
            tmp_path / "a",
            points(range(4 * number, 4 * number + 4), begin_s=BEGIN_S + begin),
            name=f"events.out.tfevents.{number}.a",
            begin_s=BEGIN_S + begin,
        )
    assert active_x(read(tmp_path)).tolist() == [0, 1, 2, 3, 3, 4, 5, 6, 6, 7, 8, 9]


def test_lines_of_one_run_stay_aligned(tmp_path: Path) -> None:
    """The pause is that of the run: a tag that is logged seldom does not lose the time between its points."""
    for number, begin in enumerate((0, 1000)):
        write_run(
            tmp_path / "a",
            points(range(10 * number, 10 * number + 10), begin_s=BEGIN_S + begin),
            points([10 * number], tag="val", begin_s=BEGIN_S + begin + 4),
            name=f"events.out.tfevents.{number}.a",
            begin_s=BEGIN_S + begin,
        )
    store = read(tmp_path)
    often, seldom = active_x(store), active_x(store, "val")
    assert often.tolist() == [*range(10), *range(9, 19)]
    # Both points of val come with the fifth of a session.
    assert seldom[1] - seldom[0] == often[14] - often[4] == 9


def test_files_that_were_written_side_by_side_have_no_pause(tmp_path: Path) -> None:
    write_run(tmp_path / "a", points([0, 100], begin_s=BEGIN_S), points([0], tag="x", begin_s=BEGIN_S + 500))
    write_run(
        tmp_path / "a",
        points([50, 150], begin_s=BEGIN_S + 300),
        name="events.out.tfevents.9.b",
        begin_s=BEGIN_S + 300,
    )
    store = read(tmp_path)
    assert sessions_of(store.runs()[0]) == [(BEGIN_S + 1, BEGIN_S + 501)]
    assert active_x(store).tolist() == [0, 1, 300, 301]


def test_a_start_inside_of_a_file_is_a_restart(tmp_path: Path) -> None:
    write_run(
        tmp_path / "a",
        start(0, wall_time=BEGIN_S),
        points(range(3)),
        start(3, wall_time=BEGIN_S + 100),
        points(range(3, 6), begin_s=BEGIN_S + 100),
        points([4], tag="late", begin_s=BEGIN_S + 102),
    )
    store = read(tmp_path)
    assert sessions_of(store.runs()[0]) == [(BEGIN_S + 1, BEGIN_S + 3), (BEGIN_S + 101, BEGIN_S + 103)]
    assert active_x(store).tolist() == [0, 1, 2, 2, 3, 4]


def test_a_forked_child_is_no_restart(tmp_path: Path) -> None:
    write_run(tmp_path / "a", points(range(3)))
    child = eb.record(eb.event(eb.blob(3, b"brain.Event:2") + eb.blob(10, eb.blob(1, CHILD_WRITER.encode()))))
    path = write_run(tmp_path / "a", name="events.out.tfevents.2.b")
    path.write_bytes(child + points(range(3, 6), begin_s=BEGIN_S + 100))
    store = read(tmp_path)
    assert {info.source_writer for info in store.index.files("a")} == {"", CHILD_WRITER}
    assert sessions_of(store.runs()[0]) == []
    assert active_x(store).tolist() == [0, 1, 2, 100, 101, 102]


def test_sessions_follow_a_run_that_grows(tmp_path: Path) -> None:
    path = write_run(tmp_path / "a", points(range(3)))
    store = read(tmp_path)
    run = store.runs()[0]
    assert sessions_of(run) == []
    second = write_run(
        tmp_path / "a",
        points([3], begin_s=BEGIN_S + 50),
        name="events.out.tfevents.9.b",
        begin_s=BEGIN_S + 50,
    )
    store.index.scan()
    assert sessions_of(run) == [(BEGIN_S + 1, BEGIN_S + 3), (BEGIN_S + 51, BEGIN_S + 51)]
    append(second, points([4], begin_s=BEGIN_S + 60))
    append(path, points([2], tag="other", begin_s=BEGIN_S + 10))
    store.index.scan()
    assert sessions_of(run) == [(BEGIN_S + 1, BEGIN_S + 11), (BEGIN_S + 51, BEGIN_S + 61)]


@pytest.mark.parametrize("pause_s", [60.0, 86_400.0])
def test_a_job_of_our_writer_that_was_started_again(tmp_path: Path, pause_s: float) -> None:
    now_s = time.time()
    for begin in (0.0, 3 + pause_s):
        with sightline.SummaryWriter(str(tmp_path / "a")) as writer:
            for row in range(4):
                writer.add_scalar("loss", 1.0, row if begin == 0 else 4 + row, walltime=now_s + begin + row)
    x = active_x(read(tmp_path))
    np.testing.assert_allclose(x, [0, 1, 2, 3, 3, 4, 5, 6], atol=1e-5)
