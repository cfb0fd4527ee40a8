"""Opening a log for a command: a progress bar while it takes long, and a clear line when nothing is there."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sightline.cli.quantities import count_text, size_text
from sightline.log import Log
from sightline.model.errors import SightlineError

if TYPE_CHECKING:
    from rich.progress import Progress as ProgressBar

_PATIENCE_S = 0.5
"""A bar that flashes up and goes is noise: show one only when loading takes longer than this."""

_BAR_INTERVAL_S = 0.1


class NothingFoundError(SightlineError):
    """There is nothing to do the command with; no mistake of the user's."""

    exit_code = 1


@contextmanager
def loaded_log(arguments: argparse.Namespace) -> Iterator[Log]:
    """The log that the arguments name, when all of it is read. Raises NothingFoundError."""
    with Log(
        arguments.paths,
        watch=False,
        cache=not arguments.no_cache,
        include=arguments.include,
        exclude=arguments.exclude,
    ) as log:
        _wait_with_progress(log)
        if not len(log):
            places = ", ".join(arguments.paths)
            looked_for = 'looked for files whose name contains "tfevents" under'
            line = _nothing_read_line(arguments) or f"No event files found; {looked_for}: {places}"
            raise NothingFoundError(line)
        yield log


def _wait_with_progress(log: Log) -> None:
    """Wait until everything was read; on a terminal show how far it is."""
    if not sys.stderr.isatty():
        log.wait()
        return
    try:
        log.wait(_PATIENCE_S)
        return
    except TimeoutError:
        pass
    with progress_bar() as bar:
        task = bar.add_task("", total=None)
        while not log.progress.is_done:
            progress = log.progress
            bar.update(
                task,
                total=progress.bytes_total or None,
                completed=progress.bytes_done,
                description=f"Reading {size_text(progress.bytes_total)}, {progress.files_total:,} files",
            )
            try:
                log.wait(_BAR_INTERVAL_S)
            except TimeoutError:
                continue
    log.wait()


@contextmanager
def progress_bar() -> Iterator[ProgressBar]:
    """A bar on standard error that vanishes when done."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    ) as bar:
        yield bar


def final_warnings(log: Log) -> list[str]:
    """All warnings. Closes the log, because saving the cache is the last thing that can go wrong."""
    log.close()
    return log.warnings


def report_warnings(log: Log) -> None:
    sys.stdout.flush()  # in a terminal both streams meet: first the answer, then what was odd about it
    for line in final_warnings(log):
        print(f"sightline: {line}", file=sys.stderr)


# ── what to say when filters leave nothing ───────────────────────────────────────────────────────────────


def nothing_matches_line(arguments: argparse.Namespace, *, runs_of_log: int, runs_named: int) -> str:
    """For --run and --tag. ``runs_named``: how many runs --run leaves."""
    told = f"Nothing matches: the log has {count_text(runs_of_log, 'run')}"
    if arguments.run is not None:
        told += f", --run {arguments.run!r} leaves {runs_named:,}"
    if arguments.tag is not None and runs_named:
        told += f", --tag {arguments.tag!r} is found in no tag of " + ("it" if runs_named == 1 else "them")
    return told


def _nothing_read_line(arguments: argparse.Namespace) -> str:
    """For --include and --exclude, after a log without runs; "" when they were not given."""
    flags = [f"--include {glob!r}" for glob in arguments.include]
    flags += [f"--exclude {glob!r}" for glob in arguments.exclude]
    if not flags:
        return ""
    return f"No run is left by {' '.join(flags)} (globs on paths below: {', '.join(arguments.paths)})"
