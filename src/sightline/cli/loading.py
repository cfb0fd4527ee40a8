"""Opening a log for a command: a progress bar while it takes long, and a clear line when nothing is there."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sightline.cli.filters import nothing_read_line
from sightline.cli.quantities import size_text
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
            line = nothing_read_line(arguments) or f"No event files found; {looked_for}: {places}"
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
