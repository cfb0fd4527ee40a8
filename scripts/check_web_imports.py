"""Holds web/src to its import direction; part of ``make check``. The page's half of scripts/check_imports.py.

A layer is a folder of web/src. ``MAY_IMPORT`` is the allow-list: what is not in it is an error, whether the
module is imported, exported again, loaded lazily or started as a worker. ``MAY_IMPORT_TYPES`` adds what may
be known by its shape alone (``import type``), which leaves nothing in the bundle.

Kinds of data have names (src/sightline/model/kinds.py) that only their own folders need to know: how often
they are still written elsewhere is counted in ``KIND_NAMES_LEFT``, and may only fall.

The files are read with a few regular expressions instead of a TypeScript parser: Prettier has already brought
every import into one form, and the check runs without Node.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from scripts.reporting import report

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "web" / "src"
KINDS = ROOT / "src" / "sightline" / "model" / "kinds.py"

MAY_IMPORT: dict[str, frozenset[str]] = {
    "base": frozenset(),
    "wire": frozenset({"base"}),
    "chart": frozenset({"base"}),
    "widgets": frozenset({"base"}),
    "workers": frozenset({"base", "wire"}),
    "state": frozenset({"base", "wire", "workers"}),
    "markdown": frozenset({"base"}),
    "board": frozenset({"base", "chart", "widgets", "state", "markdown"}),
    "kinds": frozenset({"base", "wire", "chart", "widgets", "state", "markdown", "workers", "board"}),
    "dashboards": frozenset({"base", "chart", "widgets", "state", "markdown", "board", "kinds"}),
    "app": frozenset({"base", "wire", "chart", "widgets", "state", "markdown", "dashboards"}),
    "main": frozenset({"app", "base", "dashboards", "state", "wire"}),
}

MAY_IMPORT_TYPES: dict[str, frozenset[str]] = {
    "state": frozenset({"chart"}),
    "board": frozenset({"wire"}),
    "dashboards": frozenset({"wire"}),
}

# Inside these, a sub-folder is a feature of its own and must not know its neighbours. Of the files beside the
# sub-folders only the registry knows them all.
SEPARATE_CHILDREN = frozenset({"dashboards", "kinds"})
REGISTRY = "registry.ts"

# How often files of other layers than KNOWS_KINDS have a kind's name as a string. In markdown and workers,
# and once in state, the same word is the name of something else.
KIND_NAMES_LEFT = {"app": 4, "markdown": 2, "state": 3}
KNOWS_KINDS = frozenset({"dashboards", "kinds"})
_KIND_NAME = re.compile(r'^    (\w+) = "\1"$', re.M)
# Also a word of the page for other things: a token of a query, the filter by plain text, an element.
_OTHER_WORDS = frozenset({"text"})

# The first view has no package but the framework, and the engine below it stays free of even that: charts
# must outlive a change of framework. What shows logged text and figures brings its own, and is loaded late.
PACKAGES: dict[str, frozenset[str]] = {
    "markdown": frozenset({"markdown-it", "dompurify", "katex", "highlight.js"}),
    "kinds": frozenset({"diff", "fflate", "plotly.js-cartesian-dist-min", "three"}),
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
    if layer not in SEPARATE_CHILDREN or len(target.parts) < 3:
        return None
    if len(file.parts) < 3:
        is_allowed = file.name == REGISTRY or ".test." in file.name
        return None if is_allowed else f"only {layer}/{REGISTRY} may import {'/'.join(target.parts[:2])}"
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


def _sources(source: Path) -> Iterator[tuple[Path, PurePosixPath]]:
    for path in sorted(path for suffix in ("*.ts", "*.svelte") for path in source.rglob(suffix)):
        yield path, PurePosixPath(path.relative_to(source).as_posix())


def _is_test(file: PurePosixPath) -> bool:
    return any(mark in file.name for mark in (".test.", ".fixture.", "test-", "fake"))


def kind_names(source: Path, kinds: str) -> dict[str, list[str]]:
    """Where names of kinds are written as strings, ``path:line``, by layer. ``kinds``: text of kinds.py."""
    names = sorted(set(_KIND_NAME.findall(kinds)) - _OTHER_WORDS)
    literal = re.compile(rf"'(?:{'|'.join(names)})'")
    found: dict[str, list[str]] = {}
    for path, file in _sources(source):
        layer = file.parts[0] if len(file.parts) > 1 else file.stem
        if layer in KNOWS_KINDS or _is_test(file) or file.name == "generated.ts":
            continue
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            found.setdefault(layer, []).extend(f"{path}:{number}" for _ in literal.finditer(line))
    return {layer: places for layer, places in found.items() if places}


def check_kind_names(found: dict[str, list[str]], left: dict[str, int]) -> list[str]:
    lines: list[str] = []
    for layer in sorted({*found, *left}):
        places = found.get(layer, [])
        if len(places) > left.get(layer, 0):
            lines.extend(f"{place}: the name of a kind" for place in places)
            lines.append(
                f"{layer} names kinds {len(places)} times, not {left.get(layer, 0)}: ask the kind instead"
            )
        elif len(places) < left.get(layer, 0):
            lines.append(f"{layer} names kinds {len(places)} times only: lower its number in KIND_NAMES_LEFT")
    return lines


def check_tree(source: Path) -> list[str]:
    """Lines of the form ``path:line: what is wrong``."""
    lines = []
    for path, inside in _sources(source):
        for imported in imports_of(path.read_text("utf-8")):
            problem = problem_with(imported, file=inside)
            if problem is not None:
                lines.append(f"{path}:{imported.line}: {problem}")
    return lines


if __name__ == "__main__":
    names = check_kind_names(kind_names(SOURCE, KINDS.read_text("utf-8")), KIND_NAMES_LEFT)
    sys.exit(
        report([*check_tree(SOURCE), *names], "imports or names of kinds against what ARCHITECTURE.md draws")
    )
