"""What all dashboards of values that are no numbers ask: which steps there are."""

from __future__ import annotations

from sightline.wire.media_schemas import MediaSeriesRequest
from sightline.wire.routes import FRAME_MEDIA_TYPE, ApiRoute, Binary, Context, Dashboard


def _series(context: Context, request: MediaSeriesRequest) -> Binary:
    from sightline.dashboards.media.series import series_of  # brings NumPy: see the server's warm_up

    return series_of(context, request)


def _steps(context: Context, request: MediaSeriesRequest) -> Binary:
    from sightline.dashboards.media.series import steps_of

    return steps_of(context, request)


def _warm_up() -> None:
    import sightline.dashboards.media.series  # noqa: F401


MEDIA = Dashboard(
    name="media",
    kinds=(),
    warm_up=_warm_up,
    routes=(
        ApiRoute(
            "POST",
            "media/series",
            "Steps and times of every value of some tags in some runs, as one binary frame",
            _series,
            request=MediaSeriesRequest,
            media_types=(FRAME_MEDIA_TYPE,),
            max_body_bytes=8 << 20,
            is_heavy=True,
            errors=(409,),
        ),
        ApiRoute(
            "POST",
            "media/steps",
            "All different steps of some tags in some runs together, as one binary frame",
            _steps,
            request=MediaSeriesRequest,
            media_types=(FRAME_MEDIA_TYPE,),
            max_body_bytes=8 << 20,
            is_heavy=True,
            errors=(409,),
        ),
    ),
)
