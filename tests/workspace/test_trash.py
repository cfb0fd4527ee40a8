"""Runs to the trash and back: every bit, nothing written over, nothing outside of the log directory."""

from __future__ import annotations

import json
import os
import shutil
import threading
from collections.abc import Mapping
from pathlib import Path

import pytest

from sightline.workspace import Edit, Moved, Workspace
from tests.workspace.roots import apply, workspace_of


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Run a with two event files, a profile, a checkpoint and a run below it."""
    directory = tmp_path / "log"
    for path, text in {
        "a/events.1": "first",
        "a/events.2": "second",
        "a/plugins/profile/now/host.xplane.pb": "profile",
        "a/model.ckpt": "checkpoint",
        "a/sub/events.3": "another run",
        "b/events.4": "alone",
    }.items():
        (directory / path).parent.mkdir(parents=True, exist_ok=True)
        (directory / path).write_text(text)
    return directory


OF_A = ("a/events.1", "a/events.2", "a/plugins/profile/now/host.xplane.pb")


def delete(workspace: Workspace, log: Path, run: str, *paths: str, is_dry: bool = False) -> Moved:
    return workspace.delete({run: [str(log / path) for path in paths]}, is_dry=is_dry)[run]


def files(log: Path) -> Mapping[str, str]:
    return {
        path.relative_to(log).as_posix(): path.read_text()
        for path in log.rglob("*")
        if path.is_file() and ".sightline" not in path.parts
    }


def test_files_go_to_the_trash_and_come_back_bit_by_bit(log: Path) -> None:
    workspace = workspace_of(log)
    before = files(log)
    moved = delete(workspace, log, "a", *OF_A)
    assert (moved.file_count, moved.size_bytes, moved.error) == (3, 18, "")
    assert set(files(log)) == {"a/model.ckpt", "a/sub/events.3", "b/events.4"}
    assert not (log / "a" / "plugins").exists()  # empty directories go
    (entry,) = workspace_of(log).snapshot().trash
    assert (entry.id, entry.run, entry.size_bytes, len(entry.files)) == (moved.entry_id, "a", 18, 3)
    restored = workspace_of(log).restore([entry.id, "20200101-000000-00000000"])
    assert restored[entry.id].error == ""
    assert "not in the trash" in restored["20200101-000000-00000000"].error
    assert files(log) == before
    assert workspace.snapshot().trash == []
    assert list((log / ".sightline" / "trash").iterdir()) == []


def test_a_dry_run_only_counts(log: Path) -> None:
    workspace = workspace_of(log)
    before = files(log)
    moved = delete(workspace, log, "a", *OF_A, is_dry=True)
    assert (moved.entry_id, moved.file_count, moved.size_bytes) == (None, 3, 18)
    assert files(log) == before
    assert not (log / ".sightline").exists()


def test_a_directory_that_is_empty_goes_and_the_root_stays(log: Path) -> None:
    workspace = workspace_of(log)
    shutil.rmtree(log / "a")
    delete(workspace, log, "b", "b/events.4")
    assert sorted(path.name for path in log.iterdir()) == [".sightline"]


def test_restoring_writes_over_nothing(log: Path) -> None:
    workspace = workspace_of(log)
    moved = delete(workspace, log, "a", *OF_A)
    assert moved.entry_id is not None
    (log / "a" / "events.2").write_text("a new run of this name")
    assert "not written over" in workspace.restore([moved.entry_id])[moved.entry_id].error
    assert files(log)["a/events.2"] == "a new run of this name"
    assert "a/events.1" not in files(log)  # all or nothing
    (log / "a" / "events.2").unlink()
    assert workspace.restore([moved.entry_id])[moved.entry_id].error == ""


@pytest.mark.parametrize("failing", [1, 2, 3])
def test_what_fails_half_way_is_put_back(log: Path, monkeypatch: pytest.MonkeyPatch, failing: int) -> None:
    workspace = workspace_of(log)
    before = files(log)
    rename = os.rename
    calls = []

    def fails(source: Path, target: Path) -> None:
        calls.append(source)
        if len(calls) == failing:
            raise OSError(18, "Invalid cross-device link")
        rename(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(os, "rename", fails)
        moved = delete(workspace, log, "a", *OF_A)
    assert moved.entry_id is None
    assert "another file system" in moved.error
    assert files(log) == before
    assert workspace.snapshot().trash == []
    assert list((log / ".sightline" / "trash").iterdir()) == []


def test_after_a_crash_half_way_everything_can_be_restored(
    log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = files(log)
    rename = os.rename
    calls = []

    class PowerCut(BaseException):
        pass

    def dies(source: Path, target: Path) -> None:
        calls.append(source)
        if len(calls) == 2:
            raise PowerCut
        rename(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(os, "rename", dies)
        with pytest.raises(PowerCut):
            delete(workspace_of(log), log, "a", *OF_A)
    assert files(log) != before
    workspace = workspace_of(log)
    (entry,) = workspace.snapshot().trash
    assert workspace.restore([entry.id])[entry.id].error == ""
    assert files(log) == before


def test_when_not_even_putting_back_works_the_trash_still_has_it(
    log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = files(log)
    rename = os.rename
    calls = []

    def fails(source: Path, target: Path) -> None:
        calls.append(source)
        if len(calls) >= 2:
            raise OSError(5, "Input/output error")
        rename(source, target)

    workspace = workspace_of(log)
    with monkeypatch.context() as patch:
        patch.setattr(os, "rename", fails)
        moved = delete(workspace, log, "a", *OF_A)
    assert "Restore the run from the trash" in moved.error
    (entry,) = workspace.snapshot().trash
    workspace.restore([entry.id])
    assert files(log) == before


def test_files_behind_a_link_out_of_the_log_directory_are_not_moved(log: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "events.9").write_text("elsewhere")
    (log / "linked").symlink_to(outside)
    workspace = workspace_of(log)
    for path in ("linked/events.9", "../outside/events.9"):
        moved = delete(workspace, log, "linked", path)
        assert "outside of the log directory" in moved.error
    moved = workspace.delete({"x": [str(outside / "events.9")]})["x"]
    assert "outside of the log directory" in moved.error
    assert (outside / "events.9").read_text() == "elsewhere"


def test_a_link_to_a_file_is_moved_as_a_link(log: Path, tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.write_text("elsewhere")
    (log / "b" / "events.5").symlink_to(target)
    workspace = workspace_of(log)
    moved = delete(workspace, log, "b", "b/events.4", "b/events.5")
    assert target.read_text() == "elsewhere"
    assert moved.entry_id is not None
    workspace.restore([moved.entry_id])
    assert (log / "b" / "events.5").is_symlink()


def test_a_trash_that_is_a_link_is_not_used(log: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (log / ".sightline").mkdir()
    (log / ".sightline" / "trash").symlink_to(tmp_path / "elsewhere")
    moved = delete(workspace_of(log), log, "b", "b/events.4")
    assert "a link" in moved.error
    assert (log / "b" / "events.4").exists()


@pytest.mark.parametrize("path", ["../outside", "/etc/x", "a/../../x", "", ".sightline/edits.jsonl", 7])
def test_a_manifest_that_leads_elsewhere_is_not_followed(log: Path, tmp_path: Path, path: object) -> None:
    workspace = workspace_of(log)
    moved = delete(workspace, log, "b", "b/events.4")
    manifest = log / ".sightline" / "trash" / str(moved.entry_id) / "manifest.json"
    manifest.write_text(json.dumps({**json.loads(manifest.read_text()), "files": [path]}))
    found = workspace.snapshot()
    assert found.trash == []
    (problem,) = found.problems
    assert "damaged" in problem
    assert "not in the trash" in workspace.restore([str(moved.entry_id)])[str(moved.entry_id)].error
    assert not (tmp_path / "outside").exists()


@pytest.mark.parametrize("linked", ["", "files", "files/b"])
def test_a_link_in_the_trash_moves_nothing_of_others(log: Path, tmp_path: Path, linked: str) -> None:
    """A log directory may come from anywhere: its trash could name the user's own files."""
    workspace = workspace_of(log)
    moved = delete(workspace, log, "b", "b/events.4")
    place = log / ".sightline" / "trash" / str(moved.entry_id)
    elsewhere = tmp_path / "elsewhere"
    shutil.move(place / linked, elsewhere)
    (place / linked).symlink_to(elsewhere)
    assert "by a link" in workspace.restore([str(moved.entry_id)])[str(moved.entry_id)].error
    assert len(list(elsewhere.rglob("events.4"))) == 1
    assert not (log / "b").exists()


