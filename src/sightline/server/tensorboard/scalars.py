"""``/data/plugin/scalars``: tags, and the points of one or many runs, as TensorBoard's Scalars tab asks for
them."""

from __future__ import annotations

import csv
import io
from typing import Any

from starlette.exceptions import HTTPException

from sightline.server.context import ServerContext
from sightline.server.tensorboard.answers import Fields, Text, invalid_argument, not_found
from sightline.server.tensorboard.descriptions import safe_html
from sightline.wire.numbers import Number, json_numbers

Points = list[tuple[Number, int, Number]]
"""(wall time, step, value)"""


def tags(context: ServerContext, _: Fields) -> dict[str, dict[str, dict[str, str]]]:
    found: dict[str, dict[str, dict[str, str]]] = {}
    for one in context.scalar_tags.all():
        found.setdefault(one.run, {})[one.tag] = {
            "displayName": one.display_name,
            "description": safe_html(one.description),
        }
    return found


def scalars(context: ServerContext, fields: Fields) -> Points | Text:
    tag, run = fields.first("tag"), fields.first("run")
    if tag is None or run is None:
        raise invalid_argument(f"Both run and tag must be specified: tag={tag!r}, run={run!r}")
    series = series_of(context, run, tag)
    if series is None:
        raise not_found(f"No scalar data for run={run!r}, tag={tag!r}")
    return _csv(series) if fields.first("format") == "csv" else points_of(series)


def scalars_multirun(context: ServerContext, fields: Fields) -> dict[str, Points]:
    if fields.method != "POST":
        raise HTTPException(405, headers={"allow": "POST"})
    asked = fields.of_form("tag")
    if len(asked) != 1:
        raise invalid_argument("tag must be specified exactly once")
    found = {run: series_of(context, run, asked[0]) for run in fields.of_form("runs")}
    return {run: points_of(series) for run, series in found.items() if series is not None}


def series_of(context: ServerContext, run: str, tag: str) -> Any:
    """The visible points of a scalar; None when there is no such run or tag."""
    found = context.store.get(run)
    return None if found is None else found.read_scalars(tag)


def points_of(series: Any) -> Points:
    wall, value = json_numbers(series.wall_time), json_numbers(series.value)
    return list(zip(wall, series.step.tolist(), value, strict=True))


def _csv(series: Any) -> Text:
    """With Python's words ``nan`` and ``inf``, and the line ends of the csv module, as TensorBoard writes
    it."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["Wall time", "Step", "Value"])
    columns = (series.wall_time.tolist(), series.step.tolist(), series.value.tolist())
    writer.writerows(zip(*columns, strict=True))
    return Text(out.getvalue(), "text/csv")
