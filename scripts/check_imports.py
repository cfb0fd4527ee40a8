"""Holds src/sightline to its import direction; part of ``make check``.

A layer is a folder or a top-level module of the package. ``MAY_IMPORT`` is the allow-list: what is not in it
is an error, whether the import stands at the top of a file, inside a function or under TYPE_CHECKING, because
the direction is about who knows whom, not about load order. Layers that do not exist yet are listed too, so
that the first file of each is born inside the rules.

The second rule is about other people's packages: some must never be needed at run time, and heavy ones may
only be imported inside the function that uses them, so that ``import sightline`` stays quick.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

from scripts.reporting import report

PACKAGE = "sightline"
SOURCE = Path(__file__).resolve().parent.parent / "src" / PACKAGE

# Everything a reading program is made of; only the façade and the entry points see all of it.
_READ = frozenset({"log", "model", "formats", "readers", "store", "query", "workspace"})

MAY_IMPORT: dict[str, frozenset[str]] = {
    # bytes to questions
    "_core": frozenset(),
    "model": frozenset(),
    "formats": frozenset({"model"}),
    "store": frozenset({"formats", "model", "_core"}),
    "readers": frozenset({"store", "formats", "model", "_core"}),
    "query": frozenset({"store", "model", "_core"}),
    # encoded pictures and sounds → what a page can show; everything that comes in is hostile
    "media": frozenset({"formats", "model"}),
    # what people add to a log, in files of its own
    "workspace": frozenset({"model"}),
    "log": frozenset({"readers", "store", "query", "workspace", "formats", "model"}),
    # the project's settings file; everybody at the doors may ask it
    "settings": frozenset({"model"}),
    # what training code imports: starts in milliseconds, so it sees no reader, no store and no server
    "writer": frozenset({"settings", "formats", "model", "_core"}),
    "summary": frozenset({"writer", "formats", "model", "_core"}),
    # logs to look around in; writes, and reads nothing
    "demo": frozenset({"writer", "formats", "model", "_core"}),
    # questions to pages
    "wire": frozenset({"model"}),
    "health": frozenset({"store", "query", "model", "_core"}),
    "profiling": frozenset({"store", "query", "formats", "model", "_core"}),
    "dashboards": frozenset({"query", "media", "wire", "health", "profiling", "model"}),
    "server": frozenset(
        {"dashboards", "query", "media", "readers", "wire", "health", "log", "workspace", "settings", "model"}
    ),
    # doors: only these two may start the server
    "integrations": _READ | {"writer", "settings", "server"},
    "cli": _READ | {"writer", "settings", "server", "demo", "health", "profiling", "_core"},
    # the public names, by re-export; never the server
    "__init__": _READ | {"writer", "summary", "settings"},
    "__main__": frozenset({"cli"}),
}

# Inside these, a sub-folder is a feature of its own and must not know its neighbours.
SEPARATE_CHILDREN = frozenset({"dashboards", "integrations"})

# Modules beside those folders that are there for all of them.
SHARED_BY_CHILDREN = frozenset(
    f"{PACKAGE}.dashboards.{name}"
    for name in (
        *("context", "decoded_parts", "descriptions", "kind_tags", "named_values"),
        *("tensorboard_blobs", "tensorboard_histograms", "tensorboard_points", "thumbnails"),
    )
)

# Version conflicts of these are what people suffer from; we decode the formats ourselves (design decision 2).
NEVER = frozenset({"google", "tensorflow", "tensorboard", "tensorboardX", "setuptools", "pkg_resources"})

# Extras: missing on most machines, and slow to import on the others.
ONLY_INSIDE_FUNCTIONS = frozenset(
    {
        *("fsspec", "s3fs", "pandas", "polars", "pyarrow"),
        *("torch", "jax", "keras", "onnx", "matplotlib", "PIL", "av", "psutil", "pynvml"),
    }
)


class Import:
    """One imported module, as written in one line of one file."""

    def __init__(self, *, name: str, line: int, is_lazy: bool) -> None:
        self.name = name
        self.line = line
        self.is_lazy = is_lazy


def _is_type_checking(node: ast.AST) -> bool:
    if not isinstance(node, ast.If):
        return False
    return ast.unparse(node.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING")


def _modules_of(node: ast.AST, *, package_parts: list[str]) -> list[str]:
    """Absolute names that an import statement brings in; empty for any other node."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if not isinstance(node, ast.ImportFrom):
        return []
    base = package_parts[: len(package_parts) - node.level + 1] if node.level else []
    parts = [*base, *(node.module.split(".") if node.module else [])]
    if parts == [PACKAGE]:
        # `from sightline import store` names a layer; `from sightline import Run` names the root.
        return [f"{PACKAGE}.{a.name}" if a.name in MAY_IMPORT else f"{PACKAGE}.__init__" for a in node.names]
    if len(parts) == 2 and parts[1] in SEPARATE_CHILDREN:
        return [".".join([*parts, alias.name]) for alias in node.names]
    return [".".join(parts)]


def imports_of(tree: ast.AST, *, package_parts: list[str], is_lazy: bool = False) -> Iterator[Import]:
    for node in ast.iter_child_nodes(tree):
        for name in _modules_of(node, package_parts=package_parts):
            yield Import(name=name, line=getattr(node, "lineno", 0), is_lazy=is_lazy)
        is_deferred = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) or _is_type_checking(node)
        yield from imports_of(node, package_parts=package_parts, is_lazy=is_lazy or is_deferred)


def problem_with(imported: Import, *, layer: str, child: str) -> str | None:
    """One clause that says which rule the import breaks, or None."""
    parts = imported.name.split(".")
    if parts[0] != PACKAGE:
        if parts[0] in NEVER:
            return f"{imported.name} must not be needed at run time"
        if parts[0] in ONLY_INSIDE_FUNCTIONS and not imported.is_lazy:
            return f"{imported.name} may only be imported inside the function that uses it"
        return None
    target = parts[1] if len(parts) > 1 else "__init__"
    if target not in MAY_IMPORT:
        return f"layer {target} is not in the list of scripts/check_imports.py"
    if target == layer:
        is_neighbour = layer in SEPARATE_CHILDREN and len(parts) > 2 and child and parts[2] != child
        if is_neighbour and ".".join(parts[:3]) not in SHARED_BY_CHILDREN:
            return f"{layer}/{child} must not import its neighbour {parts[2]}"
        return None
    if target not in MAY_IMPORT[layer]:
        return f"{layer} must not import {target}"
    return None


def check_file(path: Path, *, source: Path) -> Iterator[str]:
    """Lines of the form ``path:line: what is wrong`` for one file."""
    inside = path.relative_to(source)
    layer = inside.parts[0] if len(inside.parts) > 1 else inside.stem
    if layer not in MAY_IMPORT:
        yield f"{path}:1: layer {layer} is not in the list of scripts/check_imports.py"
        return
    child = inside.parts[1] if len(inside.parts) > 2 else ""
    package_parts = [PACKAGE, *inside.parts[:-1]]
    for imported in imports_of(ast.parse(path.read_text("utf-8")), package_parts=package_parts):
        problem = problem_with(imported, layer=layer, child=child)
        if problem is not None:
            yield f"{path}:{imported.line}: {problem}"


def check_tree(source: Path) -> list[str]:
    files = sorted(path for suffix in ("*.py", "*.pyi") for path in source.rglob(suffix))
    return [line for path in files for line in check_file(path, source=source)]


if __name__ == "__main__":
    sys.exit(report(check_tree(SOURCE), "imports against the direction that ARCHITECTURE.md draws"))
