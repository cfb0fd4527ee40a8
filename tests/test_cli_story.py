"""What ``sightline inspect --json`` says about the story of a run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sightline.cli import main
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
