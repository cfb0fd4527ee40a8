"""``/data/plugin/scalars``: tags, and the points of one or many runs, as TensorBoard's Scalars tab asks for
them."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Any

from starlette.exceptions import HTTPException

from sightline.server.context import ServerContext
from sightline.server.tensorboard.answers import Fields, Pieces, invalid_argument, not_found
from sightline.server.tensorboard.descriptions import safe_html
from sightline.server.tensorboard.points import (
    AS_LIST,
    by_run_pieces,
    check_room,
    count_points,
    point_pieces,
    runs_with,
    series_of,
    slices,
)


def tags(context: ServerContext, _: Fields) -> dict[str, dict[str, dict[str, str]]]:
    found: dict[str, dict[str, dict[str, str]]] = {}
    for one in context.scalar_tags.all():
        found.setdefault(one.run, {})[one.tag] = {
            "displayName": one.display_name,
            "description": safe_html(one.description),
        }
    return found


def scalars(context: ServerContext, fields: Fields) -> Pieces:
    tag, run = fields.first("tag"), fields.first("run")
    if tag is None or run is None:
        raise invalid_argument(f"Both run and tag must be specified: tag={tag!r}, run={run!r}")
    series = series_of(context, run, tag)
    if series is None:
        raise not_found(f"No scalar data for run={run!r}, tag={tag!r}")
    check_room([len(series)])
    if fields.first("format") == "csv":
        return Pieces(_csv(series), "text/csv")
    return Pieces(point_pieces(series, form=AS_LIST))


def scalars_multirun(context: ServerContext, fields: Fields) -> Pieces:
    if fields.method != "POST":
        raise HTTPException(405, headers={"allow": "POST"})
    asked = fields.of_form("tag")
    if len(asked) != 1:
        raise invalid_argument("tag must be specified exactly once")
    runs = runs_with(context, fields.of_form("runs"), asked[0])
    check_room(count_points(context, asked[0], runs))
    return Pieces(by_run_pieces(context, runs, asked[0], form=AS_LIST))


def _csv(series: Any) -> Iterator[bytes]:
    """With Python's words ``nan`` and ``inf``, and the line ends of the csv module, as TensorBoard writes
    it."""
    yield b"Wall time,Step,Value\r\n"
    for rows in slices(series):
        out = io.StringIO()
        columns = (column[rows].tolist() for column in (series.wall_time, series.step, series.value))
        csv.writer(out).writerows(zip(*columns, strict=True))
        yield out.getvalue().encode()
