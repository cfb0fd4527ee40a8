"""``/data/plugin/histograms``: the buckets of every value."""

from __future__ import annotations

from typing import Any

from sightline.dashboards.context import Context
from sightline.dashboards.kind_tags import tag_facts
from sightline.dashboards.tensorboard_histograms import VALUES_PER_PIECE, tables
from sightline.model.kinds import Kind
from sightline.wire.tensorboard import Fields, Pieces, list_pieces


def tags(context: Context, _: Fields) -> dict[str, Any]:
    return tag_facts(context, Kind.histogram)


def histograms(context: Context, fields: Fields) -> Pieces:
    found = tables(context, fields.first("run") or "", fields.first("tag") or "")
    entries = ([wall_time, step, table.tolist()] for wall_time, step, table in found)
    return Pieces(list_pieces(entries, per_piece=VALUES_PER_PIECE))
