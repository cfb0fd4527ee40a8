"""Histograms: buckets of all values of a tag, statistics of each, and maps of them over the steps."""

from __future__ import annotations

from sightline.model.kinds import Kind
from sightline.wire.routes import FRAME_MEDIA_TYPE, ApiRoute, Dashboard, Late
from sightline.wire.tensorboard import TensorBoardPlugin


def _route(path: str, summary: str, handler: str) -> ApiRoute:
    return ApiRoute(
        "POST",
        path,
        summary,
        Late(f"sightline.dashboards.histograms.{handler}"),
        media_types=(FRAME_MEDIA_TYPE,),
        max_body_bytes=8 << 20,
        errors=(409,),
    )


HISTOGRAMS = Dashboard(
    name="histograms",
    kinds=(Kind.histogram,),
    routes=(
        _route(
            "histograms",
            "Buckets of histograms of some tags in some runs, as one binary frame",
            "series:series_of",
        ),
        _route(
            "histograms/statistics",
            "Mean, spread, quantiles and more of each histogram, as one binary frame",
            "statistics:statistics",
        ),
        _route(
            "histograms/maps",
            "Where the values of tags lie over their steps, as one binary frame",
            "statistics:maps",
        ),
    ),
    tensorboard=TensorBoardPlugin(
        name="histograms",
        kinds=(Kind.histogram,),
        module="sightline.dashboards.histograms.tensorboard",
        routes={"tags": "tags", "histograms": "histograms"},
        element="tf-histogram-dashboard",
    ),
)
