"""Histograms: every value of some tags, as buckets. No page shows them yet."""

from __future__ import annotations

from sightline.model.kinds import Kind
from sightline.wire.routes import FRAME_MEDIA_TYPE, ApiRoute, Dashboard, Late

HISTOGRAMS = Dashboard(
    name="histograms",
    kinds=(Kind.histogram,),
    routes=(
        ApiRoute(
            "POST",
            "histograms",
            "Buckets of every histogram of some tags in some runs, as one binary frame",
            Late("sightline.dashboards.histograms.series:series_of"),
            media_types=(FRAME_MEDIA_TYPE,),
            max_body_bytes=8 << 20,
            errors=(409,),
        ),
    ),
)
