"""One picture: small for a grid, or as it was logged."""

from __future__ import annotations

from sightline.dashboards.images.found_pictures import (
    SANDBOX,
    etag,
    facts_headers,
    file_name,
    find_picture,
)
from sightline.media.facts import check_may_be_shown, facts_of
from sightline.media.thumbnails import VERSION
from sightline.media.types import picture_type
from sightline.model.errors import MediaError
from sightline.wire.media_schemas import PictureParameters, ThumbnailParameters
from sightline.wire.routes import Binary, Context


def thumbnail_of(context: Context, request: ThumbnailParameters) -> Binary:
    """Raises MediaError for a picture that cannot be shown."""
    found = find_picture(context, request)
    headers = facts_headers(found, is_original=False)
    made = context.thumbnails.get(found.data, request.size)
    if made.is_original:
        headers = facts_headers(found, is_original=True)
    return Binary(
        made.body,
        made.mime_type,
        etag=etag(context, found, request.sample, "t", request.size, VERSION),
        headers=headers,
    )


def original_of(context: Context, request: PictureParameters) -> Binary:
    """The bytes as they were logged. What is no picture (SVG and HTML above all), or would take a browser
    gigabytes, is never shown: it can be downloaded."""
    found = find_picture(context, request)
    known_type = picture_type(found.data)
    if request.download and not known_type:
        name = file_name(request, "")
        return Binary(found.data, "application/octet-stream", file_name=name, headers=SANDBOX)
    try:
        facts = facts_of(found.data)
        check_may_be_shown(facts)
        headers = facts_headers(found, is_original=True, facts=facts)
    except MediaError:
        if not request.download:
            raise
        headers = SANDBOX  # damaged: whoever downloads it wants to know how
    return Binary(
        found.data,
        known_type,
        etag=etag(context, found, request.sample, "o"),
        file_name=file_name(request, known_type) if request.download else "",
        headers=headers,
    )
