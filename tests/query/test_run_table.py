"""The run table: one row per run, for all runs at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from sightline.query.run_table import run_rows, run_rows_of
from tests.event_logs import BEGIN_S, append, points, read, write_restarted_run, write_run
from tests.story_records import write_ours


def test_rows_are_ordered_by_start_and_tell_what_is_known(tmp_path: Path) -> None:
    write_run(tmp_path / "late", points(range(3), begin_s=BEGIN_S + 500), begin_s=BEGIN_S + 500)
    path = write_run(tmp_path / "early", points(range(10)), points(range(4), tag="acc"))
    store = read(tmp_path)
    early, late = run_rows(store)
    assert (early.name, late.name) == ("early", "late")
    assert (early.started_s, early.last_seen_s) == (BEGIN_S + 1, BEGIN_S + 10)
    assert (early.last_step, early.points) == (9, 14)
    assert early.size_bytes == path.stat().st_size
    assert early.read_fraction == 1.0
    assert early.usual_gap_s == pytest.approx(1)
    assert (early.damage_count, early.is_ours) == (0, False)
    assert early.revision == store.index.revision("early")


def test_a_restarted_run_is_where_its_newest_file_is(tmp_path: Path) -> None:
    write_run(tmp_path / "a", points(range(100)), name="events.out.tfevents.1.a")
    later_s = BEGIN_S + 1000
    write_run(tmp_path / "a", points(range(50, 60), begin_s=later_s), name="events.out.tfevents.2.a")
    [row] = run_rows(read(tmp_path))
    assert (row.last_step, row.points, row.last_seen_s) == (59, 110, later_s + 10)


def test_a_run_without_points_has_neither_step_nor_gap(tmp_path: Path) -> None:
    write_ours(tmp_path / "a")
    [row] = run_rows(read(tmp_path))
    assert (row.last_step, row.usual_gap_s, row.points) == (None, None, 0)
    assert row.is_ours


def test_an_empty_file_is_read_completely(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "events.out.tfevents.1").touch()
    [row] = run_rows(read(tmp_path))
    assert (row.started_s, row.last_seen_s, row.size_bytes, row.read_fraction) == (None, None, 0, 1.0)


def test_damaged_places_are_counted(tmp_path: Path) -> None:
    path = write_run(tmp_path / "a", points(range(10)))
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0xFF
    path.write_bytes(bytes(data))
    [row] = run_rows(read(tmp_path))
    assert row.damage_count == 1


def test_rows_of_some_runs_come_in_their_order_without_those_that_are_gone(tmp_path: Path) -> None:
    for name in "abc":
        write_run(tmp_path / name, points(range(3)))
    store = read(tmp_path)
    assert [row.name for row in run_rows_of(store, ["c", "gone", "a"])] == ["c", "a"]
    assert run_rows_of(store, []) == []


def test_a_run_that_grows_has_a_greater_revision(tmp_path: Path) -> None:
    path = write_run(tmp_path / "a", points(range(3)))
    store = read(tmp_path)
    [before] = run_rows(store)
    append(path, points(range(3, 6)))
    store.index.scan()
    [after] = run_rows(store)
    assert after.revision > before.revision
    assert (before.last_step, after.last_step) == (2, 5)


def test_rows_agree_with_what_the_runs_say_one_by_one(tmp_path: Path) -> None:
    write_restarted_run(tmp_path / "restarted")
    write_ours(tmp_path / "ours", points(range(7)))
    write_run(tmp_path / "plain", points(range(5)))
    store = read(tmp_path)
    rows = run_rows(store)
    assert [row.name for row in rows] == store.names()
    for row, run in zip(rows, store.runs(), strict=True):
        assert row.points == sum(len(series.all) for series in run.scalars.values())
        assert row.size_bytes == sum(file.size_bytes for file in run.files)
        assert row.started_s == min(file.first_wall_time for file in run.files)
        assert row.last_seen_s == max(file.last_wall_time for file in run.files)
