"""``sightline inspect``: what is in a log, and what is wrong with it."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial

from sightline.cli.columns import Page, page_on
from sightline.cli.listing import MOST_RUNS_WITH_SERIES, listing_order, show_overview, show_series
from sightline.cli.loading import final_warnings, loaded_log, nothing_matches_line, report_warnings
from sightline.cli.totals import Totals
from sightline.log import Log
from sightline.query.inspection import RunSummary, summarize_run
from sightline.query.selection import matcher


def inspect(arguments: argparse.Namespace) -> int:
    # Bad expressions are found before anything is read.
    has_tag = matcher(arguments.tag, argument="--tag")
    has_run = matcher(arguments.run, argument="--run")
    started_s = time.monotonic()
    with loaded_log(arguments) as log:
        totals = Totals(load_s=time.monotonic() - started_s)

        def summaries() -> Iterator[RunSummary]:
            for name in filter(has_run, log.runs):
                summary = summarize_run(log[name], has_tag=has_tag, has_stories=arguments.json)
                # With --tag, a run without such a tag is not what was asked for.
                if summary.series or arguments.tag is None:
                    yield summary

        if arguments.json:
            from sightline.cli.inspect_json import write_document

            counted = map(totals.counted, summaries())
            write_document(counted, totals, warnings=partial(final_warnings, log), out=sys.stdout)
        else:
            runs = [totals.counted(run) for run in sorted(summaries(), key=listing_order)]
            if runs:
                _show(runs, totals, arguments=arguments, page=page_on(sys.stdout))
            else:
                _report_no_match(arguments, log, has_run=has_run)
            report_warnings(log)
    return 0


def _show(runs: list[RunSummary], totals: Totals, *, arguments: argparse.Namespace, page: Page) -> None:
    is_chosen = arguments.tags or arguments.run is not None or arguments.tag is not None
    is_overview = arguments.runs or (len(runs) > MOST_RUNS_WITH_SERIES and not is_chosen)
    if is_overview:
        show_overview(page, runs)
    else:
        show_series(page, runs)
    page.show_line("")
    for line in totals.damage_lines():
        page.show_line(line)
    if explanation := totals.superseded_line():
        page.show_line(explanation)
    page.show_line(totals.summary_line())
    if is_overview and not arguments.runs:
        page.show_line(
            "One row per run, as there are many. Tags are listed with --tags, --run RE or --tag RE"
        )


def _report_no_match(arguments: argparse.Namespace, log: Log, *, has_run: Callable[[str], bool]) -> None:
    named = sum(map(has_run, log.runs))
    print(nothing_matches_line(arguments, runs_of_log=len(log), runs_named=named))
