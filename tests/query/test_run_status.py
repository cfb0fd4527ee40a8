"""The status of a run: by its story where there is one, else by the clock."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

from sightline.query.run_status import silence_allowed_s, status_of, story_of
from sightline.query.run_table import RunRow, run_rows
from sightline.store.story import Story
from sightline.writer.story.surroundings import host
from tests.event_logs import points, read, write_run
from tests.story_records import T, end, log_message, start, write_ours

NOW_S = 1_800_000_000.0
HOUR_S = 3600.0


def row(*, silent_s: float = 0.0, usual_gap_s: float | None = 1.0, is_ours: bool = False) -> RunRow:
    return RunRow(
        name="a",
        revision=1,
        started_s=NOW_S - 1e6,
        last_seen_s=NOW_S - silent_s,
        last_step=1,
        points=1,
        size_bytes=1,
        read_fraction=1.0,
        damage_count=0,
        usual_gap_s=usual_gap_s,
        is_ours=is_ours,
    )


def unfinished(*, pid: object, host: object) -> Story:
    return Story("unfinished", NOW_S - 1e6, NOW_S - 1e6, facts={"pid": pid, "host": host})


@pytest.fixture(scope="module")
def dead_pid() -> int:
    """Of a process that has ended and was waited for."""
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    return child.pid


@pytest.fixture(scope="module")
def here() -> dict[str, object]:
    """What our writer says about the machine when it runs beside us."""
    facts = host()
    if not {"boot_id", "pid_namespace"} <= facts.keys():
        pytest.skip("this system does not tell where process numbers count")
    return facts


@pytest.mark.parametrize(
    ("silent_s", "usual_gap_s", "wanted"),
    [
        (0, 1.0, "running"),
        (59, 1.0, "running"),
        (61, 1.0, "stalled"),
        (61, None, "stalled"),
        (290, 60.0, "running"),
        (310, 60.0, "stalled"),
        (0.45 * HOUR_S, HOUR_S, "running"),
        (0.6 * HOUR_S, HOUR_S, "stalled"),
        (23 * HOUR_S, 1.0, "stalled"),
        (25 * HOUR_S, 1.0, "finished"),
    ],
)
def test_without_a_story_the_time_of_the_last_write_decides_and_nothing_is_known(
    silent_s: float, usual_gap_s: float | None, wanted: str
) -> None:
    assert status_of(row(silent_s=silent_s, usual_gap_s=usual_gap_s), None, NOW_S) == (wanted, False)


@pytest.mark.parametrize("ending", ["finished", "crashed", "interrupted"])
def test_the_end_of_a_story_decides_even_right_after_a_write(ending: str) -> None:
    story = Story(ending, NOW_S - 10, NOW_S, NOW_S)  # type: ignore[arg-type]
    assert status_of(row(), story, NOW_S) == (ending, True)


def test_a_process_that_is_gone_from_this_machine_has_crashed(dead_pid: int, here: dict[str, object]) -> None:
    story = unfinished(pid=dead_pid, host=here)
    assert status_of(row(silent_s=30), story, NOW_S) == ("crashed", True)


@pytest.mark.parametrize("key", ["boot_id", "pid_namespace"])
@pytest.mark.parametrize("told", [None, "another", 1])
def test_who_has_process_numbers_of_its_own_is_never_known_to_have_crashed(
    dead_pid: int, here: dict[str, object], key: str, told: object
) -> None:
    elsewhere = {**here, key: told}
    silent = {name: value for name, value in here.items() if name != key}
    for facts in (elsewhere, silent):
        assert status_of(row(silent_s=30), unfinished(pid=dead_pid, host=facts), NOW_S) == ("running", False)


def test_where_the_system_does_not_tell_how_it_counts_no_crash_is_known(
    dead_pid: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sightline.query.run_status._own_process_table", lambda: (None, None))
    story = unfinished(pid=dead_pid, host={"name": platform.node()})
    assert status_of(row(silent_s=30), story, NOW_S) == ("running", False)


def test_who_wrote_a_moment_ago_is_alive_whatever_the_process_table_says(
    dead_pid: int, here: dict[str, object]
) -> None:
    story = unfinished(pid=dead_pid, host=here)
    assert status_of(row(silent_s=1), story, NOW_S) == ("running", False)


def test_a_process_that_is_there_is_judged_by_the_clock(here: dict[str, object]) -> None:
    story = unfinished(pid=os.getpid(), host=here)
    assert status_of(row(silent_s=30), story, NOW_S) == ("running", False)
    assert status_of(row(silent_s=HOUR_S), story, NOW_S) == ("stalled", False)


@pytest.mark.parametrize("name", ["another-machine", None, 5, []])
def test_processes_of_other_machines_are_not_looked_for(
    dead_pid: int, here: dict[str, object], name: object
) -> None:
    for facts in ({**here, "name": name}, name):
        assert status_of(row(silent_s=30), unfinished(pid=dead_pid, host=facts), NOW_S) == ("running", False)


@pytest.mark.parametrize("pid", [None, "7", 0, -1, 10**30, 1.5])
def test_odd_process_numbers_prove_nothing(here: dict[str, object], pid: object) -> None:
    assert status_of(row(silent_s=30), unfinished(pid=pid, host=here), NOW_S) == ("running", False)


def test_a_run_that_nobody_has_seen_is_finished() -> None:
    unknown = row()._replace(last_seen_s=None, started_s=None)
    assert status_of(unknown, None, NOW_S) == ("finished", False)


def test_a_start_counts_as_a_sign_of_life() -> None:
    story = Story("unfinished", NOW_S - 5, NOW_S - 5)
    assert status_of(row(silent_s=1e6), story, NOW_S) == ("running", False)


def test_silence_is_measured_by_the_run_within_limits() -> None:
    assert [silence_allowed_s(gap) for gap in (None, 0.1, 100.0, 1e6)] == [60, 60, 500, 1800]


def test_stories_are_read_only_from_runs_of_our_writer(tmp_path: Path) -> None:
    write_ours(tmp_path / "ours", log_message(start()), points(range(3)), log_message(end(status="crashed")))
    write_run(tmp_path / "theirs", points(range(3)), log_message(end()))
    store = read(tmp_path)
    rows = {row.name: row for row in run_rows(store)}
    story = story_of(store, rows["ours"])
    assert story is not None
    assert story.status == "crashed"
    assert status_of(rows["ours"], story, T + 61) == ("crashed", True)
    assert story_of(store, rows["theirs"]) is None
    assert story_of(store, rows["ours"]._replace(name="gone")) is None
