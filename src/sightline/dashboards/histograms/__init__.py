"""Histograms: every value of some tags, as buckets. No page shows them yet."""

from __future__ import annotations

from sightline.model.kinds import Kind
from sightline.wire.routes import FRAME_MEDIA_TYPE, ApiRoute, Binary, Context, Dashboard
from sightline.wire.value_frame_schemas import TagRequest


def _series(context: Context, request: TagRequest) -> Binary:
    from sightline.dashboards.histograms.series import series_of  # brings NumPy: see the server's warm_up

    return series_of(context, request)


def _warm_up() -> None:
    import sightline.dashboards.histograms.series  # noqa: F401


HISTOGRAMS = Dashboard(
    name="histograms",
    kinds=(Kind.histogram.value,),
    warm_up=_warm_up,
    routes=(
        ApiRoute(
            "POST",
            "histograms",
            "Buckets of every histogram of some tags in some runs, as one binary frame",
            _series,
            request=TagRequest,
            media_types=(FRAME_MEDIA_TYPE,),
            max_body_bytes=8 << 20,
            is_heavy=True,
            errors=(409,),
        ),
    ),
)
