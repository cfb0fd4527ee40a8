"""What all dashboards of values that are no numbers ask: which steps there are."""

from __future__ import annotations

from sightline.wire.routes import FRAME_MEDIA_TYPE, ApiRoute, Dashboard, Late

MEDIA = Dashboard(
    name="media",
    kinds=(),
    routes=(
        ApiRoute(
            "POST",
            "media/series",
            "Steps and times of every value of some tags in some runs, as one binary frame",
            Late("sightline.dashboards.media.series:series_of"),
            media_types=(FRAME_MEDIA_TYPE,),
            max_body_bytes=8 << 20,
            errors=(409,),
        ),
        ApiRoute(
            "POST",
            "media/steps",
            "All different steps of some tags in some runs together, as one binary frame",
            Late("sightline.dashboards.media.series:steps_of"),
            media_types=(FRAME_MEDIA_TYPE,),
            max_body_bytes=8 << 20,
            errors=(409,),
        ),
    ),
)
