"""The last values of a tag in a run."""

from __future__ import annotations

from sightline.dashboards.skeleton.schemas import SkeletonAnswer, SkeletonRequest
from sightline.model.errors import DataError, UnknownNameError
from sightline.model.kinds import Kind
from sightline.query.media_items import FoundItem, find_series
from sightline.wire.routes import Context, check_server_id, known_run

MAX_VALUES = 1_000
"""Of one answer. Each of them is read from its file."""


def values_of(context: Context, request: SkeletonRequest) -> SkeletonAnswer:
    check_server_id(context, request.server_id)
    run = known_run(context, request.run)
    series = find_series(context.store, run, Kind.tensor, request.tag)
    if series is None:
        raise UnknownNameError("tag", request.tag)
    positions = range(max(0, len(series) - MAX_VALUES), len(series))
    return SkeletonAnswer(
        steps=[int(series.step[position]) for position in positions],
        texts=[_text_of(FoundItem(series, position)) for position in positions],
    )


def _text_of(found: FoundItem) -> str:
    try:
        array = found.read().array
    except DataError as error:  # one damaged value takes nothing else with it
        return str(error)
    return f"{array.dtype} {' × '.join(map(str, array.shape))}".rstrip()
