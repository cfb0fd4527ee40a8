"""``/data/plugin/scalars``: tags, and the points of one or many runs, as TensorBoard's Scalars tab asks for
them."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from sightline.dashboards.context import Context
from sightline.dashboards.kind_tags import tag_facts
from sightline.dashboards.tensorboard_points import (
    AS_LIST,
    by_run_pieces,
    check_room,
    count_points,
    point_pieces,
    runs_with,
    series_of,
    slices,
)
from sightline.model.kinds import Kind
from sightline.query.stored_types import ScalarSeries
from sightline.wire.routes import ApiError
from sightline.wire.tensorboard import Fields, Pieces, invalid_argument, not_found


def tags(context: Context, _: Fields) -> dict[str, dict[str, dict[str, str]]]:
    return tag_facts(context, Kind.scalar)


def scalars(context: Context, fields: Fields) -> Pieces:
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


def scalars_multirun(context: Context, fields: Fields) -> Pieces:
    if fields.method != "POST":
        raise ApiError(405, "This path is there, but not for this method", {"allow": "POST"})
    asked = fields.of_form("tag")
    if len(asked) != 1:
        raise invalid_argument("tag must be specified exactly once")
    runs = runs_with(context, fields.of_form("runs"), asked[0])
    check_room(count_points(context, asked[0], runs))
    return Pieces(by_run_pieces(context, runs, asked[0], form=AS_LIST))


def _csv(series: ScalarSeries) -> Iterator[bytes]:
    """With Python's words ``nan`` and ``inf``, and the line ends of the csv module, as TensorBoard writes
    it."""
    yield b"Wall time,Step,Value\r\n"
    for rows in slices(series):
        out = io.StringIO()
        columns = (column[rows].tolist() for column in (series.wall_time, series.step, series.value))
        csv.writer(out).writerows(zip(*columns, strict=True))
        yield out.getvalue().encode()
