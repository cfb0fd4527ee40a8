"""Holds web/src to its import direction; part of ``make check``. The page's half of scripts/check_imports.py.

A layer is a folder of web/src. ``MAY_IMPORT`` is the allow-list: what is not in it is an error, whether the
module is imported, exported again, loaded lazily or started as a worker. ``MAY_IMPORT_TYPES`` adds what may
be known by its shape alone (``import type``), which leaves nothing in the bundle.

The files are read with a few regular expressions instead of a TypeScript parser: Prettier has already brought
every import into one form, and the check runs without Node.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple

SOURCE = Path(__file__).resolve().parent.parent / "web" / "src"

MAY_IMPORT: dict[str, frozenset[str]] = {
    "base": frozenset(),
    "wire": frozenset({"base"}),
    "chart": frozenset({"base"}),
    "widgets": frozenset({"base"}),
    "workers": frozenset({"base", "wire"}),
    "state": frozenset({"base", "wire", "workers"}),
    "markdown": frozenset({"base"}),
    "board": frozenset({"base", "chart", "widgets", "state", "markdown"}),
    "kinds": frozenset({"base", "chart", "widgets", "state", "markdown", "workers", "board"}),
    "dashboards": frozenset({"base", "chart", "widgets", "state", "markdown", "board", "kinds"}),
    "app": frozenset({"base", "wire", "chart", "widgets", "state", "markdown", "dashboards"}),
    "main": frozenset({"app", "dashboards", "state", "wire"}),
}

MAY_IMPORT_TYPES: dict[str, frozenset[str]] = {
    "state": frozenset({"chart"}),
    "board": frozenset({"wire"}),
    "kinds": frozenset({"wire"}),
    "dashboards": frozenset({"wire"}),
}

# Inside these, a sub-folder is a feature of its own and must not know its neighbours; files beside the
# sub-folders (the registry) know them all.
SEPARATE_CHILDREN = frozenset({"dashboards", "kinds"})

# The first view has no package but the framework, and the engine below it stays free of even that: charts
# must outlive a change of framework. What shows logged text and figures brings its own, and is loaded late.
PACKAGES: dict[str, frozenset[str]] = {
    "markdown": frozenset({"markdown-it", "dompurify", "katex", "highlight.js"}),
    "kinds": frozenset({"diff", "fflate", "plotly.js-dist-min"}),
}
FRAMEWORK = "svelte"
FREE_OF_FRAMEWORK = frozenset({"base", "wire", "chart", "workers"})
TEST_PACKAGES = re.compile(r"vitest|fast-check|@testing-library/|node:")

_FROM = re.compile(r"^\s*(?:import|export)\s+(?P<type>type\s+)?[^'\";]*?\bfrom\s+'(?P<name>[^']+)'", re.M)
_BARE = re.compile(r"^\s*import\s+'(?P<name>[^']+)'", re.M)
_LAZY = re.compile(r"\bimport\(\s*'(?P<name>[^']+)'\s*\)")
_WORKER = re.compile(r"\bnew URL\(\s*'(?P<name>\.[^']+)',\s*import\.meta\.url")


class Import(NamedTuple):
    """One imported module, as written in one line of one file."""

    name: str
    line: int
    is_type: bool


def imports_of(text: str) -> Iterator[Import]:
    for pattern in (_FROM, _BARE, _LAZY, _WORKER):
        for match in pattern.finditer(text):
            line = text.count("\n", 0, match.start("name")) + 1
            yield Import(match["name"], line, is_type=bool(match.groupdict().get("type")))


def problem_with(imported: Import, *, file: PurePosixPath) -> str | None:
    """One clause that says which rule the import breaks, or None. ``file`` is relative to web/src."""
    layer = file.parts[0] if len(file.parts) > 1 else file.stem
    # test-*.ts is what several tests share.
    is_test = ".test." in file.name or file.name.startswith("test-")
    if layer not in MAY_IMPORT:
        return f"layer {layer} is not in the list of scripts/check_web_imports.py"
    if not imported.name.startswith("."):
        package = imported.name.split("/")[0]
        if package == FRAMEWORK and (layer not in FREE_OF_FRAMEWORK or is_test):
            return None
        if package in PACKAGES.get(layer, frozenset()):
            return None
        if is_test and TEST_PACKAGES.match(imported.name):
            return None
        return f"{layer} must not import the package {imported.name}"
    target = _resolve(file, imported.name)
    if target is None:
        return f"{imported.name} leaves web/src"
    target_layer = target.parts[0] if len(target.parts) > 1 else target.stem
    if target_layer == layer:
        return _neighbour_problem(file, target, layer)
    if target_layer in MAY_IMPORT[layer]:
        return None
    if imported.is_type and target_layer in MAY_IMPORT_TYPES.get(layer, frozenset()):
        return None
    return f"{layer} must not import {target_layer}"


def _neighbour_problem(file: PurePosixPath, target: PurePosixPath, layer: str) -> str | None:
    if layer not in SEPARATE_CHILDREN or len(file.parts) < 3 or len(target.parts) < 3:
        return None
    if file.parts[1] == target.parts[1]:
        return None
    return f"{layer}/{file.parts[1]} must not import its neighbour {target.parts[1]}"


def _resolve(file: PurePosixPath, name: str) -> PurePosixPath | None:
    """Where a relative import points to, inside web/src; None when it leads outside."""
    parts = list(file.parts[:-1])
    for part in name.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part != ".":
            parts.append(part)
    return PurePosixPath(*parts)


def check_tree(source: Path) -> list[str]:
    """Lines of the form ``path:line: what is wrong``."""
    lines = []
    for path in sorted(path for suffix in ("*.ts", "*.svelte") for path in source.rglob(suffix)):
        inside = PurePosixPath(path.relative_to(source).as_posix())
        for imported in imports_of(path.read_text("utf-8")):
            problem = problem_with(imported, file=inside)
            if problem is not None:
                lines.append(f"{path}:{imported.line}: {problem}")
    return lines


def main() -> int:
    lines = check_tree(SOURCE)
    for line in lines:
        print(line)
    if lines:
        print(f"{len(lines)} imports against the direction that ARCHITECTURE.md draws")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
