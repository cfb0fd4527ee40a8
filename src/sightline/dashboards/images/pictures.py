"""One picture: small for a grid, or as it was logged."""

from __future__ import annotations

from sightline.dashboards.images.found_pictures import facts_headers, find_picture
from sightline.media.facts import check_may_be_shown, facts_of
from sightline.media.film_posters import has_film_decoder
from sightline.media.thumbnails import VERSION
from sightline.media.types import FILM_TYPES, picture_ending, picture_type
from sightline.model.errors import MediaError
from sightline.wire.file_names import value_file_name
from sightline.wire.media_schemas import PictureParameters, ThumbnailParameters
from sightline.wire.routes import Binary, Context, etag_of


def thumbnail_of(context: Context, request: ThumbnailParameters) -> Binary:
    """Raises MediaError for a picture that cannot be shown. A film is no error where we cannot decode it: the
    facts say that it is one, the body is empty, and the browser makes the picture."""
    found = find_picture(context, request)
    facts = facts_of(found.data)
    if facts.mime_type in FILM_TYPES and not has_film_decoder():
        return Binary(
            b"",
            facts.mime_type,
            # The same for every size; another one than a picture's, for when there is a decoder again.
            etag=etag_of(context, found.identity, request.sample, "film"),
            headers=facts_headers(found, facts, is_original=False),
        )
    made = context.thumbnails.get(found.data, request.size)
    return Binary(
        made.body,
        made.mime_type,
        etag=etag_of(context, found.identity, request.sample, "t", request.size, VERSION),
        headers=facts_headers(found, facts, is_original=made.is_original),
    )


def original_of(context: Context, request: PictureParameters) -> Binary:
    """The bytes as they were logged. What is no picture (SVG and HTML above all), or would take a browser
    gigabytes, is never shown: it can be downloaded."""
    found = find_picture(context, request)
    known_type = picture_type(found.data)
    headers: dict[str, str] = {}
    try:
        facts = facts_of(found.data)
        check_may_be_shown(facts)
        headers = facts_headers(found, facts, is_original=True)
    except MediaError:
        if not request.download:  # whoever downloads something damaged wants to know how
            raise
    name = value_file_name(
        request.tag,
        step=request.step,
        sample=request.sample,
        ending=picture_ending(found.data),
        otherwise="picture",
    )
    return Binary(
        found.data,
        known_type or "application/octet-stream",
        etag=etag_of(context, found.identity, request.sample, "o"),
        file_name=name if request.download else "",
        headers=headers,
    )
