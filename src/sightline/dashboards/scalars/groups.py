"""What charts show of groups of runs: a line and a band for each, as a frames."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from sightline.dashboards.context import Context
from sightline.dashboards.scalars import frames
from sightline.dashboards.scalars.line_requests import (
    Room,
    answers_to,
    check_range,
    line_request,
    query_notes,
)
from sightline.dashboards.scalars.schemas import GroupQuery, GroupRequest, QueryNote
from sightline.model.errors import BadArgumentError
from sightline.query.aggregates import AggregateSpec, GroupAggregate, GroupReader
from sightline.query.line_notes import LineNote
from sightline.wire.routes import FRAME_MEDIA_TYPE, ApiError, Binary
from sightline.wire.value_schemas import MAX_RUNS_PER_QUERY

MAX_ANSWER_PLACES = 8_000_000
"""Of all groups together: about 300 MB of columns, which no page can draw."""


def groups_of(context: Context, request: GroupRequest) -> Binary:
    """All groups of all queries. Runs that nobody knows, and groups without any value, are left out."""
    revision = context.revision
    parts: list[frames.GroupPart] = []
    notes: list[QueryNote] = []
    room = Room(MAX_ANSWER_PLACES, unit="places", fewer="groups, tags or buckets")
    for position, found in enumerate(answers_to(request.queries, partial(_answer, context, room))):
        room.take(sum(len(line.x) for line in found.lines))  # what is sent twice counts twice
        parts += [
            frames.GroupPart(position, group, line) for group, line in enumerate(found.lines) if len(line.x)
        ]
        notes += query_notes(found.notes, found.numbers, query=position)
    body = frames.encode_group_frame(parts, server_id=context.server_id, revision=revision, notes=notes)
    return Binary(body, FRAME_MEDIA_TYPE)


class _Answer(NamedTuple):
    """To one query, whichever it is."""

    lines: list[GroupAggregate]
    """One for each group."""
    notes: list[LineNote]
    numbers: dict[str, int]


def _answer(context: Context, room: Room, query: GroupQuery, where: str) -> _Answer:
    check_range(query.x_range, where=where)
    count = sum(map(len, query.groups))
    if count > MAX_RUNS_PER_QUERY:
        raise ApiError(
            422,
            f"The groups of a query have at most {MAX_RUNS_PER_QUERY:,} runs together, "
            f"not {count:,} - at `$.{where}.groups`",
        )
    numbers = dict.fromkeys(number for group in query.groups for number in group)
    asked = line_request(context, query, numbers, where=where)
    by_number = {asked.numbers[run.name]: run for run in asked.runs}
    groups = [[by_number[number] for number in group if number in by_number] for group in query.groups]
    spec = AggregateSpec(
        center=query.center,
        band=query.band,
        x_range=query.x_range,
        is_log_x=query.is_log_x,
        buckets=query.buckets,
        has_neighbours=True,
    )
    try:
        reader = GroupReader(groups, asked.source, spec, baseline_run=asked.baseline_run)
    except BadArgumentError as error:
        raise ApiError(413, str(error)) from None
    lines: list[GroupAggregate] = []
    places = 0
    for line in reader.lines():
        lines.append(line)
        places += len(line.x)
        room.check(places)
    return _Answer(lines, reader.notes(), asked.numbers)
