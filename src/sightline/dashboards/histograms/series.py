"""Every histogram of some tags in some runs."""

from __future__ import annotations

from sightline.dashboards.decoded_parts import decoded_parts
from sightline.query.histograms import histograms_of
from sightline.wire.routes import FRAME_MEDIA_TYPE, Binary, Context
from sightline.wire.value_frame_schemas import TagRequest
from sightline.wire.value_frames import encode_histogram_frame


def series_of(context: Context, request: TagRequest) -> Binary:
    revision = context.revision
    parts = decoded_parts(context, request, histograms_of)
    body = encode_histogram_frame(parts, server_id=context.server_id, revision=revision)
    return Binary(body, FRAME_MEDIA_TYPE)
