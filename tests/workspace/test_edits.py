"""What each kind of edit does, how it is taken back, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sightline.workspace import Annotation, Edit, RunNotes, Workspace
from sightline.workspace.state import MAX_LABELS
from tests.workspace.roots import apply, apply_one, lines_of, workspace_of

PINNED = Annotation("p1", "loss", "a", 120, "the learning rate fell")


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    (tmp_path / "log").mkdir()
    return workspace_of(tmp_path / "log")


def everything(workspace: Workspace) -> object:
    found = workspace.snapshot()
    return dict(found.runs), list(found.annotations), dict(found.group_colors)


EDITS = [
    Edit("1", "name", "a", "Baseline"),
    Edit("1", "note", "a", "Line 1\nLine 2", base=""),
    Edit("1", "add_label", "a", "paper"),
    Edit("1", "color", "a", "#1F77B4"),
    Edit("1", "favourite", "a"),
    Edit("1", "archive", "a"),
    Edit("1", "annotate", annotation=PINNED),
    Edit("1", "group_color", key="lr=0.1", text="#000000"),
]


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.kind)
def test_every_edit_is_kept_over_a_restart_and_can_be_taken_back(
    workspace: Workspace, tmp_path: Path, edit: Edit
) -> None:
    before = everything(workspace)
    result = apply_one(workspace, edit)
    assert result.is_applied
    assert result.inverse is not None
    assert result.inverse.id != edit.id
    after = everything(workspace)
    assert after != before
    assert everything(workspace_of(tmp_path / "log")) == after
    undone = apply_one(workspace, result.inverse)
    assert everything(workspace) == before
    assert undone.inverse is not None
    assert apply_one(workspace, undone.inverse).is_applied
    assert everything(workspace) == after


def test_an_edit_that_changes_nothing_says_so_and_is_not_kept(workspace: Workspace, tmp_path: Path) -> None:
    apply(workspace, *[replace(edit, id=f"first {edit.kind}") for edit in EDITS])
    count = len(lines_of(tmp_path / "log"))
    again = apply(workspace, *[replace(edit, id=f"again {edit.kind}") for edit in EDITS])
    assert [(result.is_applied, result.inverse) for result in again] == [(True, None)] * len(EDITS)
    assert len(lines_of(tmp_path / "log")) == count


def test_the_same_edit_twice_counts_once_also_after_a_restart(workspace: Workspace, tmp_path: Path) -> None:
    first = apply_one(workspace, Edit("x", "add_label", "a", "paper"))
    apply(workspace, Edit("y", "remove_label", "a", "paper"))
    for other in (workspace, workspace_of(tmp_path / "log")):
        assert apply_one(other, Edit("x", "add_label", "a", "paper")).is_applied
        assert other.snapshot().runs == {}
    assert apply_one(workspace, Edit("x", "add_label", "a", "paper")) == first  # with its inverse
    assert len(lines_of(tmp_path / "log")) == 2


def test_notes_of_two_people_are_merged_by_lines(workspace: Workspace) -> None:
    apply(workspace, Edit("1", "note", "a", "one\ntwo\nthree"))
    base = "one\ntwo\nthree"
    mine = apply_one(workspace, Edit("2", "note", "a", "ONE\ntwo\nthree", base=base))
    yours = apply_one(workspace, Edit("3", "note", "a", "one\ntwo\nthree\nfour", base=base))
    assert mine.text == "ONE\ntwo\nthree"
    assert yours.text == workspace.snapshot().runs["a"].note == "ONE\ntwo\nthree\nfour"
    # Taking back the first keeps what the second wrote.
    assert mine.inverse is not None
    assert apply_one(workspace, mine.inverse).text == "one\ntwo\nthree\nfour"


def test_notes_that_contradict_are_not_saved_and_both_are_told(workspace: Workspace) -> None:
    apply(workspace, Edit("1", "note", "a", "yours"))
    result = apply_one(workspace, Edit("2", "note", "a", "mine", base=""))
    assert (result.is_applied, result.conflict, result.inverse) == (False, "yours", None)
    assert "put both together" in result.error
    assert workspace.snapshot().runs["a"].note == "yours"


def test_labels_of_two_people_are_both_there(workspace: Workspace) -> None:
    apply(workspace, Edit("1", "add_label", "a", "one"), Edit("2", "add_label", "a", " two  words "))
    assert workspace.snapshot().runs["a"].labels == ("one", "two words")


def test_a_run_about_which_nothing_is_said_any_more_is_not_listed(workspace: Workspace) -> None:
    apply(workspace, Edit("1", "name", "a", "x"), Edit("2", "favourite", "b"))
    apply(workspace, Edit("3", "name", "a", None), Edit("4", "favourite", "b", is_on=False))
    assert workspace.snapshot().runs == {}


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (Edit("1", "color", "a", "red"), "#1f77b4"),
        (Edit("1", "color", "a", "#12345"), "#1f77b4"),
        (Edit("1", "color", "a", "#123456;background:url(x)"), "#1f77b4"),
        (Edit("1", "group_color", key="x", text="#GGGGGG"), "#1f77b4"),
        (Edit("1", "add_label", "a", "  "), "at least one letter"),
        (Edit("1", "add_label", "a", "x" * 101), "100 characters"),
        (Edit("1", "name", "a", "x" * 1001), "1,000 characters"),
        (Edit("1", "note", "a", "x" * 100_001), "100,000 characters"),
        (Edit("1", "name", "", "x"), "which run"),
        (Edit("1", "annotate"), "no annotation"),
        (Edit("1", "annotate", annotation=Annotation("p", "t", "a", 2**63, "")), "64 bits"),
        (Edit("1", "remove_annotation"), "which annotation"),
        (Edit("1", "default_view", text="x" * 201), "200 characters"),
    ],
)
def test_what_makes_no_sense_is_refused_with_a_sentence(workspace: Workspace, edit: Edit, words: str) -> None:
    good = Edit("good", "favourite", "b")
    refused, applied = apply(workspace, edit, good)
    assert not refused.is_applied
    assert words in refused.error
    assert applied.is_applied
    assert workspace.snapshot().runs == {"b": RunNotes(is_favourite=True)}


def test_a_run_has_so_many_labels_and_no_more(workspace: Workspace) -> None:
    results = apply(workspace, *[Edit(f"{n}", "add_label", "a", f"label {n}") for n in range(MAX_LABELS + 1)])
    assert [result.is_applied for result in results] == [True] * MAX_LABELS + [False]


def test_names_of_any_script_and_any_control_character_survive(workspace: Workspace, tmp_path: Path) -> None:
    run, note = "exp/学習 \u2028 \x85 \x00 🧪", "a\u2028b\r\nc\x0b\x1c"
    apply(workspace, Edit("1", "note", run, note))
    found = workspace_of(tmp_path / "log").snapshot()
    assert (found.runs[run].note, list(found.problems)) == (note, [])


def test_versions_grow_with_each_change_and_over_restarts(workspace: Workspace, tmp_path: Path) -> None:
    told: list[int] = []
    workspace = workspace_of(tmp_path / "log", on_change=told.append)
    first = workspace.snapshot().version
    assert workspace.snapshot().version == first
    second, _ = workspace.apply([Edit("1", "favourite", "a")])
    assert second > first
    assert told == [second]
    assert workspace.snapshot().version == second
    assert workspace_of(tmp_path / "log").snapshot().version >= first
