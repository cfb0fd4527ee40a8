"""Holds files and functions to a size that can be read in one go; part of ``make check-python``.

Files of Python, C++ and the page; functions of Python outside of tests. Functions of the page are ESLint's
(``max-lines-per-function``).
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

from scripts.reporting import report

ROOT = Path(__file__).resolve().parent.parent
MAX_FILE_LINES = 600
MAX_FUNCTION_LINES = 70

SOURCES = {
    "src/sightline": (".py", ".pyi"),
    "scripts": (".py",),
    "benchmarks": (".py",),
    "examples": (".py",),
    "tests": (".py",),
    "core": (".cpp", ".hpp", ".h"),
    "web/src": (".ts", ".svelte"),
    "web/e2e": (".ts",),
}
GENERATED = frozenset({"web/src/wire/generated.ts"})


def files(root: Path) -> Iterator[Path]:
    for folder, endings in SOURCES.items():
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in endings and path.relative_to(root).as_posix() not in GENERATED:
                yield path


def check_tree(root: Path) -> list[str]:
    """Lines of the form ``path:line: what is wrong``."""
    problems = []
    for path in files(root):
        text = path.read_text("utf-8")
        lines = text.count("\n")
        if lines > MAX_FILE_LINES:
            problems.append(f"{path}:1: {lines} lines; a file has at most {MAX_FILE_LINES}")
        if path.suffix == ".py" and not path.is_relative_to(root / "tests"):
            problems += [f"{path}:{problem}" for problem in long_functions(text)]
    return problems


def long_functions(text: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > MAX_FUNCTION_LINES:
                at_most = f"a function has at most {MAX_FUNCTION_LINES}"
                yield f"{node.lineno}: {node.name} has {lines} lines; {at_most}"


if __name__ == "__main__":
    sys.exit(report(check_tree(ROOT), "files or functions that are too long"))
