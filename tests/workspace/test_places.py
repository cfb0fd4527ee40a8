"""Where it is kept: beside the logs, or for one user alone; with one root and with several."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sightline.workspace import Annotation, Edit, Workspace
from sightline.workspace.places import data_directory
from tests.workspace.roots import FakeRoot, apply, apply_one, lines_of, workspace_of

EDIT = Edit("1", "name", "a", "Baseline")


@pytest.fixture
def log(tmp_path: Path) -> Path:
    directory = tmp_path / "log"
    directory.mkdir()
    return directory


def private_files(log: Path) -> list[str]:
    data = log.with_name(log.name + "-data")
    return sorted(path.name for path in data.rglob("*") if path.is_file())


@pytest.mark.parametrize("what", ["a file", "a link"])
def test_where_the_log_directory_cannot_take_it_it_is_kept_for_the_user(
    log: Path, tmp_path: Path, what: str
) -> None:
    if what == "a file":
        (log / ".sightline").write_text("in the way")
    else:
        (tmp_path / "elsewhere").mkdir()
        (log / ".sightline").symlink_to(tmp_path / "elsewhere")
    workspace = workspace_of(log)
    assert apply_one(workspace, EDIT).is_applied
    workspace.save_view("mine", {"x": 1})
    for one in (workspace, workspace_of(log)):
        found = one.snapshot()
        assert found.runs["a"].display_name == "Baseline"
        assert [view.name for view in found.views] == ["mine"]
        assert str(log.with_name("log-data")) in found.place
        (problem,) = found.problems
        assert what in problem
        assert "for you alone" in problem
    assert private_files(log) == ["edits.jsonl", "lock", "mine.json"]
    assert list((tmp_path / "elsewhere").iterdir() if what == "a link" else ()) == []


def test_a_directory_that_cannot_be_written_is_known_beforehand(
    log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    access = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != log and bool(access(path, mode)))
    workspace = workspace_of(log)
    found = workspace.snapshot()
    assert found.is_writable
    assert "log-data" in found.place
    assert apply_one(workspace, EDIT).is_applied
    assert list(log.iterdir()) == []


def test_a_disk_that_turns_out_to_be_read_only_is_the_same(
    log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mkdir = Path.mkdir

    def refuse(path: Path, *arguments: object, **others: object) -> None:
        if path == log / ".sightline":
            raise OSError(30, "Read-only file system")
        mkdir(path, *arguments, **others)  # type: ignore[arg-type]

    monkeypatch.setattr(Path, "mkdir", refuse)
    workspace = workspace_of(log)
    assert apply_one(workspace, EDIT).is_applied
    (problem,) = workspace.snapshot().problems
    assert "read-only" in problem
    assert "edits.jsonl" in private_files(log)


def test_a_full_disk_is_no_reason_to_go_elsewhere(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mkdir = Path.mkdir

    def refuse(path: Path, *arguments: object, **others: object) -> None:
        if path == log / ".sightline":
            raise OSError(28, "No space left on device")
        mkdir(path, *arguments, **others)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(Path, "mkdir", refuse)
        workspace = workspace_of(log)
        result = apply_one(workspace, EDIT)
    assert "no space left" in result.error
    assert apply_one(workspace, EDIT).is_applied
    assert private_files(log) == []


def test_ones_own_edits_stand_over_those_beside_the_logs(log: Path) -> None:
    apply(workspace_of(log), EDIT, Edit("2", "favourite", "a"))
    workspace_of(log).save_view("shared", {"from": "the log"})
    kept = log / ".sightline"
    kept.rename(log / "there")
    kept.write_text("in the way")
    mine = workspace_of(log)
    apply(mine, Edit("3", "name", "a", "My name"))
    kept.unlink()
    (log / "there").rename(kept)  # as another user sees it: readable, not writable
    mine = workspace_of(log)
    found = mine.snapshot()
    assert (found.runs["a"].display_name, found.runs["a"].is_favourite) == ("My name", True)
    assert [view.name for view in found.views] == ["shared"]
    # Somebody else adds something beside the logs: read first, though written last.
    with (kept / "edits.jsonl").open("a") as file:
        file.write('{"version": 1, "id": "9", "kind": "name", "run": "a", "text": "theirs"}\n')
        file.write('{"version": 1, "id": "10", "kind": "archive", "run": "a", "is_on": true}\n')
    found = mine.snapshot()
    assert (found.runs["a"].display_name, found.runs["a"].is_archived) == ("My name", True)
    # A view from beside the logs is saved as one's own, and that is the one that is shown.
    shared = mine.view("shared")
    assert shared is not None
    mine.save_view("shared", {"from": "me"}, base=shared.revision)
    changed = mine.view("shared")
    assert changed is not None
    assert changed.view == {"from": "me"}
    assert '"the log"' in (kept / "views" / "shared.json").read_text()


@pytest.mark.parametrize(
    "root",
    [
        FakeRoot("s3://bucket/runs", is_remote=True),
        FakeRoot("/some/events.out.tfevents.1", is_file=True),
    ],
)
def test_remote_logs_and_single_files_are_kept_for_the_user(tmp_path: Path, root: FakeRoot) -> None:
    workspace = Workspace([root], data=tmp_path)
    assert apply_one(workspace, EDIT).is_applied
    found = Workspace([root], data=tmp_path).snapshot()
    assert found.runs["a"].display_name == "Baseline"
    assert found.place.startswith(str(tmp_path / "workspaces"))


def test_a_log_directory_that_is_not_there_yet_is_not_made(tmp_path: Path) -> None:
    workspace = workspace_of(tmp_path / "later")
    found = workspace.snapshot()
    assert not found.is_writable
    assert "before the log directory is there" in found.problems[0]
    assert not apply_one(workspace, EDIT).is_applied
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "later").mkdir()
    assert apply_one(workspace, EDIT).is_applied
    assert workspace.snapshot().is_writable


def test_each_root_keeps_what_is_about_its_own_runs(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    roots = [FakeRoot(str(tmp_path / "one"), "first"), FakeRoot(str(tmp_path / "two"), "first/inner")]
    workspace = Workspace(roots, data=tmp_path / "data")
    pinned = Annotation("p", "loss", "first/inner/b", 3, "here")
    results = apply(
        workspace,
        Edit("1", "name", "first/a", "A"),
        Edit("2", "name", "first/inner/b", "B"),
        Edit("3", "name", "first/inner", "root of the second"),
        Edit("4", "annotate", annotation=pinned),
        Edit("5", "group_color", key="g", text="#ffffff"),
        Edit("6", "name", "stranger", "?"),
    )
    assert [result.id for result in results] == ["1", "2", "3", "4", "5", "6"]
    assert [(line.get("run"), line["kind"]) for line in lines_of(tmp_path / "two")] == [
        ("b", "name"),
        (".", "name"),
        (None, "annotate"),
    ]
    assert [line.get("run") for line in lines_of(tmp_path / "one")] == ["a", None, "stranger"]
    found = workspace.snapshot()
    assert found.runs["first/inner/b"].display_name == "B"
    assert found.runs["first/inner"].display_name == "root of the second"
    assert list(found.annotations) == [pinned]
    # The directories alone, under other names: what was written travels with them.
    alone = Workspace([FakeRoot(str(tmp_path / "two"))], data=tmp_path / "data").snapshot()
    assert {run: notes.display_name for run, notes in alone.runs.items()} == {
        "b": "B",
        ".": "root of the second",
    }
    # Taking back names the runs as the log does.
    inverse = results[3].inverse
    assert inverse is not None
    apply(workspace, inverse)
    assert list(workspace.snapshot().annotations) == []
    renamed = results[1].inverse
    assert renamed is not None
    assert renamed.run == "first/inner/b"


@pytest.mark.parametrize(
    ("environment", "platform", "wanted"),
    [
        ({"HOME": "/h"}, "linux", "/h/.local/share/sightline"),
        ({"HOME": "/h", "XDG_DATA_HOME": "/d"}, "linux", "/d/sightline"),
        ({"HOME": "/h", "XDG_DATA_HOME": "relative"}, "linux", "/h/.local/share/sightline"),
        ({"HOME": "/h"}, "darwin", "/h/Library/Application Support/sightline"),
    ],
)
def test_the_users_data_directory_is_the_platforms(
    environment: dict[str, str], platform: str, wanted: str
) -> None:
    assert str(data_directory(environment, platform=platform)) == wanted


@pytest.mark.parametrize("mode", [0o755, 0o775, 0o777, 0o700])
def test_who_may_write_the_log_directory_may_write_there_too(log: Path, mode: int) -> None:
    log.chmod(mode)
    before = os.umask(0o077)
    try:
        workspace = workspace_of(log)
        apply(workspace, EDIT)
        workspace.save_view("mine", {})
    finally:
        os.umask(before)
    assert (log / ".sightline").stat().st_mode & 0o777 == mode
    assert (log / ".sightline" / "views").stat().st_mode & 0o777 == mode
    for name in ("edits.jsonl", "lock", "views/mine.json"):
        assert (log / ".sightline" / name).stat().st_mode & 0o777 == mode & 0o666


def test_files_of_somebody_else_are_left_alone(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    apply(workspace_of(log), Edit("0", "favourite", "a"))
    edits = log / ".sightline" / "edits.jsonl"
    access = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != edits and bool(access(path, mode)))
    workspace = workspace_of(log)
    assert apply_one(workspace, EDIT).is_applied
    found = workspace.snapshot()
    assert (found.runs["a"].is_favourite, found.runs["a"].display_name) == (True, "Baseline")
    assert "belongs to somebody else" in found.problems[0]
    assert len(lines_of(log)) == 1
