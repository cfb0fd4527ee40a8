"""The kept run table: asked again, only what changed is read again; statuses follow the clock and the
story."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sightline import SummaryWriter
from sightline.log import Log, open_log
from sightline.server import run_table
from sightline.server.journal import Journal
from sightline.server.run_table import RunTables
from sightline.wire.schemas import ReadProgress, RunTable
from tests.event_logs import BEGIN_S, append, points, write_run

DONE = ReadProgress(1, 1, 1, 1, is_done=True)


class Kept:
    """A kept table with a clock of its own."""

    def __init__(self, log: Log, **arguments: Any) -> None:
        self.now_s = BEGIN_S + 5
        self.journal = Journal()
        log.on_change(self.journal.note)
        self.tables = RunTables(log, self.journal, now=lambda: self.now_s, **arguments)

    def ask(self, since: int | None = None) -> RunTable:
        return self.tables.table(since=since, server_id="me", progress=DONE)


def many_runs(directory: Path, count: int) -> Log:
    for number in range(count):
        write_run(directory / f"run-{number:02}", points(range(3)), begin_s=BEGIN_S + number)
    return open_log(directory, watch=False, cache=False).wait()


def test_only_runs_that_changed_are_asked_for_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = many_runs(tmp_path, 20)
    kept = Kept(log)
    first = kept.ask()
    asked: list[list[str]] = []

    def run_rows_of(store: Any, names: list[str]) -> Any:
        asked.append(list(names))
        return original(store, names)

    original = run_table.run_rows_of
    monkeypatch.setattr(run_table, "run_rows_of", run_rows_of)
    monkeypatch.setattr(run_table, "run_rows", lambda _store: pytest.fail("everything was read again"))
    kept.ask()
    assert asked == []
    append(next((tmp_path / "run-07").iterdir()), points([9], begin_s=BEGIN_S + 100))
    log.refresh()
    second = kept.ask(first.revision)
    assert asked == [["run-07"]]
    assert (second.name, second.points) == (["run-07"], [4])


def test_what_changes_while_the_answer_is_made_is_part_of_the_next_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = many_runs(tmp_path, 3)
    kept = Kept(log)
    original = run_table.status_of
    late = [tmp_path / "run-02"]

    def status_of(*arguments: Any) -> Any:
        if late:
            append(next(late.pop().iterdir()), points([9], begin_s=BEGIN_S + 100))
            log.refresh()
        return original(*arguments)

    monkeypatch.setattr(run_table, "status_of", status_of)
    first = kept.ask()
    assert first.points == [3, 3, 3]
    second = kept.ask(first.revision)
    assert (second.is_complete, second.name, second.points) == (False, ["run-02"], [4])


def test_a_run_that_vanishes_while_the_answer_is_made_is_not_listed_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = many_runs(tmp_path, 2)
    kept = Kept(log)
    before = kept.ask()
    original = run_table.status_of
    append(next((tmp_path / "run-01").iterdir()), points([9], begin_s=BEGIN_S + 100))
    log.refresh()

    def status_of(*arguments: Any) -> Any:
        for file in (tmp_path / "run-01").iterdir():
            file.unlink()
            log.refresh()
        return original(*arguments)

    monkeypatch.setattr(run_table, "status_of", status_of)
    answer = kept.ask(before.revision)
    assert (answer.name, answer.removed) == ([], [1])
    assert kept.ask(answer.revision).removed == [1]


def test_a_changed_status_alone_is_told_once(tmp_path: Path) -> None:
    kept = Kept(many_runs(tmp_path, 1))
    before = kept.ask()
    kept.now_s += 3 * 3600
    kept.tables.review()
    after = kept.ask(before.revision)
    assert (after.status, kept.ask(after.revision).name) == (["stalled"], [])


def test_runs_are_in_the_order_of_their_start(tmp_path: Path) -> None:
    write_run(tmp_path / "late", points([1], begin_s=BEGIN_S + 50), begin_s=BEGIN_S + 50)
    write_run(tmp_path / "early", points([1]))
    table = Kept(open_log(tmp_path, watch=False, cache=False).wait()).ask()
    assert table.name == ["early", "late"]


def test_a_run_that_falls_silent_becomes_a_change(tmp_path: Path) -> None:
    kept = Kept(many_runs(tmp_path, 1))
    before = kept.ask()
    assert before.status == ["running"]
    kept.tables.review()
    assert kept.journal.revision == before.revision
    kept.now_s += 3 * 3600
    kept.tables.review()
    after = kept.ask(before.revision)
    assert (after.is_complete, after.status) == (False, ["stalled"])
    batch = kept.journal.take_batch()
    assert batch is not None
    assert batch.runs == set(after.id)


def test_stories_that_the_budget_did_not_reach_are_read_later(tmp_path: Path) -> None:
    for number in range(3):
        with SummaryWriter(str(tmp_path / f"run-{number}")) as writer:
            writer.add_scalar("loss", 1.0, 1)
    log = open_log(tmp_path, watch=False, cache=False).wait()
    kept = Kept(log, story_budget_s=0)  # enough for one at a time
    kept.now_s = 2e9
    first = kept.ask()
    assert first.is_status_known.count(True) == 1
    kept.tables.review()
    kept.tables.review()
    later = kept.ask(first.revision)
    assert later.is_status_known == [True, True]
    assert kept.ask().is_status_known == [True, True, True]
