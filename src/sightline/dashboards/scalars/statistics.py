"""Statistics of lines, and their values at one place, as JSON."""

from __future__ import annotations

import math

from sightline.dashboards.context import Context
from sightline.dashboards.scalars.line_requests import check_range, line_request, query_notes
from sightline.dashboards.scalars.schemas import (
    QueryNote,
    Statistics,
    StatisticsAnswer,
    StatisticsOfQuery,
    StatisticsQuery,
    StatisticsRequest,
    ValuesAt,
)
from sightline.query.lines import LineReader
from sightline.query.statistics import StatisticsColumns, ValueColumns, line_statistics
from sightline.wire.numbers import Number, json_number
from sightline.wire.routes import ApiError
from sightline.wire.structs import struct_of

_MAYBE_UNKNOWN = ("start", "end", "change", "percent", "min", "max", "mean", "std", "median", "slope")
"""Columns with NaN where there is no such number."""

MAX_ANSWER_RUNS = 500_000
"""Rows of all tables together: some 100 MB of JSON."""


def statistics_of(context: Context, request: StatisticsRequest) -> StatisticsAnswer:
    """Of all queries. Runs that nobody knows, and runs without the tag, are left out."""
    revision = context.revision
    if sum(len(query.runs) for query in request.queries) > MAX_ANSWER_RUNS:
        raise ApiError(
            413,
            f"The answer would have more than {MAX_ANSWER_RUNS:,} rows: ask for fewer runs or lines at once",
        )
    answers: list[StatisticsOfQuery] = []
    notes: list[QueryNote] = []
    for position, query in enumerate(request.queries):
        answer, said = _answer(context, query, position)
        answers.append(answer)
        notes += said
    return StatisticsAnswer(context.server_id, revision, answers, notes)


def _answer(
    context: Context, query: StatisticsQuery, position: int
) -> tuple[StatisticsOfQuery, list[QueryNote]]:
    where = f"queries[{position}]"
    check_range(query.x_range, where=where)
    asked = line_request(context, query, query.runs, where=where)
    reader = LineReader(asked.runs, asked.source, baseline_run=asked.baseline_run)
    found = line_statistics(reader.lines(), asked.source, x_range=query.x_range, at=query.at)
    answer = StatisticsOfQuery(
        position,
        _statistics(found.statistics, asked.numbers),
        None if found.at is None else _values(found.at, asked.numbers, asked.source.smoothing is not None),
    )
    return answer, list(query_notes(reader.notes(), asked.numbers, query=position))


def _statistics(found: StatisticsColumns, numbers: dict[str, int]) -> Statistics:
    known = {name: _known(getattr(found, name)) for name in _MAYBE_UNKNOWN}
    return struct_of(Statistics, found, run=[numbers[name] for name in found.run], **known)


def _values(found: ValueColumns, numbers: dict[str, int], is_smoothed: bool) -> ValuesAt:
    return struct_of(
        ValuesAt,
        found,
        run=[numbers[name] for name in found.run],
        x=_words(found.x),
        wall_s=_words(found.wall_s),
        relative_s=_words(found.relative_s),
        value=_words(found.value),
        smoothed=_words(found.smoothed) if is_smoothed else None,
    )


def _known(column: list[float]) -> list[Number | None]:
    """None where there is no such number."""
    return [None if math.isnan(number) else json_number(number) for number in column]


def _words(column: list[float]) -> list[Number]:
    return [json_number(number) for number in column]
