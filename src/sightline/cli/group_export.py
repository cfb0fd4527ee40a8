"""``sightline export --group-by``: lines of groups of runs as a file that other programs read."""

from __future__ import annotations

import argparse
import sys
from typing import cast

from sightline.cli.export import group_flags_of
from sightline.cli.filters import nothing_matches_line
from sightline.cli.loading import NothingFoundError, loaded_log, report_warnings
from sightline.cli.output import format_of, name_of, opened_output, target_of
from sightline.cli.quantities import count_text
from sightline.model.errors import BadArgumentError, UserError
from sightline.query.aggregates import AggregateSpec
from sightline.query.export import FORMATS, Format
from sightline.query.group_lines import group_lines, most_places, write_lines, x_axis
from sightline.query.grouping import GroupBy
from sightline.query.lines import LineSource
from sightline.query.selection import matcher
from sightline.query.tag_table import natural_order


def export_groups(arguments: argparse.Namespace) -> int:
    if arguments.group_by is None:
        raise BadArgumentError(f"--{group_flags_of(arguments)[0]} is for groups of runs: say --group-by, too")
    if arguments.formula is not None and arguments.tag is not None:
        raise BadArgumentError("Say either --tag or --formula")
    if arguments.superseded:
        raise BadArgumentError("--superseded is not for groups: they know only the points that count")
    format = cast("Format", format_of(arguments, FORMATS))
    target = target_of(arguments, format)
    GroupBy.parse(arguments.group_by, argument="--group-by")
    axis, x_tag = x_axis(arguments.x or "step", argument="--x")
    spec = AggregateSpec(
        center=arguments.center or "mean",
        band=arguments.band or "std",
        buckets=most_places(arguments.points, axis, argument="--points"),
    )
    has_tag, has_run = matcher(arguments.tag, argument="--tag"), matcher(arguments.run, argument="--run")
    with loaded_log(arguments) as log:
        runs = list(filter(has_run, log.runs))
        groups = log.groups(arguments.group_by, run=arguments.run)
        if not groups:
            raise UserError(
                f"--group-by {arguments.group_by} puts none of {count_text(len(runs), 'run')} into a group"
            )
        if arguments.formula is None:
            found = {tag for group in groups for run in group.runs for tag in log[run].scalars}
            tags = sorted(filter(has_tag, found), key=natural_order)
            if not tags:
                line = nothing_matches_line(arguments, runs_of_log=len(log), runs_named=len(runs))
                raise NothingFoundError(line)
            sources = [LineSource(tag=tag, x=axis, x_tag=x_tag) for tag in tags]
        else:
            sources = [LineSource(formula=arguments.formula, x=axis, x_tag=x_tag)]
        lines = group_lines(log.store, groups, sources, spec)
        for note in lines.notes:
            print(f"sightline: {note}", file=sys.stderr)
        count = 0
        if lines:  # no file that has only a head
            with opened_output(target, format) as out:
                count = write_lines(lines, out, format=format)
        report_warnings(log)
    told = f"{count_text(count, 'row')} of {count_text(len(lines), 'line')}"
    print(f"Exported {told} of {count_text(len(groups), 'group')} to {name_of(target)}", file=sys.stderr)
    return 0 if lines else 1
