"""Every precision-recall curve of some tags in some runs."""

from __future__ import annotations

from sightline.dashboards.decoded_parts import decoded_parts
from sightline.query.pr_curves import pr_curves_of
from sightline.wire.routes import FRAME_MEDIA_TYPE, Binary, Context
from sightline.wire.value_frame_schemas import TagRequest
from sightline.wire.value_frames import encode_pr_curve_frame


def series_of(context: Context, request: TagRequest) -> Binary:
    revision = context.revision
    parts = decoded_parts(context, request, pr_curves_of)
    body = encode_pr_curve_frame(parts, server_id=context.server_id, revision=revision)
    return Binary(body, FRAME_MEDIA_TYPE)
