"""Roots as the workspace sees them, without the readers."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sightline.workspace import Edit, EditResult, Workspace


@dataclass(frozen=True)
class FakeRoot:
    path: str
    prefix: str = ""
    is_remote: bool = False
    is_file: bool = False


def workspace_of(directory: Path, **arguments: Any) -> Workspace:
    """Of one root; what cannot be kept in it goes to ``<directory>-data``."""
    data = directory.with_name(directory.name + "-data")
    return Workspace([FakeRoot(str(directory))], data=data, **arguments)


def apply(workspace: Workspace, *edits: Edit) -> list[EditResult]:
    return workspace.apply(edits)[1]


def apply_one(workspace: Workspace, edit: Edit) -> EditResult:
    (result,) = apply(workspace, edit)
    return result


def lines_of(directory: Path) -> list[dict[str, Any]]:
    """The edits that are on disk."""
    return [json.loads(line) for line in (directory / ".sightline" / "edits.jsonl").read_bytes().splitlines()]
