"""What to say when filters leave nothing: which one took how many runs."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase

from sightline.cli.quantities import count_text
from sightline.model.places import WORKSPACE_DIRECTORY
from sightline.readers.roots import Root, is_event_file_name, parse_roots


def nothing_matches_line(arguments: argparse.Namespace, *, runs_of_log: int, runs_named: int) -> str:
    """For --run and --tag. ``runs_named``: how many runs --run leaves."""
    told = f"Nothing matches: the log has {count_text(runs_of_log, 'run')}"
    if arguments.run is not None:
        told += f", --run {arguments.run!r} leaves {runs_named:,}"
    if arguments.tag is not None and runs_named:
        told += f", --tag {arguments.tag!r} is found in no tag of " + ("it" if runs_named == 1 else "them")
    return told


def nothing_read_line(arguments: argparse.Namespace) -> str:
    """For --include and --exclude, after a log without runs; "" when they are not to blame."""
    if not (arguments.include or arguments.exclude):
        return ""
    include, exclude = list(arguments.include), list(arguments.exclude)
    roots = parse_roots(arguments.paths)
    if any(root.is_remote for root in roots):
        return f"No run is left by {_flags(include, exclude)} under: {', '.join(arguments.paths)}"
    paths = [path for root in roots for path in _paths_of_runs(root)]
    if not paths:
        return ""
    left = [path for path in paths if not _is_excluded(path, exclude)]
    told = [f"No run is left of {len(paths):,}"]
    if exclude:
        told.append(f"{_flags([], exclude)} removed {len(paths) - len(left):,}")
    if include:
        unwanted = [path for path in left if not any(fnmatchcase(path, glob) for glob in include)]
        told.append(f"{_flags(include, [])} removed {len(unwanted):,}")
    return f"{told[0]}: {', '.join(told[1:])} (globs on paths below: {', '.join(arguments.paths)})"


def _flags(include: Sequence[str], exclude: Sequence[str]) -> str:
    texts = [f"--include {glob!r}" for glob in include] + [f"--exclude {glob!r}" for glob in exclude]
    return " ".join(texts)


def _is_excluded(path: str, exclude: Sequence[str]) -> bool:
    parts = path.split("/")
    around = ["/".join(parts[: n + 1]) for n in range(len(parts))]
    return path != "." and any(fnmatchcase(one, glob) for one in around for glob in exclude)


def _paths_of_runs(root: Root) -> Iterator[str]:
    """Directories with event files, as include and exclude see them; each real directory once."""
    if root.is_file:
        yield "."
        return
    seen: set[str] = set()
    for directory, below, files in os.walk(root.path, followlinks=True):
        below[:] = [name for name in below if name != WORKSPACE_DIRECTORY]  # its trash holds no runs
        real = os.path.realpath(directory)
        if real in seen:
            below.clear()
            continue
        seen.add(real)
        if any(map(is_event_file_name, files)):
            yield os.path.relpath(directory, root.path).replace(os.sep, "/")
