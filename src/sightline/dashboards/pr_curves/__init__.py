"""Precision-recall curves: counts of all values of a tag by threshold, and what is computed from them."""

from __future__ import annotations

from sightline.model.kinds import Kind
from sightline.wire.routes import FRAME_MEDIA_TYPE, ApiRoute, Dashboard, Late
from sightline.wire.tensorboard import TensorBoardPlugin


def _route(path: str, summary: str, handler: str) -> ApiRoute:
    return ApiRoute(
        "POST",
        path,
        summary,
        Late(f"sightline.dashboards.pr_curves.series:{handler}"),
        media_types=(FRAME_MEDIA_TYPE,),
        max_body_bytes=8 << 20,
        errors=(409,),
    )


PR_CURVES = Dashboard(
    name="pr_curves",
    kinds=(Kind.pr_curve,),
    routes=(
        _route(
            "pr_curves",
            "Precision-recall curves of some tags in some runs, as one binary frame",
            "series_of",
        ),
        _route(
            "pr_curves/statistics",
            "Average precision, areas and best F1 of each curve, as one binary frame",
            "statistics",
        ),
    ),
    tensorboard=TensorBoardPlugin(
        name="pr_curves",
        kinds=(Kind.pr_curve,),
        module="sightline.dashboards.pr_curves.tensorboard",
        routes={"tags": "tags", "pr_curves": "pr_curves"},
        element="tf-pr-curve-dashboard",
        tab_name="PR Curves",
    ),
)
