"""Saved views as files: readable, safe names, never lost, never silently written over."""

from __future__ import annotations

import json
import os
from pathlib import Path

import hypothesis.strategies as st
import pytest
from hypothesis import given

from sightline.model.errors import UnknownNameError
from sightline.workspace import ConflictError, Edit, Workspace, WorkspaceError
from sightline.workspace.views import MAX_DEPTH, MAX_FILE_BYTES, file_stem
from tests.workspace.roots import apply, workspace_of

VIEW = {"charts": [{"tags": ["loss"], "unknown to us": {"deep": [1, 2.5, None]}}], "filter": "größer"}


@pytest.fixture
def log(tmp_path: Path) -> Path:
    directory = tmp_path / "log"
    directory.mkdir()
    return directory


@pytest.fixture
def workspace(log: Path) -> Workspace:
    return workspace_of(log)


def files(log: Path) -> list[str]:
    return sorted(path.name for path in (log / ".sightline" / "views").iterdir())


def trashed(log: Path) -> list[str]:
    return sorted(path.read_text() for path in (log / ".sightline" / "trash" / "views").iterdir())


def test_a_view_is_a_readable_file_and_comes_back_as_it_was(workspace: Workspace, log: Path) -> None:
    saved = workspace.save_view("paper", VIEW)
    text = (log / ".sightline" / "views" / "paper.json").read_text("utf-8")
    assert json.loads(text) == {"format": "sightline-view", "version": 1, "name": "paper", "view": VIEW}
    assert "größer" in text
    assert text.count("\n") > 10
    found = workspace_of(log).view("paper")
    assert found is not None
    assert (found.view, found.revision, found.problem) == (VIEW, saved.revision, "")


def test_saving_needs_the_revision_that_it_replaces(workspace: Workspace, log: Path) -> None:
    first = workspace.save_view("paper", {"n": 1})
    with pytest.raises(ConflictError, match="already"):
        workspace.save_view("paper", {"n": 2})
    second = workspace_of(log).save_view("paper", {"n": 3}, base=first.revision)
    with pytest.raises(ConflictError, match="Somebody else saved"):
        workspace.save_view("paper", {"n": 4}, base=first.revision)
    assert second.revision != first.revision
    found = workspace.view("paper")
    assert found is not None
    assert found.view == {"n": 3}
    workspace.remove_view("paper")
    with pytest.raises(ConflictError, match="removed or renamed"):
        workspace.save_view("paper", {"n": 5}, base=second.revision)


def test_a_view_is_renamed_and_the_default_follows(workspace: Workspace, log: Path) -> None:
    first = workspace.save_view("old", {"n": 1})
    workspace.save_view("taken", {"n": 0})
    apply(workspace, Edit("1", "default_view", text="old"))
    assert workspace.snapshot().default_view == "old"
    with pytest.raises(ConflictError, match="already"):
        workspace.save_view("taken", {"n": 2}, base=first.revision, rename_from="old")
    workspace.save_view("new", {"n": 2}, base=first.revision, rename_from="old")
    found = workspace.snapshot()
    assert [view.name for view in found.views] == ["new", "taken"]
    assert found.default_view == "new"
    assert files(log) == ["new.json", "taken.json"]
    assert len(trashed(log)) == 1
    with pytest.raises(UnknownNameError):
        workspace.save_view("x", {}, rename_from="old")


def test_a_removed_view_is_in_the_trash(workspace: Workspace, log: Path) -> None:
    for number in range(2):
        workspace.save_view("paper", {"n": number})
        workspace.remove_view("paper")
    assert files(log) == []
    assert [json.loads(text)["view"]["n"] for text in trashed(log)] in ([0, 1], [1, 0])
    with pytest.raises(UnknownNameError):
        workspace.remove_view("paper")


