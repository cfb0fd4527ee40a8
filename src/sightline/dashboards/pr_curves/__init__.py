"""Precision-recall curves: every value of some tags, by threshold. No page shows them yet."""

from __future__ import annotations

from sightline.model.kinds import Kind
from sightline.wire.routes import FRAME_MEDIA_TYPE, ApiRoute, Binary, Context, Dashboard
from sightline.wire.value_frame_schemas import TagRequest


def _series(context: Context, request: TagRequest) -> Binary:
    from sightline.dashboards.pr_curves.series import series_of  # brings NumPy: see the server's warm_up

    return series_of(context, request)


def _warm_up() -> None:
    import sightline.dashboards.pr_curves.series  # noqa: F401


PR_CURVES = Dashboard(
    name="pr_curves",
    kinds=(Kind.pr_curve.value,),
    warm_up=_warm_up,
    routes=(
        ApiRoute(
            "POST",
            "pr_curves",
            "Every precision-recall curve of some tags in some runs, as one binary frame",
            _series,
            request=TagRequest,
            media_types=(FRAME_MEDIA_TYPE,),
            max_body_bytes=8 << 20,
            is_heavy=True,
            errors=(409,),
        ),
    ),
)
