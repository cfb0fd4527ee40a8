"""Some values of a tag in a run, up to the one that a request names."""

from __future__ import annotations

from sightline.dashboards.context import Context
from sightline.dashboards.named_values import named_value
from sightline.dashboards.skeleton.schemas import SkeletonAnswer, SkeletonParameters
from sightline.model.errors import DataError
from sightline.model.kinds import Kind
from sightline.query.media_items import FoundItem


def values_of(context: Context, request: SkeletonParameters) -> SkeletonAnswer:
    last = named_value(context, request, Kind.tensor)
    series, end = last.series, last.position + 1
    positions = range(max(0, end - request.count), end)
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
