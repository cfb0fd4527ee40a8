"""edits.jsonl in the hands of others: other processes, crashes, damage, newer versions, editors."""

from __future__ import annotations

import json
import multiprocessing
import os
from pathlib import Path

import pytest

from sightline.workspace import Edit, disk, edit_file
from tests.workspace.roots import apply, apply_one, lines_of, workspace_of

PROCESSES = 4
EDITS = 25


@pytest.fixture
def log(tmp_path: Path) -> Path:
    directory = tmp_path / "log"
    directory.mkdir()
    return directory


def edits_of(log: Path) -> Path:
    return log / ".sightline" / "edits.jsonl"


def add_lines_to_one_note(log: Path, number: int) -> None:
    """As a browser does: change what is there, and try again with what somebody else made of it."""
    workspace = workspace_of(log)
    for count in range(EDITS):
        base = workspace.snapshot().runs["shared"].note
        for attempt in range(1000):
            mine = f"{base}\n{number}-{count}" if number % 2 else f"{number}-{count}\n{base}"
            edit = Edit(f"{number}-{count}-{attempt}", "note", "shared", mine, base=base)
            result = apply_one(workspace, edit)
            if result.is_applied:
                break
            assert result.conflict is not None, result.error
            base = result.conflict
        assert apply_one(
            workspace, Edit(f"{number}-{count}", "add_label", f"run {number}", f"{count}")
        ).is_applied


def test_processes_that_edit_at_once_lose_nothing(log: Path) -> None:
    watching = workspace_of(log)
    apply(watching, Edit("first", "note", "shared", "the middle"))
    context = multiprocessing.get_context("spawn")
    processes = [
        context.Process(target=add_lines_to_one_note, args=(log, number)) for number in range(PROCESSES)
    ]
    for process in processes:
        process.start()
    for process in processes:
        process.join(120)
    assert [process.exitcode for process in processes] == [0] * PROCESSES
    found = watching.snapshot()
    wanted = {f"{number}-{count}" for number in range(PROCESSES) for count in range(EDITS)}
    assert sorted(found.runs["shared"].note.split("\n")) == sorted([*wanted, "the middle"])
    for number in range(PROCESSES):
        assert found.runs[f"run {number}"].labels == tuple(str(count) for count in range(EDITS))
    assert workspace_of(log).snapshot().runs == found.runs
    assert list(found.problems) == []


def test_looking_makes_no_directory(log: Path) -> None:
    found = workspace_of(log).snapshot()
    assert (found.is_writable, found.place) == (True, str(log / ".sightline"))
    assert list(log.iterdir()) == []


def test_another_server_hears_of_an_edit(log: Path) -> None:
    mine, yours = workspace_of(log), workspace_of(log)
    before = yours.refresh()
    apply(mine, Edit("1", "favourite", "a"))
    assert yours.refresh() > before
    assert yours.snapshot().runs["a"].is_favourite


def test_a_line_that_a_crash_cut_off_is_left_alone_and_the_next_edit_is_whole(log: Path) -> None:
    workspace = workspace_of(log)
    apply(workspace, Edit("1", "favourite", "a"), Edit("2", "note", "a", "lost half-way"))
    torn = edits_of(log).read_bytes()[:-10]
    edits_of(log).write_bytes(torn)
    found = workspace.snapshot()
    assert (found.runs["a"].is_favourite, found.runs["a"].note) == (True, "")
    assert list(found.problems) == []  # somebody may still be writing it
    apply(workspace, Edit("3", "archive", "a"))
    assert edits_of(log).read_bytes().startswith(torn + b"\n")
    for found in (workspace.snapshot(), workspace_of(log).snapshot()):
        assert found.runs["a"].is_archived
        (problem,) = found.problems
        assert "1 line is damaged" in problem


def test_a_line_that_is_written_in_two_halves_is_waited_for(log: Path) -> None:
    workspace = workspace_of(log)
    apply(workspace, Edit("1", "favourite", "a"), Edit("2", "archive", "a"))
    whole = edits_of(log).read_bytes()
    reader = workspace_of(log)
    edits_of(log).write_bytes(whole[:-5])
    assert not reader.snapshot().runs["a"].is_archived
    with edits_of(log).open("ab") as file:
        file.write(whole[-5:])
    assert reader.snapshot().runs["a"].is_archived
    assert list(reader.snapshot().problems) == []


@pytest.mark.parametrize(
    "line",
    [
        b"\xff\xfe\x00",
        b"{}",
        b"[]",
        b'"text"',
        b"{" * 100_000,
        b'{"version": 1}',
        b'{"version": 1, "id": "x", "kind": "name", "run": 7}',
        b'{"version": 1, "id": "x", "kind": "color", "run": "a", "text": "red"}',
        b'{"version": 1, "id": "x", "kind": "annotate", "annotation": {"id": "p", "step": 1e99}}',
        b'{"version": 1, "id": "x", "kind": "note", "run": "a", "text": "' + b"x" * (3 << 20) + b'"}',
    ],
    ids=lambda line: line[:40].decode("latin-1"),
)
def test_a_damaged_line_costs_only_itself_and_stays(log: Path, line: bytes) -> None:
    workspace = workspace_of(log)
    apply(workspace, Edit("1", "favourite", "a"))
    with edits_of(log).open("ab") as file:
        file.write(line + b"\n")
    apply(workspace, Edit("2", "archive", "a"))
    found = workspace_of(log).snapshot()
    assert (found.runs["a"].is_favourite, found.runs["a"].is_archived) == (True, True)
    assert [problem for problem in found.problems if "damaged" in problem]
    assert line in edits_of(log).read_bytes()


