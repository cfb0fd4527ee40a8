"""What all dashboards of values that are no numbers ask: which steps there are."""

from __future__ import annotations

from sightline.dashboards.media.schemas import MediaSeriesAnswer, MediaSeriesRequest, MediaStepsAnswer
from sightline.wire.routes import ApiRoute, Dashboard, Late

MEDIA = Dashboard(
    name="media",
    kinds=(),
    routes=(
        ApiRoute(
            "POST",
            "media/series",
            "Steps and times of every value of some tags in some runs",
            Late("sightline.dashboards.media.series:series_of"),
            request=MediaSeriesRequest,
            answer=MediaSeriesAnswer,
            max_body_bytes=8 << 20,
            errors=(409,),
        ),
        ApiRoute(
            "POST",
            "media/steps",
            "All different steps of some tags in some runs together",
            Late("sightline.dashboards.media.series:steps_of"),
            request=MediaSeriesRequest,
            answer=MediaStepsAnswer,
            max_body_bytes=8 << 20,
            errors=(409,),
        ),
    ),
)
