"""``/data/plugin/scalars``: tags, and the points of one or many runs, as TensorBoard's Scalars tab asks for
them."""

from __future__ import annotations

from sightline.dashboards.context import Context
from sightline.dashboards.kind_tags import tag_facts
from sightline.dashboards.tensorboard_points import (
    AS_LIST,
    by_run_pieces,
    check_room,
    count_points,
    runs_with,
    scalar_points,
)
from sightline.model.kinds import Kind
from sightline.wire.routes import ApiError
from sightline.wire.tensorboard import Fields, Pieces, invalid_argument


def tags(context: Context, _: Fields) -> dict[str, dict[str, dict[str, str]]]:
    return tag_facts(context, Kind.scalar)


def scalars(context: Context, fields: Fields) -> Pieces:
    return scalar_points(context, fields)


def scalars_multirun(context: Context, fields: Fields) -> Pieces:
    if fields.method != "POST":
        raise ApiError(405, "This path is there, but not for this method", {"allow": "POST"})
    asked = fields.of_form("tag")
    if len(asked) != 1:
        raise invalid_argument("tag must be specified exactly once")
    runs = runs_with(context, fields.of_form("runs"), asked[0])
    check_room(count_points(context, asked[0], runs))
    return Pieces(by_run_pieces(context, runs, asked[0], form=AS_LIST))
