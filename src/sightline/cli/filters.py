"""What to say when filters leave nothing."""

from __future__ import annotations

import argparse

from sightline.cli.quantities import count_text


def nothing_matches_line(arguments: argparse.Namespace, *, runs_of_log: int, runs_named: int) -> str:
    """For --run and --tag. ``runs_named``: how many runs --run leaves."""
    told = f"Nothing matches: the log has {count_text(runs_of_log, 'run')}"
    if arguments.run is not None:
        told += f", --run {arguments.run!r} leaves {runs_named:,}"
    if arguments.tag is not None and runs_named:
        told += f", --tag {arguments.tag!r} is found in no tag of " + ("it" if runs_named == 1 else "them")
    return told


def nothing_read_line(arguments: argparse.Namespace) -> str:
    """For --include and --exclude, after a log without runs; "" when they were not given."""
    flags = [f"--include {glob!r}" for glob in arguments.include]
    flags += [f"--exclude {glob!r}" for glob in arguments.exclude]
    if not flags:
        return ""
    return f"No run is left by {' '.join(flags)} (globs on paths below: {', '.join(arguments.paths)})"
