"""``sightline table``: one number per run and tag, as a table for a document."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from typing import cast

from sightline.cli.filters import nothing_matches_line
from sightline.cli.loading import NothingFoundError, loaded_log, report_warnings
from sightline.cli.output import format_of, opened_output, target_of
from sightline.cli.quantities import count_text
from sightline.log import Log
from sightline.log.facts import said_about_runs
from sightline.model.errors import BadArgumentError, UserError
from sightline.query.grouping import GroupBy
from sightline.query.selection import matcher
from sightline.query.tag_table import natural_order
from sightline.query.text_tables import TABLE_FORMATS, TableFormat, text_table
from sightline.query.value_tables import exact_cells, exact_group_columns, group_cells, run_cells, run_values

MAX_TAGS = 200
"""More columns are no table for a document: most likely --tag was forgotten."""


def table(arguments: argparse.Namespace) -> int:
    format = cast("TableFormat", format_of(arguments, TABLE_FORMATS))
    if not 1 <= arguments.digits <= 17:
        raise BadArgumentError(f"--digits is 1 to 17, not {arguments.digits}")
    by = None if arguments.group_by is None else GroupBy.parse(arguments.group_by, argument="--group-by")
    has_tag, has_run = matcher(arguments.tag, argument="--tag"), matcher(arguments.run, argument="--run")
    target = target_of(arguments, format)
    with loaded_log(arguments) as log:
        runs = list(filter(has_run, log.runs))
        tags = scalar_tags_of(log, runs, has_tag)
        if not tags:
            line = nothing_matches_line(arguments, runs_of_log=len(log), runs_named=len(runs))
            raise NothingFoundError(line)
        if len(tags) > MAX_TAGS:
            raise BadArgumentError(f"{len(tags):,} tags are too many for a table: choose some with --tag")
        header, rows = _cells(log, arguments, by, runs, tags, is_for_programs=format == "csv")
        text = text_table(header, rows, format=format)
        report_warnings(log)
    with opened_output(target, format) as out:
        out.write(text)
    return 0


def _cells(
    log: Log,
    arguments: argparse.Namespace,
    by: GroupBy | None,
    runs: list[str],
    tags: list[str],
    *,
    is_for_programs: bool,
) -> tuple[list[str], list[list[str]]]:
    """(header, rows); rows without any number are left out. Programs get every digit, mean and deviation in
    columns of their own, and the runs' own names; people what they called the runs."""
    values = [run_values(log.store, runs, tag, arguments.statistic) for tag in tags]
    header = tags
    if by is None:
        first = "run"
        said = {} if is_for_programs else said_about_runs(log.roots)
        names = [(said[run].display_name if run in said else None) or run for run in runs]
        if is_for_programs:
            columns = [exact_cells(runs, one) for one in values]
        else:
            columns = [run_cells(runs, one, digits=arguments.digits) for one in values]
        counted = columns
    else:
        groups = log.groups(arguments.group_by, run=arguments.run)
        if not groups:
            raise UserError(no_group_text(arguments.group_by, len(runs)))
        first = "group"
        if is_for_programs:
            names = [group.key for group in groups]
            header = [f"{tag} {what}" for tag in tags for what in ("mean", "std", "n")]
            columns = [column for one in values for column in exact_group_columns(groups, one)]
            counted = columns[::3]
        else:
            names = [f"{group.key} ({len(group.runs)})" for group in groups]
            columns = counted = [group_cells(groups, one, digits=arguments.digits) for one in values]
    has_any = [any(cells) for cells in zip(*counted, strict=True)]
    rows = [[name, *cells] for name, *cells in zip(names, *columns, strict=True)]
    return [first, *header], [row for row, is_kept in zip(rows, has_any, strict=True) if is_kept]


def scalar_tags_of(log: Log, runs: Iterable[str], has_tag: Callable[[str], bool]) -> list[str]:
    """Those of some runs that are wanted, each once, in natural order."""
    return sorted({tag for name in runs for tag in log[name].scalars if has_tag(tag)}, key=natural_order)


def no_group_text(by: str, run_count: int) -> str:
    return f"--group-by {by} puts none of {count_text(run_count, 'run')} into a group"
