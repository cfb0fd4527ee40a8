"""What charts show of groups of runs: a line and a band for each, as a frame."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from sightline.dashboards.scalars.asked_lines import asked_lines, check_range, query_notes
from sightline.model.errors import BadArgumentError
from sightline.query.aggregates import AggregateSpec, GroupReader
from sightline.wire import frame
from sightline.wire.routes import FRAME_MEDIA_TYPE, ApiError, Binary, Context
from sightline.wire.scalar_schemas import MAX_RUNS_PER_QUERY, GroupQuery, GroupRequest, QueryNote

MAX_ANSWER_PLACES = 8_000_000
"""Of all groups together: about 300 MB of columns, which no page can draw."""


def groups_of(context: Context, request: GroupRequest) -> Binary:
    """All groups of all queries. Runs that nobody knows, and groups without any value, are left out."""
    revision = context.revision
    parts: list[frame.GroupPart] = []
    notes: list[QueryNote] = []
    room = _Room(MAX_ANSWER_PLACES)
    answered: dict[object, _Answer] = {}
    for position, query in enumerate(request.queries):
        key = msgspec.json.encode(query)
        found = answered.get(key)
        if found is None:
            found = answered[key] = _answer(context, query, where=f"queries[{position}]", room=room)
        else:
            for part in found.parts:
                room.take(part.line)  # it is sent again, though not made again
        parts += [part._replace(query=position) for part in found.parts]
        notes += [msgspec.structs.replace(note, query=position) for note in found.notes]
    body = frame.encode_group_frame(parts, server_id=context.server_id, revision=revision, notes=notes)
    return Binary(body, FRAME_MEDIA_TYPE)


class _Answer(NamedTuple):
    """To one query, whichever it is."""

    parts: list[frame.GroupPart]
    notes: list[QueryNote]


class _Room:
    """How much more an answer may hold."""

    def __init__(self, places: int) -> None:
        self.places = places

    def take(self, line: frame.GroupLine) -> None:
        """Raises ApiError 413 when it is too much."""
        self.places -= len(line.x)
        if self.places < 0:
            raise ApiError(
                413,
                f"The answer would have more than {MAX_ANSWER_PLACES:,} places: "
                "ask for fewer groups, tags or buckets at once",
            )


def _answer(context: Context, query: GroupQuery, *, where: str, room: _Room) -> _Answer:
    check_range(query.x_range, where=where)
    count = sum(map(len, query.groups))
    if count > MAX_RUNS_PER_QUERY:
        raise ApiError(
            422,
            f"The groups of a query have at most {MAX_RUNS_PER_QUERY:,} runs together, "
            f"not {count:,} - at `$.{where}.groups`",
        )
    numbers = dict.fromkeys(number for group in query.groups for number in group)
    asked = asked_lines(context, query, numbers, where=where)
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
    parts = []
    for position, line in enumerate(reader.lines()):
        room.take(line)
        if len(line.x):
            parts.append(frame.GroupPart(0, position, line))
    return _Answer(parts, list(query_notes(reader.notes(), asked.numbers, query=0)))
