"""One picture: small for a grid, or as it was logged."""

from __future__ import annotations

from sightline.dashboards.context import Context
from sightline.dashboards.images.picture_values import FoundPicture, facts_headers, find_value, picture_in
from sightline.dashboards.images.schemas import PictureParameters, ThumbnailParameters
from sightline.dashboards.thumbnails import thumbnails_of
from sightline.media.film_posters import has_film_decoder
from sightline.media.pictures import check_may_be_shown
from sightline.media.types import FILM_TYPES, picture_ending, picture_type
from sightline.model.errors import MediaError
from sightline.wire.file_names import value_file_name
from sightline.wire.routes import Binary, Promised, etag_of


def thumbnail_of(context: Context, request: ThumbnailParameters) -> Promised:
    """Raises MediaError for a picture that cannot be shown. A film is no error where we cannot decode it: the
    facts say that it is one, the body is empty, and the browser makes the picture."""
    value = find_value(context, request)
    etag = etag_of(context, value.identity, request.sample, "t", request.size)

    def make() -> Binary:
        found = picture_in(value, request.sample)
        facts = thumbnails_of(context).facts(found.data, found.name)
        is_film = facts.mime_type in FILM_TYPES
        if is_film and not has_film_decoder():
            return Binary(b"", facts.mime_type, headers=facts_headers(found, facts, is_original=False))
        made = thumbnails_of(context).get(found.data, request.size, name=found.name)
        # A thumbnail tells nothing of the frames behind the first.
        is_grey = made.is_grey if facts.frames == 1 and not is_film else None
        headers = facts_headers(found, facts, is_original=made.is_original, is_grey=is_grey)
        return Binary(made.body, made.mime_type, headers=headers)

    return Promised(etag, make)


def original_of(context: Context, request: PictureParameters) -> Promised:
    """The bytes as they were logged. What is no picture (SVG and HTML above all), or would take a browser
    gigabytes, is never shown: it can be downloaded."""
    value = find_value(context, request)
    etag = etag_of(context, value.identity, request.sample, "d" if request.download else "o")

    def make() -> Binary:
        found = picture_in(value, request.sample)
        media_type = ""
        headers: dict[str, str] = {}
        try:
            facts = thumbnails_of(context).facts(found.data, found.name)
            check_may_be_shown(facts)
            headers = facts_headers(found, facts, is_original=True)
            media_type = facts.mime_type
        except MediaError:
            if not request.download:  # whoever downloads something damaged wants to know how
                raise
            media_type = picture_type(found.data)
        return Binary(
            found.data,
            media_type or "application/octet-stream",
            file_name=_file_name(request, found) if request.download else "",
            headers=headers,
        )

    return Promised(etag, make)


def _file_name(request: PictureParameters, found: FoundPicture) -> str:
    return value_file_name(
        request.tag,
        step=request.step,
        sample=request.sample,
        ending=picture_ending(found.data),
        otherwise="picture",
    )
