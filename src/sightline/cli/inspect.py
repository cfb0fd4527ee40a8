"""``sightline inspect``: what is in a log, and what is wrong with it."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from functools import partial

from sightline.cli.listing import Listing, make_listing
from sightline.cli.loading import (
    final_warnings,
    open_for_command,
    report_nothing_found,
    report_warnings,
    wait_with_progress,
)
from sightline.cli.quantities import count_text
from sightline.cli.totals import Totals
from sightline.log import Log
from sightline.model.errors import BadArgumentError
from sightline.query.inspection import RunSummary, summarize_run
from sightline.query.selection import matcher


def inspect(arguments: argparse.Namespace) -> int:
    if arguments.watch and arguments.json:
        raise BadArgumentError("--watch and --json do not go together: a JSON document has an end")
    # Bad expressions are found before anything is read.
    has_tag = matcher(arguments.tag, argument="--tag")
    has_run = matcher(arguments.run, argument="--run")
    started_s = time.monotonic()
    with open_for_command(arguments, watch=arguments.watch) as log:
        wait_with_progress(log)
        totals = Totals(load_s=time.monotonic() - started_s)
        if not len(log) and not arguments.watch:
            report_nothing_found(arguments)
            return 1

        def summaries() -> Iterator[RunSummary]:
            for name in log.runs:
                if not has_run(name):
                    continue
                summary = summarize_run(log[name], has_tag=has_tag)
                # With --tag, a run without such a tag is not what was asked for.
                if summary.series or arguments.tag is None:
                    totals.add(summary)
                    yield summary

        if arguments.json:
            from sightline.cli.inspect_json import write_document

            write_document(summaries(), totals, warnings=partial(final_warnings, log), out=sys.stdout)
        elif arguments.watch:
            from sightline.cli.watching import watch

            watch(log, has_run=has_run, has_tag=has_tag)
        else:
            listing = make_listing(_series_bound(log))
            for summary in summaries():
                listing.show_run(summary)
            _show_end(listing, totals, runs_of_log=len(log))
            report_warnings(log)
    return 0


def _series_bound(log: Log) -> int:
    """How many lines a listing may get: cheap, and never too low."""
    return sum(len(log[name].tags) for name in log.runs)


def _show_end(listing: Listing, totals: Totals, *, runs_of_log: int) -> None:
    if not totals.runs:
        listing.show_line(f"Nothing matches; the log has {count_text(runs_of_log, 'run')}")
    for line in totals.damage_lines():
        listing.show_line(line)
    if explanation := totals.superseded_line():
        listing.show_line(explanation)
    listing.show_line(totals.summary_line())