def test_a_link_in_place_of_the_run_is_not_followed_back(log: Path, tmp_path: Path) -> None:
    workspace = workspace_of(log)
    moved = delete(workspace, log, "a", *OF_A)
    (tmp_path / "elsewhere").mkdir()
    (log / "a" / "plugins").symlink_to(tmp_path / "elsewhere")
    assert "by a link" in workspace.restore([str(moved.entry_id)])[str(moved.entry_id)].error
    assert list((tmp_path / "elsewhere").iterdir()) == []
    assert "a/events.1" not in files(log)  # all or nothing


@pytest.mark.parametrize("number", ["1e999", "NaN", "-1", "1" + "0" * 30, "[]"])
@pytest.mark.parametrize("name", ["deleted_s", "size_bytes"])
def test_a_manifest_with_odd_numbers_is_damaged_and_all_else_is_there(
    log: Path, name: str, number: str
) -> None:
    workspace = workspace_of(log)
    moved = delete(workspace, log, "b", "b/events.4")
    manifest = log / ".sightline" / "trash" / str(moved.entry_id) / "manifest.json"
    text = json.dumps({**json.loads(manifest.read_text()), name: "HERE"})
    manifest.write_text(text.replace('"HERE"', number))
    found = workspace.snapshot()
    assert found.trash == []
    assert "damaged" in found.problems[0]


