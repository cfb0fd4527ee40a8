"""Counts where a kind of data is named outside of its own folder; part of ``make check-python``.

A kind is a word of src/sightline/model/kinds.py. Who names one has to be changed when another one comes, so
names belong into that file and into the dashboards. Elsewhere they are counted for each layer, as string
literals and as ``Kind.image``. Most string literals mean something else by the same word; they are counted
nevertheless, since the number may only fall: whoever takes names away lowers it here. (A module of ``query``
about one kind, as histograms, names it once, and so does the list of tags, where meshes are joined.)
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from scripts.reporting import report

SOURCE = Path(__file__).resolve().parent.parent / "src" / "sightline"
HOME = "model/kinds.py"
FREE_LAYERS = frozenset({"dashboards"})

# Layers that are not listed name no kind.
COUNTS = {
    "cli": 2,
    "demo": 17,
    "formats": 35,
    "model": 1,
    "query": 9,
    "store": 17,
    "summary": 12,
    "workspace": 9,
    "writer": 12,
}


def kinds(source: Path) -> frozenset[str]:
    """The members of ``Kind``."""
    tree = ast.parse((source / HOME).read_text("utf-8"))
    (enumeration,) = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Kind"]
    members = [node for node in enumeration.body if isinstance(node, ast.Assign)]
    return frozenset(ast.literal_eval(member.value) for member in members)


def names_in(tree: ast.AST, known: frozenset[str]) -> Iterator[tuple[int, str]]:
    """(line, what stands there)"""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in known:
            yield node.lineno, repr(node.value)
        elif isinstance(node, ast.Attribute) and ast.unparse(node.value) == "Kind" and node.attr in known:
            yield node.lineno, f"Kind.{node.attr}"


def places(source: Path) -> Iterator[tuple[str, str]]:
    """(layer, line for people) of every name that counts."""
    known = kinds(source)
    for path in sorted(source.rglob("*.py")):
        inside = path.relative_to(source)
        layer = inside.parts[0].removesuffix(".py")
        if inside.as_posix() != HOME and layer not in FREE_LAYERS:
            for line, name in names_in(ast.parse(path.read_text("utf-8")), known):
                yield layer, f"{path}:{line}: {name}"


def check_tree(source: Path, counts: dict[str, int]) -> list[str]:
    found = list(places(source))
    now = Counter(layer for layer, _ in found)
    problems = []
    for layer in sorted({*now, *counts}):
        allowed = counts.get(layer, 0)
        if now[layer] > allowed:
            problems += [line for one, line in found if one == layer]
            problems.append(f"{layer} names kinds {now[layer]} times; {allowed} is the most")
        elif now[layer] < allowed:
            problems.append(f"{layer}: write {now[layer]} instead of {allowed} into scripts/check_kinds.py")
    return problems


if __name__ == "__main__":
    sys.exit(report(check_tree(SOURCE, COUNTS), "lines about names of kinds outside of their folders"))
