"""What ``sightline inspect`` says about the story of a run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sightline.cli import main
from sightline.cli.story import story_lines
from sightline.store.story import stories_from
from tests.event_logs import points
from tests.story_records import T, end, log_message, start, write_ours

FACTS: dict[str, Any] = {
    "command": ["python", "train.py", "--name", "two words"],
    "python": {"version": "3.12.1"},
    "host": {"name": "gpu01"},
    "devices": [{"name": "A100"}, {"name": "A100"}, {"name": "T4"}],
    "git": {
        "commit": "0123456789abcdef",
        "branch": "main",
        "is_dirty": True,
        "diff": {"files": 2, "insertions": 10, "deletions": 3},
        "remote": "https://host/a",
    },
}


def lines(*messages: str) -> list[str]:
    return list(story_lines(stories_from((message, T + 5) for message in messages)))


def test_one_run_in_detail_tells_how_it_ended(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_ours(tmp_path / "a", log_message(start(**FACTS)), points([0]), log_message(end()))
    assert main(["inspect", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "\n\nStory: finished after 1 min 0 s\n  command: python train.py --name 'two words'\n" in out
    assert "__log_message__" not in out
    assert "1 run, 1 series, 1 point," in out


def test_an_overview_and_several_runs_do_not(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_ours(tmp_path / "a", log_message(start()), points([0]), log_message(end()))
    assert main(["inspect", str(tmp_path), "--runs"]) == 0
    assert "Story" not in capsys.readouterr().out
    write_ours(tmp_path / "b", log_message(start()), points([0]))
    assert main(["inspect", str(tmp_path)]) == 0
    assert "Story" not in capsys.readouterr().out


def test_code_and_machine_have_a_line_each() -> None:
    assert lines(start(**FACTS), end()) == [
        "Story: finished after 1 min 0 s",
        "  command: python train.py --name 'two words'",
        "  code:    commit 0123456789ab on main, with changes that are not committed (2 files, +10 −3 lines),"
        " https://host/a",
        "  machine: gpu01, Python 3.12.1, 2 × A100, 1 × T4",
        "",
    ]


def test_other_endings() -> None:
    error = {"type": "ValueError", "message": "bad\n\x1b[31mvalue"}
    assert lines(start(), end(status="crashed", error=error)) == [
        "Story: crashed after 1 min 0 s, ValueError: bad\\n\\x1b[31mvalue", "",
    ]  # fmt: skip
    assert lines(start(), end(status="interrupted", error={"type": "KeyboardInterrupt"}))[0] == (
        "Story: interrupted after 1 min 0 s, KeyboardInterrupt"
    )
    assert lines(start())[0].startswith("Story: running or killed; last seen ")
    assert lines(start())[0].endswith(", after 5.0 s")
    assert lines(start("a"), end("a"), start("b", T + 1))[0].endswith("(started 2 times; this is the last)")
    assert lines() == []


def test_the_json_document_has_the_whole_story(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    error = {"type": "ValueError", "message": "bad", "traceback": "Traceback"}
    crashed = end(status="crashed", error=error)
    write_ours(tmp_path / "a", log_message(start(**FACTS)), points([0]), log_message(crashed))
    write_ours(tmp_path / "b", points([0], begin_s=T + 100))
    assert main(["inspect", str(tmp_path), "--json"]) == 0
    first, second = json.loads(capsys.readouterr().out)["runs"]
    story = first["story"]
    assert {name: story[name] for name in FACTS} == FACTS
    assert (story["status"], story["started"], story["ended"]) == ("crashed", T, T + 60)
    assert (story["duration_s"], story["last_seen"], story["error"]) == (60, T + 60, error)
    assert first["starts"] == [T]
    assert (second["story"], second["starts"]) == (None, [])
