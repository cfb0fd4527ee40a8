"""Small pictures of encoded ones, made once for all dashboards that show any."""

from __future__ import annotations

from sightline.dashboards.context import Context
from sightline.media.kept_thumbnails import KeptThumbnails


def thumbnails_of(context: Context) -> KeptThumbnails:
    return context.keep(KeptThumbnails, lambda: KeptThumbnails(context.thumbnail_place))