def test_a_default_view_that_is_gone_is_none_until_it_comes_back(workspace: Workspace) -> None:
    apply(workspace, Edit("1", "default_view", text="paper"))
    assert workspace.snapshot().default_view is None
    workspace.save_view("paper", {})
    assert workspace.snapshot().default_view == "paper"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"{not json", "damaged"),
        (b"\xff\xfe", "damaged"),
        (b"[" * 200_000, "damaged"),
        (b"[]", "no view"),
        (b'{"format": "sightline-view", "version": 1, "name": "x", "view": {"a": NaN}}', "damaged"),
        (b'{"format": "sightline-view", "version": 1, "name": "x", "view": {"a": 1e999}}', "damaged"),
        (b'{"format": "other", "version": 1, "name": "x", "view": {}}', "no view"),
        (b'{"format": "sightline-view", "version": 2, "name": "x", "view": {}}', "newer version"),
        (b'{"format": "sightline-view", "version": "1", "name": "x", "view": {}}', "no version"),
        (b'{"format": "sightline-view", "version": 1, "name": "x"}', "no view inside"),
        (b'{"format": "sightline-view", "version": 1, "name": "", "view": {}}', "no name"),
        (b'{"format": "sightline-view", "version": 1, "name": "\\ud800", "view": {}}', "no name"),
    ],
)
def test_a_file_that_cannot_be_used_is_listed_and_never_written_over(
    workspace: Workspace, log: Path, content: bytes, words: str
) -> None:
    workspace.save_view("good", VIEW)
    path = log / ".sightline" / "views" / "broken.json"
    path.write_bytes(content)
    found = {view.name: view.problem for view in workspace.snapshot().views}
    assert found["good"] == ""
    assert words in found["broken"]
    with pytest.raises(ConflictError, match="not written over"):
        workspace.save_view("broken", VIEW)
    assert path.read_bytes() == content
    workspace.remove_view("broken")
    assert files(log) == ["good.json"]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("from the future", b'{"format": "sightline-view", "version": 99, "name": "from the future"}'),
        ("Figure 3", b"{not json"),
    ],
)
def test_a_view_that_cannot_be_used_is_found_by_its_name_to_say_why(
    workspace: Workspace, log: Path, name: str, content: bytes
) -> None:
    workspace.save_view("Figure 3", VIEW)
    (path,) = (log / ".sightline" / "views").iterdir()
    path.write_bytes(content)
    found = workspace.view(name)
    assert found is not None
    assert found.problem
    assert workspace.view("nobody") is None


def test_a_good_view_comes_before_a_broken_one_that_has_its_name(workspace: Workspace, log: Path) -> None:
    workspace.save_view("paper", VIEW)
    newer = b'{"format": "sightline-view", "version": 99, "name": "paper", "view": {}}'
    (log / ".sightline" / "views" / "a.json").write_bytes(newer)
    found = workspace.view("paper")
    assert found is not None
    assert found.view == VIEW


def test_a_file_that_is_too_large_is_not_read(workspace: Workspace, log: Path) -> None:
    workspace.save_view("good", VIEW)
    with (log / ".sightline" / "views" / "large.json").open("wb") as file:
        file.truncate(MAX_FILE_BYTES + 1)
    assert "larger than" in {view.name: view.problem for view in workspace.snapshot().views}["large"]


def test_links_and_pipes_among_the_views_are_left_alone(
    workspace: Workspace, log: Path, tmp_path: Path
) -> None:
    workspace.save_view("good", VIEW)
    secret = tmp_path / "secret.json"
    secret.write_text('{"format": "sightline-view", "version": 1, "name": "s", "view": {}}')
    views = log / ".sightline" / "views"
    (views / "link.json").symlink_to(secret)
    os.mkfifo(views / "pipe.json")
    (views / "folder.json").mkdir()
    assert [view.name for view in workspace.snapshot().views] == ["good"]
    workspace.save_view("link", {"n": 1})  # takes another file name
    assert "sightline-view" in secret.read_text()
    assert (views / "link-2.json").exists()


