"""Scalars: charts of numbers over steps. ``windows`` is what charts show of runs, ``groups`` of groups of
them, ``statistics`` what is told about a stretch, ``export`` every point as a file."""

from __future__ import annotations

from sightline.model.kinds import Kind
from sightline.wire.routes import FRAME_MEDIA_TYPE, ApiRoute, Dashboard, Late
from sightline.wire.tensorboard import TensorBoardPlugin

EXPORT_MEDIA_TYPES = ("text/csv; charset=utf-8", "application/json")

SCALARS = Dashboard(
    name="scalars",
    kinds=(Kind.scalar,),
    routes=(
        ApiRoute(
            "POST",
            "scalars",
            "Charts: some tags in some runs, reduced to pixels, as one binary frame",
            Late("sightline.dashboards.scalars.windows:windows_of"),
            media_types=(FRAME_MEDIA_TYPE,),
            max_body_bytes=8 << 20,  # 100 charts with the numbers of 10,000 runs each
        ),
        ApiRoute(
            "POST",
            "scalars/groups",
            "Groups of runs: centre and band of each on one grid of x, as one binary frame",
            Late("sightline.dashboards.scalars.groups:groups_of"),
            media_types=(FRAME_MEDIA_TYPE,),
            max_body_bytes=8 << 20,
        ),
        ApiRoute(
            "POST",
            "scalars/statistics",
            "Numbers about a stretch of some lines, from all their points, and their values at one place",
            Late("sightline.dashboards.scalars.statistics:statistics_of"),
            max_body_bytes=8 << 20,
        ),
        ApiRoute(
            "POST",
            "scalars/last",
            "The last value of some tags in every run",
            Late("sightline.dashboards.scalars.windows:last_values_of"),
        ),
        ApiRoute(
            "POST",
            "scalars/export",
            "Every point of some series as a file; runs by number",
            Late("sightline.dashboards.scalars.export:export_by_number"),
            media_types=EXPORT_MEDIA_TYPES,
            errors=(409,),
        ),
        ApiRoute(
            "GET",
            "scalars/export",
            "Every point of some series as a file; runs by name",
            Late("sightline.dashboards.scalars.export:export_by_name"),
            media_types=EXPORT_MEDIA_TYPES,
            errors=(404,),
        ),
    ),
    tensorboard=TensorBoardPlugin(
        name="scalars",
        module="sightline.dashboards.scalars.tensorboard",
        kinds=(Kind.scalar,),
        element="tf-scalar-dashboard",
        routes={"tags": "tags", "scalars": "scalars", "scalars_multirun": "scalars_multirun"},
    ),
)
