"""``sightline export``: scalar points of a log as a file that other programs read."""

from __future__ import annotations

import argparse
import io
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, cast

from sightline.cli.loading import loaded_log, nothing_matches_line, progress_bar, report_warnings
from sightline.cli.quantities import count_text
from sightline.log import Log
from sightline.model.errors import BadArgumentError, NoSuchPathError, UserError
from sightline.model.kinds import Kind
from sightline.query.export import FORMATS, Format, new_file, write_points
from sightline.query.selection import matcher


def export(arguments: argparse.Namespace) -> int:
    format = _format_of(arguments)
    target = _target_of(arguments, format)
    # Bad expressions are found before anything is read.
    has_tag, has_run = matcher(arguments.tag, argument="--tag"), matcher(arguments.run, argument="--run")
    with loaded_log(arguments) as log:
        selection = log.scalars(tag=arguments.tag, run=arguments.run, superseded=arguments.superseded)
        log_runs = len(log)
        totals = _Totals(log, has_tag=has_tag, has_run=has_run)
        with (
            _opened_output(target, format) as out,
            _export_progress(totals.points, is_shown=target is not None) as on_progress,
        ):
            points = write_points(selection, out, format=format, on_progress=on_progress)
        report_warnings(log)
    if not totals.scalar_series and not totals.left_out and log_runs:
        line = nothing_matches_line(arguments, runs_of_log=log_runs, runs_named=totals.runs)
        print(f"sightline: {line}", file=sys.stderr)
    print(
        f"Exported {count_text(points, 'point')} of {count_text(totals.scalar_series, 'series', 'series')} "
        f"to {_name_of(target)}{totals.left_out_text()}",
        file=sys.stderr,
    )
    return 0


class _Totals:
    """What is about to be exported, and what is not."""

    def __init__(self, log: Log, *, has_tag: Callable[[str], bool], has_run: Callable[[str], bool]) -> None:
        self.runs = 0
        self.points = 0
        self.scalar_series = 0
        self.left_out: Counter[Kind] = Counter()
        for name in filter(has_run, log.runs):
            self.runs += 1
            for tag_name, info in log[name].tags.items():
                if not has_tag(tag_name):
                    continue
                for kind in info.kinds:
                    if kind is not Kind.scalar:
                        self.left_out[kind] += 1
                        continue
                    self.scalar_series += 1
                    self.points += info.count

    def left_out_text(self) -> str:
        if not self.left_out:
            return ""
        kinds = ", ".join(f"{kind} {count:,}" for kind, count in sorted(self.left_out.items()))
        total = count_text(self.left_out.total(), "series", "series")
        return f"; left out: {total} that are not scalars ({kinds})"


@contextmanager
def _export_progress(points: int, *, is_shown: bool) -> Iterator[Callable[[int], object]]:
    if not (is_shown and sys.stderr.isatty()):
        yield lambda _: None
        return
    with progress_bar() as bar:
        task = bar.add_task("Writing", total=points)
        yield lambda count: bar.advance(task, count)


# ── where it goes ────────────────────────────────────────────────────────────────────────────────────────


def _format_of(arguments: argparse.Namespace) -> Format:
    """What --format says, or the ending of the file's name; the first one where nothing does."""
    if arguments.format is not None:
        return cast("Format", arguments.format)
    ending = Path(arguments.output).suffix.removeprefix(".").lower() or FORMATS[0]
    if ending not in FORMATS:
        raise BadArgumentError(
            f"No format is called {ending!r}: say --format {', '.join(FORMATS[:-1])} or {FORMATS[-1]}, "
            f"or end the name in one of them: {arguments.output}"
        )
    return ending


def _target_of(arguments: argparse.Namespace, format: str) -> Path | None:
    """The file to write; None: standard output. Raises UserError for everything that can be known to be wrong
    before the log is read."""
    if arguments.output == "-":
        if format == "parquet":
            raise BadArgumentError("Parquet is not for a terminal or a pipe: name a file with -o FILE")
        return None
    target = Path(arguments.output)
    if target.is_dir():
        raise BadArgumentError(f"-o names a file, and this is a directory: {target}")
    if not target.parent.is_dir():
        raise NoSuchPathError(str(target.parent), "The directory for the output does not exist")
    return target


@contextmanager
def _opened_output(target: Path | None, format: str) -> Iterator[IO[Any]]:
    """Takes bytes for Parquet, text otherwise. A file appears when all of it is written, or not at all."""
    try:
        if target is not None:
            with new_file(target, is_text=format != "parquet") as out:
                yield out
            return
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(encoding="utf-8", newline="")  # data, whatever the locale of the terminal
        yield sys.stdout
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise UserError(f"Cannot write ({error.strerror or error}): {_name_of(target)}") from error


def _name_of(target: Path | None) -> str:
    return "standard output" if target is None else str(target)
