"""``/data/plugin/images``: which pictures there are, and their bytes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

from sightline.media.types import picture_type
from sightline.server.context import ServerContext
from sightline.server.tensorboard.answers import Fields, Pieces, invalid_argument, not_found
from sightline.server.tensorboard.blobs import (
    IMAGES,
    Blob,
    asked_sample,
    blobs_of,
    find_blob,
    one_blob,
    tag_facts,
)
from sightline.server.tensorboard.lists import list_pieces


def tags(context: ServerContext, _: Fields) -> dict[str, dict[str, Any]]:
    return tag_facts(context, IMAGES, context.image_tags)


def images(context: ServerContext, fields: Fields) -> Pieces:
    run, tag = fields.first("run"), fields.first("tag")
    found = blobs_of(context, IMAGES, run or "", tag or "", asked_sample(fields))
    if found is None:
        raise not_found(f"No image data for run={run!r}, tag={tag!r}")
    return Pieces(list_pieces(_entries(found)))


def _entries(found: Iterator[Blob]) -> Iterator[dict[str, Any]]:
    for one in found:
        yield {"wall_time": one.wall_time, "step": one.step, "query": urlencode({"blob_key": one.key})}


def individual_image(context: ServerContext, fields: Fields) -> Pieces:
    key = fields.first("blob_key")
    if key is None:
        raise invalid_argument("Invalid run, tag, index, or sample")
    return picture(context, key)


def picture(context: ServerContext, key: str) -> Pieces:
    """Under the type that its first bytes show; what shows none is not called a picture."""
    data = find_blob(context, IMAGES, key)
    return one_blob(data, picture_type(data) or "application/octet-stream")
