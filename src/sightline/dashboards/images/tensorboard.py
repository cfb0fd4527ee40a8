"""``/data/plugin/images``: which pictures there are, and their bytes."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from sightline.dashboards.context import Context
from sightline.dashboards.tensorboard_blobs import IMAGES, Blob, blob_list, picture, tag_facts
from sightline.wire.tensorboard import Fields, Pieces, invalid_argument


def tags(context: Context, _: Fields) -> dict[str, dict[str, Any]]:
    return tag_facts(context, IMAGES)


def images(context: Context, fields: Fields) -> Pieces:
    return blob_list(context, IMAGES, fields, _entry)


def _entry(one: Blob) -> dict[str, Any]:
    return {"wall_time": one.wall_time, "step": one.step, "query": urlencode({"blob_key": one.key})}


def individual_image(context: Context, fields: Fields) -> Pieces:
    key = fields.first("blob_key")
    if key is None:
        raise invalid_argument("Invalid run, tag, index, or sample")
    return picture(context, key)
