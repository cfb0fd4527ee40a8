"""Images: pictures and films as they were logged, and what grids and viewers make of them."""

from __future__ import annotations

from sightline.media.types import PICTURE_TYPES
from sightline.model.kinds import Kind
from sightline.wire.media_schemas import (
    PictureParameters,
    PictureZipRequest,
    PixelsParameters,
    ThumbnailParameters,
)
from sightline.wire.routes import ApiRoute, Context, Dashboard, Download, Promised

# The modules behind these bring NumPy and Pillow: see the server's warm_up.


def _thumbnail(context: Context, request: ThumbnailParameters) -> Promised:
    from sightline.dashboards.images.pictures import thumbnail_of

    return thumbnail_of(context, request)


def _original(context: Context, request: PictureParameters) -> Promised:
    from sightline.dashboards.images.pictures import original_of

    return original_of(context, request)


def _pixels(context: Context, request: PixelsParameters) -> Promised:
    from sightline.dashboards.images.decoded import pixels_of

    return pixels_of(context, request)


def _frames(context: Context, request: PixelsParameters) -> Promised:
    from sightline.dashboards.images.decoded import framed

    return framed(context, request)


def _zip(context: Context, request: PictureZipRequest) -> Download:
    from sightline.dashboards.images.archive import zip_of

    return zip_of(context, request)


def _warm_up() -> None:
    import PIL.Image
    import PIL.WebPImagePlugin

    import sightline.dashboards.images.archive
    import sightline.dashboards.images.decoded
    import sightline.dashboards.images.pictures  # noqa: F401

    PIL.Image.preinit()


# All are heavy: they must not take the threads of small answers while they wait for their turn to decode.
IMAGES = Dashboard(
    name="images",
    kinds=(Kind.image.value,),
    warm_up=_warm_up,
    routes=(
        ApiRoute(
            "GET",
            "images/thumbnail",
            "A picture for a grid: so many pixels to a side at most, never enlarged",
            _thumbnail,
            request=ThumbnailParameters,
            media_types=PICTURE_TYPES,
            is_heavy=True,
            errors=(404, 409),
        ),
        ApiRoute(
            "GET",
            "images/original",
            "A picture or film as it was logged",
            _original,
            request=PictureParameters,
            media_types=(*PICTURE_TYPES, "application/octet-stream"),
            is_heavy=True,
            errors=(404, 409),
        ),
        ApiRoute(
            "GET",
            "images/pixels",
            "Exact values of all pixels of a picture: raw samples, as the facts in the header describe them",
            _pixels,
            request=PixelsParameters,
            media_types=("application/octet-stream",),
            is_heavy=True,
            errors=(404, 409),
        ),
        ApiRoute(
            "GET",
            "images/frames",
            "The frames of an animation as pictures of their own, in one answer",
            _frames,
            request=PixelsParameters,
            media_types=("application/octet-stream",),
            is_heavy=True,
            errors=(404, 409),
        ),
        ApiRoute(
            "POST",
            "images/zip",
            "Some pictures as they were logged, in one zip file",
            _zip,
            request=PictureZipRequest,
            media_types=("application/zip",),
            max_body_bytes=8 << 20,
            is_heavy=True,
            errors=(409,),
        ),
    ),
)
