"""Small pictures of encoded ones, made once for all dashboards that show any."""

from __future__ import annotations

from sightline.dashboards.context import Context
from sightline.media.thumbnail_cache import ThumbnailCache


def thumbnails_of(context: Context) -> ThumbnailCache:
    return context.keep(ThumbnailCache, lambda: ThumbnailCache(context.thumbnail_place))
