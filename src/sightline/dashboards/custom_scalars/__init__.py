"""Custom scalars: charts that programs have laid out. ``layouts`` puts those of all runs together."""

from __future__ import annotations

from sightline.model.kinds import Kind
from sightline.wire.routes import ApiRoute, Dashboard, Late
from sightline.wire.tensorboard import TensorBoardPlugin

CUSTOM_SCALARS = Dashboard(
    name="custom_scalars",
    kinds=(Kind.custom_scalars,),
    routes=(
        ApiRoute(
            "GET",
            "custom_scalars/layout",
            "The charts that the layouts of all runs describe, put together",
            Late("sightline.dashboards.custom_scalars.layouts:layout_of"),
        ),
    ),
    tensorboard=TensorBoardPlugin(
        name="custom_scalars",
        module="sightline.dashboards.custom_scalars.tensorboard",
        kinds=(Kind.custom_scalars,),
        element="tf-custom-scalar-dashboard",
        tab_name="Custom Scalars",
        routes={"layout": "layout", "scalars": "scalars", "download_data": "download_data"},
    ),
)