def test_restoring_that_fails_half_way_says_so_and_can_be_repeated(
    log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = workspace_of(log)
    before = files(log)
    moved = delete(workspace, log, "a", *OF_A)
    rename = os.rename
    calls = []

    def fails(source: Path, target: Path) -> None:
        calls.append(source)
        if len(calls) == 3:
            raise OSError(5, "Input/output error")
        rename(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(os, "rename", fails)
        error = workspace.restore([str(moved.entry_id)])[str(moved.entry_id)].error
    assert "Only 2 of 3 files were put back" in error
    assert workspace.restore([str(moved.entry_id)])[str(moved.entry_id)].error == ""
    assert files(log) == before


def test_moving_does_not_keep_others_waiting(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Thousands of runs take a while; the page asks for notes meanwhile."""
    workspace = workspace_of(log)
    rename = os.rename
    seen = []

    def asks(source: Path, target: Path) -> None:
        other = threading.Thread(target=lambda: seen.append(workspace.snapshot()))
        other.start()
        other.join(timeout=20)
        rename(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(os, "rename", asks)
        moved = delete(workspace, log, "b", "b/events.4")
        assert len(seen) == 1
        workspace.restore([str(moved.entry_id)])
    assert len(seen) == 2


def test_files_that_were_taken_out_of_the_trash_by_hand_are_told(log: Path) -> None:
    workspace = workspace_of(log)
    moved = delete(workspace, log, "a", *OF_A)
    (log / ".sightline" / "trash" / str(moved.entry_id) / "files" / "a" / "events.1").unlink()
    restored = workspace.restore([str(moved.entry_id)])[str(moved.entry_id)]
    assert "1 of its 3 files" in restored.error
    assert files(log)["a/events.2"] == "second"
    assert workspace.snapshot().trash == []


def test_what_people_wrote_about_a_deleted_run_stays(log: Path) -> None:
    workspace = workspace_of(log)
    apply(workspace, Edit("1", "note", "b", "keep me"))
    delete(workspace, log, "b", "b/events.4")
    assert workspace.snapshot().runs["b"].note == "keep me"


def test_a_run_whose_files_are_gone_already_is_told(log: Path) -> None:
    assert "gone already" in delete(workspace_of(log), log, "c", "c/events.1").error
