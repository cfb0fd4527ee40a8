"""Searching the texts of some tags in some runs."""

from __future__ import annotations

from typing import Any

from sightline.dashboards.context import Context
from sightline.dashboards.text.schemas import TextHit, TextSearchAnswer, TextSearchRequest
from sightline.model.kinds import Kind
from sightline.query.media_items import find_series
from sightline.query.stored_types import MediaSeries
from sightline.query.text_search import search_texts
from sightline.wire.numbers import json_number
from sightline.wire.routes import ApiError, check_server_id, known_runs
from sightline.wire.structs import struct_of

MAX_SERIES = 200_000
"""Tags times runs of one search."""


def search_of(context: Context, request: TextSearchRequest) -> TextSearchAnswer:
    """Numbers that stand for no run are left out, and so are runs without the tag."""
    check_server_id(context, request.server_id)
    if sum(len(query.runs) for query in request.queries) > MAX_SERIES:
        raise ApiError(413, f"A search covers at most {MAX_SERIES:,} tags times runs: ask for less")
    series: list[MediaSeries[Any]] = []
    places: list[tuple[int, int]] = []
    for number_of_query, query in enumerate(request.queries):
        for name, run in known_runs(context, query.runs).items():
            found = find_series(context.store, name, Kind.text, query.tag)
            if found is not None:
                series.append(found)
                places.append((number_of_query, run))
    result = search_texts(
        series,
        request.text,
        is_case_sensitive=request.is_case_sensitive,
        skip=request.skip,
    )
    hits = []
    for hit in result.found:
        one = series[hit.series]
        number_of_query, run = places[hit.series]
        hits.append(
            struct_of(
                TextHit,
                hit,
                query=number_of_query,
                run=run,
                step=int(one.step[hit.index]),
                wall_s=json_number(float(one.wall_time[hit.index])),
            )
        )
    return struct_of(TextSearchAnswer, result, hits=hits, is_complete=result.searched >= result.total)