def test_a_views_directory_that_is_a_link_is_not_written_to(log: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (log / ".sightline").mkdir()
    (log / ".sightline" / "views").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(WorkspaceError, match="a link"):
        workspace_of(log).save_view("x", {})
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_what_others_put_into_the_file_stays_when_it_is_saved(workspace: Workspace, log: Path) -> None:
    workspace.save_view("paper", {"n": 1})
    path = log / ".sightline" / "views" / "paper.json"
    content = json.loads(path.read_text())
    path.write_text(json.dumps({**content, "comment": "for the paper", "id": 10**30}))
    found = workspace.view("paper")
    assert found is not None
    workspace.save_view("paper", {"n": 2}, base=found.revision)
    assert json.loads(path.read_text())["comment"] == "for the paper"
    assert json.loads(path.read_text())["id"] == 10**30


def test_two_files_of_one_name_are_both_listed(workspace: Workspace, log: Path) -> None:
    workspace.save_view("paper", {"n": 1})
    text = (log / ".sightline" / "views" / "paper.json").read_text()
    (log / ".sightline" / "views" / "zz.json").write_text(text)
    found = {view.name: view.problem for view in workspace.snapshot().views}
    assert list(found) == ["paper", "paper (zz.json)"]
    assert "same name" in found["paper (zz.json)"]


@pytest.mark.parametrize("name", ["", " ", " x", "x\n", "a\x00b", "\ud800", "x" * 201, "a\u2028b"])
def test_names_that_nobody_can_read_are_refused(workspace: Workspace, log: Path, name: str) -> None:
    with pytest.raises(WorkspaceError, match="name of a view"):
        workspace.save_view(name, {})
    assert list(log.iterdir()) == []


HOSTILE = [
    *("../../etc/passwd", "..", ".", "/etc/passwd", "a/b", "a\\b", "CON", "nul", "com1.json", ".hidden"),
    *(
        "Paper",
        "paper",
        "PAPER",
        "PÄPER",
        "päper",
        "pa\u0308per",
        "x" * 200,
        "学" * 200,
        "🧑‍🔬",
        "a:b",
        "-",
        "*",
    ),
    *("paper-1a2b3c4d", "trailing.", "%2e%2e%2f", "${HOME}", "`id`", "lock"),
]


def test_hostile_names_and_all_scripts_become_files_of_their_own(workspace: Workspace, log: Path) -> None:
    for number, name in enumerate(HOSTILE):
        workspace.save_view(name, {"n": number})
    found = workspace_of(log)
    for number, name in enumerate(HOSTILE):
        view = found.view(name)
        assert view is not None
        assert view.view == {"n": number}
        assert view.path.parent == log / ".sightline" / "views"
    assert len({name.casefold() for name in files(log)}) == len(HOSTILE)
    assert sorted(path.name for path in log.iterdir()) == [".sightline"]


@given(st.text(min_size=1, max_size=200))
def test_every_name_gives_a_file_name_that_all_systems_take(name: str) -> None:
    stem = file_stem(name)
    assert 0 < len(stem.encode()) <= 100
    assert stem == stem.strip(" .-") or "-" in stem
    assert not set(stem) & set('/\\:*?"<>|.\0\n ')
    assert file_stem(name) == stem


def test_a_view_that_is_nested_too_deeply_is_refused(workspace: Workspace) -> None:
    deep: dict[str, object] = {}
    for _ in range(MAX_DEPTH * 50):
        deep = {"x": deep}
    with pytest.raises(WorkspaceError, match="levels"):
        workspace.save_view("deep", deep)


def test_a_view_changed_by_an_editor_has_another_revision(workspace: Workspace, log: Path) -> None:
    saved = workspace.save_view("paper", {"n": 1})
    version = workspace.refresh()
    path = log / ".sightline" / "views" / "paper.json"
    path.write_text(path.read_text().replace("1\n", "100\n"))
    assert workspace.refresh() > version
    found = workspace.view("paper")
    assert found is not None
    assert found.revision != saved.revision
