"""``/data/plugin/custom_scalars``: the layout, and the points of all tags that match an expression."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sightline.dashboards.context import Context
from sightline.dashboards.custom_scalars.expressions import BadExpressionError, Expression
from sightline.dashboards.custom_scalars.layouts import Chart, merged_layout
from sightline.dashboards.tensorboard_points import (
    AS_LIST,
    check_room,
    point_pieces,
    scalar_points,
    series_of,
)
from sightline.model.errors import DataError
from sightline.model.kinds import Kind
from sightline.wire.tensorboard import Fields, Pieces
from sightline.wire.text import wire_json


def layout(context: Context, _: Fields) -> dict[str, Any]:
    """Empty when no run has one. Fields are named as protobuf names them in JSON."""
    merged = merged_layout(context)
    if not merged.runs:
        return {}
    return {
        "version": merged.version,
        "category": [
            {"title": one.title, "chart": [_chart(chart) for chart in one.charts], "closed": one.is_closed}
            for one in merged.categories
        ],
    }


def _chart(chart: Chart) -> dict[str, Any]:
    told: dict[str, Any] = {"title": chart.title}
    if chart.multiline is not None:
        told["multiline"] = {"tag": list(chart.multiline.tag)}
    if chart.margin is not None:
        series = [{"value": one.value, "lower": one.lower, "upper": one.upper} for one in chart.margin.series]
        told["margin"] = {"series": series}
    return told


def scalars(context: Context, fields: Fields) -> Any:
    """An expression that is none is no error, as in TensorBoard."""
    try:
        expression = Expression(fields.first("tag") or "")
    except BadExpressionError:
        return {"regex_valid": False, "tag_to_events": {}}
    name = fields.first("run") or ""
    run = context.store.get(name)
    tags = [] if run is None else list(expression.matching(run.tags_of(Kind.scalar)))
    check_room(0 if (series := series_of(context, name, tag)) is None else len(series) for tag in tags)
    return Pieces(_pieces(context, name, tags))


def _pieces(context: Context, run: str, tags: Sequence[str]) -> Iterator[bytes]:
    mark = b'{"regex_valid":true,"tag_to_events":{'
    for tag in tags:
        series = series_of(context, run, tag)
        if series is None:
            raise DataError(f"The run vanished while its points were sent: {run}")
        yield mark + wire_json(tag) + b":"
        yield from point_pieces(series, form=AS_LIST)
        mark = b","
    yield b"}}" if tags else mark + b"}}"


def download_data(context: Context, fields: Fields) -> Pieces:
    return scalar_points(context, fields)
