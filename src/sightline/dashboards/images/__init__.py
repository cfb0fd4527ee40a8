"""Images: pictures and films as they were logged, and what grids and viewers make of them."""

from __future__ import annotations

from sightline.media.types import PICTURE_TYPES
from sightline.model.kinds import Kind
from sightline.wire.routes import ApiRoute, Dashboard, Late
from sightline.wire.tensorboard import TensorBoardPlugin


def _warm_up() -> None:
    import PIL.Image
    import PIL.WebPImagePlugin

    PIL.Image.preinit()


# All are heavy: they must not take the threads of small answers while they wait for their turn to decode.
IMAGES = Dashboard(
    name="images",
    kinds=(Kind.image,),
    warm_up=_warm_up,
    routes=(
        ApiRoute(
            "GET",
            "images/thumbnail",
            "A picture for a grid: so many pixels to a side at most, never enlarged",
            Late("sightline.dashboards.images.pictures:thumbnail_of"),
            media_types=PICTURE_TYPES,
        ),
        ApiRoute(
            "GET",
            "images/original",
            "A picture or film as it was logged",
            Late("sightline.dashboards.images.pictures:original_of"),
            media_types=(*PICTURE_TYPES, "application/octet-stream"),
        ),
        ApiRoute(
            "GET",
            "images/pixels",
            "Exact values of all pixels of a picture: raw samples, as the facts in the header describe them",
            Late("sightline.dashboards.images.decoded:pixels_of"),
            media_types=("application/octet-stream",),
        ),
        ApiRoute(
            "GET",
            "images/frames",
            "The frames of an animation as pictures of their own, in one answer",
            Late("sightline.dashboards.images.decoded:framed"),
            media_types=("application/octet-stream",),
        ),
        ApiRoute(
            "POST",
            "images/zip",
            "Some pictures as they were logged, in one zip file",
            Late("sightline.dashboards.images.archive:zip_of"),
            media_types=("application/zip",),
            max_body_bytes=8 << 20,
            errors=(409,),
        ),
    ),
    tensorboard=TensorBoardPlugin(
        name="images",
        module="sightline.dashboards.images.tensorboard",
        kinds=(Kind.image,),
        element="tf-image-dashboard",
        routes={"tags": "tags", "images": "images", "individualImage": "individual_image"},
    ),
)
