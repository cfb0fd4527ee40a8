"""Precision-recall curves: every value of some tags, by threshold. No page shows them yet."""

from __future__ import annotations

from sightline.model.kinds import Kind
from sightline.wire.routes import FRAME_MEDIA_TYPE, ApiRoute, Dashboard, Late

PR_CURVES = Dashboard(
    name="pr_curves",
    kinds=(Kind.pr_curve,),
    routes=(
        ApiRoute(
            "POST",
            "pr_curves",
            "Every precision-recall curve of some tags in some runs, as one binary frame",
            Late("sightline.dashboards.pr_curves.series:series_of"),
            media_types=(FRAME_MEDIA_TYPE,),
            max_body_bytes=8 << 20,
            errors=(409,),
        ),
    ),
)