@pytest.mark.parametrize(
    "line",
    [
        {"version": 2, "id": "x", "kind": "name", "anything": {"else": 1}},
        {"version": 1, "id": "x", "kind": "pin", "run": "a"},
    ],
)
def test_lines_of_a_newer_version_are_kept_and_told(log: Path, line: dict[str, object]) -> None:
    workspace = workspace_of(log)
    apply(workspace, Edit("1", "favourite", "a"))
    with edits_of(log).open("a") as file:
        file.write(json.dumps(line) + "\n")
    apply(workspace, Edit("2", "archive", "a"))
    (problem,) = workspace.snapshot().problems
    assert "newer version" in problem
    assert line in lines_of(log)


def test_a_file_that_is_replaced_removed_or_edited_in_place_is_read_again(log: Path) -> None:
    workspace = workspace_of(log)
    apply(workspace, Edit("1", "name", "a", "before"), Edit("2", "favourite", "b"))
    text = edits_of(log).read_text()
    replacement = edits_of(log).with_name("other")
    replacement.write_text(text.replace("before", "after!"))
    os.replace(replacement, edits_of(log))
    assert workspace.snapshot().runs["a"].display_name == "after!"
    edits_of(log).write_text(text.replace("before", "in place, and longer"))  # the same inode
    assert workspace.snapshot().runs["a"].display_name == "in place, and longer"
    edits_of(log).unlink()
    assert workspace.snapshot().runs == {}
    apply(workspace, Edit("3", "archive", "c"))
    assert list(workspace.snapshot().runs) == ["c"]


def test_a_file_that_is_too_large_is_read_in_part_and_not_added_to(
    log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    apply(workspace_of(log), *[Edit(f"{n}", "favourite", f"run {n}") for n in range(50)])
    monkeypatch.setattr(edit_file, "MAX_FILE_BYTES", 1000)
    workspace = workspace_of(log)
    found = workspace.snapshot()
    assert 5 < len(found.runs) < 50
    (problem,) = found.problems
    assert "larger than" in problem
    size = edits_of(log).stat().st_size
    result = apply_one(workspace, Edit("more", "favourite", "x"))
    assert not result.is_applied
    assert "Move it away" in result.error
    assert edits_of(log).stat().st_size == size


def test_a_disk_that_is_full_changes_nothing_and_is_told(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace = workspace_of(log)
    apply(workspace, Edit("1", "name", "a", "kept"))
    before = edits_of(log).read_bytes()
    write = os.write

    def half_write(descriptor: int, data: bytes) -> int:
        if len(data) > 20:
            return write(descriptor, data[:20])
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", half_write)
        result = apply_one(workspace, Edit("2", "name", "a", "a name that does not fit on this disk"))
    assert not result.is_applied
    assert "No space left" in result.error
    assert edits_of(log).read_bytes() == before
    assert workspace.snapshot().runs["a"].display_name == "kept"
    assert apply_one(workspace, Edit("2", "name", "a", "now it fits")).is_applied


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
@pytest.mark.parametrize("name", ["edits.jsonl", "lock"])
def test_a_link_or_a_pipe_in_place_of_a_file_is_not_followed(log: Path, tmp_path: Path, name: str) -> None:
    (log / ".sightline").mkdir()
    precious = tmp_path / "precious"
    precious.write_text("untouched")
    (log / ".sightline" / name).symlink_to(precious)
    workspace = workspace_of(log)
    assert not apply_one(workspace, Edit("1", "favourite", "a")).is_applied
    assert precious.read_text() == "untouched"
    (log / ".sightline" / name).unlink()
    os.mkfifo(log / ".sightline" / name)
    assert not apply_one(workspace, Edit("1", "favourite", "a")).is_applied


def test_a_lock_that_another_program_keeps_is_waited_for_and_then_told(
    log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = workspace_of(log)
    apply(workspace, Edit("1", "favourite", "a"))
    monkeypatch.setattr(disk, "LOCK_TIMEOUT_S", 0.0)
    with disk.locked(log / ".sightline"):
        result = apply_one(workspace, Edit("2", "archive", "a"))
    assert not result.is_applied
    assert "Try again" in result.error
    assert apply_one(workspace, Edit("2", "archive", "a")).is_applied


def test_ten_thousand_edits_are_one_write(log: Path) -> None:
    workspace = workspace_of(log)
    results = apply(workspace, *[Edit(f"{n}", "archive", f"run {n}") for n in range(10_000)])
    assert all(result.is_applied for result in results)
    assert len(workspace_of(log).snapshot().runs) == 10_000
