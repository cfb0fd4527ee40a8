"""Time Series: cards of several kinds on one page, which asks the routes of those kinds. Only TensorBoard has
routes of this name."""

from __future__ import annotations

from sightline.model.kinds import Kind
from sightline.wire.routes import Dashboard
from sightline.wire.tensorboard import TensorBoardPlugin

TIMESERIES = Dashboard(
    name="timeseries",
    kinds=(),
    tensorboard=TensorBoardPlugin(
        name="timeseries",
        module="sightline.dashboards.timeseries.tensorboard",
        kinds=(Kind.scalar,),
        routes={"tags": "tags", "timeSeries": "time_series", "imageData": "image_data"},
        tab_name="Time Series",
    ),
)
