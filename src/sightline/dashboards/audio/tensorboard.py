"""``/data/plugin/audio``: which sounds there are, and their bytes."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from sightline.dashboards.context import Context
from sightline.dashboards.tensorboard_blobs import (
    SOUNDS,
    Blob,
    blob_list,
    find_blob,
    one_blob,
    tag_facts,
)
from sightline.wire.tensorboard import Fields, Pieces, invalid_argument

_WAV = "audio/wav"
_TYPES = (_WAV, "application/octet-stream")
"""Those that TensorBoard serves sounds as."""


def tags(context: Context, _: Fields) -> dict[str, dict[str, Any]]:
    return tag_facts(context, SOUNDS)


def audio(context: Context, fields: Fields) -> Pieces:
    return blob_list(context, SOUNDS, fields, _entry)


def _entry(one: Blob) -> dict[str, Any]:
    return {
        "wall_time": one.wall_time,
        "label": "",
        "step": one.step,
        "contentType": _WAV,
        "query": urlencode({"blob_key": one.key, "content_type": _WAV}),
    }


def individual_audio(context: Context, fields: Fields) -> Pieces:
    media_type, key = fields.first("content_type"), fields.first("blob_key")
    if key is None or media_type not in _TYPES:
        raise invalid_argument(f"Illegal mime type {media_type!r}" if key else "Missing blob_key")
    return one_blob(find_blob(context, SOUNDS, key), media_type)
