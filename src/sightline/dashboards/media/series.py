"""Steps and times of every value of some tags in some runs."""

from __future__ import annotations

from sightline.model.kinds import Kind
from sightline.query.media_items import find_series, sample_count
from sightline.wire.media_schemas import MediaSeriesAnswer, MediaSeriesEntry, MediaSeriesRequest
from sightline.wire.numbers import json_numbers
from sightline.wire.routes import ApiError, Context, check_server_id

MAX_VALUES = 4_000_000
"""Of one answer: about 100 MB of JSON."""


def series_of(context: Context, request: MediaSeriesRequest) -> MediaSeriesAnswer:
    """Numbers that stand for no run are left out, and so are runs without the tag."""
    check_server_id(context, request.server_id)
    revision = context.revision
    entries: list[MediaSeriesEntry] = []
    values = 0
    for number_of_query, query in enumerate(request.queries):
        kind = Kind(query.kind)
        for run in dict.fromkeys(query.runs):
            name = context.run_name(run)
            series = None if name is None else find_series(context.store, name, kind, query.tag)
            if series is None:
                continue
            values += len(series)
            if values > MAX_VALUES:
                raise ApiError(413, f"The answer would have more than {MAX_VALUES:,} values: ask for less")
            entries.append(
                MediaSeriesEntry(
                    query=number_of_query,
                    run=run,
                    step=series.step.tolist(),
                    wall_s=json_numbers(series.wall_time),
                    samples=sample_count(series),
                    superseded_count=series.superseded_count,
                )
            )
    return MediaSeriesAnswer(context.server_id, revision, entries)
