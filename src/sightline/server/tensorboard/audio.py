"""``/data/plugin/audio``: which sounds there are, and their bytes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

from sightline.server.context import ServerContext
from sightline.server.tensorboard.answers import Fields, Pieces, invalid_argument, not_found
from sightline.server.tensorboard.blobs import (
    SOUNDS,
    Blob,
    asked_sample,
    blobs_of,
    find_blob,
    one_blob,
    tag_facts,
)
from sightline.server.tensorboard.lists import list_pieces

_WAV = "audio/wav"
_TYPES = (_WAV, "application/octet-stream")
"""Those that TensorBoard serves sounds as."""


def tags(context: ServerContext, _: Fields) -> dict[str, dict[str, Any]]:
    return tag_facts(context, SOUNDS, context.audio_tags)


def audio(context: ServerContext, fields: Fields) -> Pieces:
    run, tag = fields.first("run"), fields.first("tag")
    found = blobs_of(context, SOUNDS, run or "", tag or "", asked_sample(fields))
    if found is None:
        raise not_found(f"No audio data for run={run!r}, tag={tag!r}")
    return Pieces(list_pieces(_entries(found)))


def _entries(found: Iterator[Blob]) -> Iterator[dict[str, Any]]:
    for one in found:
        yield {
            "wall_time": one.wall_time,
            "label": "",
            "step": one.step,
            "contentType": _WAV,
            "query": urlencode({"blob_key": one.key, "content_type": _WAV}),
        }


def individual_audio(context: ServerContext, fields: Fields) -> Pieces:
    media_type, key = fields.first("content_type"), fields.first("blob_key")
    if key is None or media_type not in _TYPES:
        raise invalid_argument(f"Illegal mime type {media_type!r}" if key else "Missing blob_key")
    return one_blob(find_blob(context, SOUNDS, key), media_type)
