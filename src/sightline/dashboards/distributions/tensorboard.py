"""``/data/plugin/distributions``: the quantiles of every histogram."""

from __future__ import annotations

from typing import Any

from sightline.dashboards.context import Context
from sightline.dashboards.kind_tags import tag_facts
from sightline.dashboards.tensorboard_histograms import quantiles
from sightline.model.kinds import Kind
from sightline.wire.tensorboard import Fields, Pieces, list_pieces


def tags(context: Context, _: Fields) -> dict[str, Any]:
    return tag_facts(context, Kind.histogram)


def distributions(context: Context, fields: Fields) -> Pieces:
    found = quantiles(context, fields.first("run") or "", fields.first("tag") or "")
    return Pieces(list_pieces(found))
