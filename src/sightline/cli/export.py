"""``sightline export``: scalar points of a log as a file that other programs read."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import cast

from sightline.cli.filters import nothing_matches_line
from sightline.cli.loading import loaded_log, progress_bar, report_warnings
from sightline.cli.output import format_of, name_of, opened_output, target_of
from sightline.cli.quantities import count_text
from sightline.log import Log
from sightline.model.kinds import Kind
from sightline.query.export import FORMATS, Format, write_points
from sightline.query.selection import matcher


def export(arguments: argparse.Namespace) -> int:
    format = cast("Format", format_of(arguments, FORMATS))
    target = target_of(arguments, format)
    # Bad expressions are found before anything is read.
    has_tag, has_run = matcher(arguments.tag, argument="--tag"), matcher(arguments.run, argument="--run")
    with loaded_log(arguments) as log:
        selection = log.scalars(tag=arguments.tag, run=arguments.run, superseded=arguments.superseded)
        log_runs = len(log)
        totals = _Totals(log, has_tag=has_tag, has_run=has_run)
        with (
            opened_output(target, format) as out,
            _export_progress(totals.points, is_shown=target is not None) as on_progress,
        ):
            points = write_points(selection, out, format=format, on_progress=on_progress)
        report_warnings(log)
    if not totals.scalar_series and not totals.left_out and log_runs:
        line = nothing_matches_line(arguments, runs_of_log=log_runs, runs_named=totals.runs)
        print(f"sightline: {line}", file=sys.stderr)
    print(
        f"Exported {count_text(points, 'point')} of {count_text(totals.scalar_series, 'series', 'series')} "
        f"to {name_of(target)}{totals.left_out_text()}",
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
