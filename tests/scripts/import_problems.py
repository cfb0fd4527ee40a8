"""What a checker of imports says about one file."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType


def problems_of(checker: ModuleType, tmp_path: Path, name: str, text: str) -> list[str]:
    """Of a file that is alone in its tree; each problem without the path."""
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return [line.removeprefix(f"{path}:") for line in checker.check_tree(tmp_path)]
