"""Distributions: histograms as nine quantiles. The page asks for them at ``histograms/statistics``; here is
what TensorBoard's interface has for them."""

from __future__ import annotations

from sightline.model.kinds import Kind
from sightline.wire.routes import Dashboard
from sightline.wire.tensorboard import TensorBoardPlugin

DISTRIBUTIONS = Dashboard(
    name="distributions",
    kinds=(),
    routes=(),
    tensorboard=TensorBoardPlugin(
        name="distributions",
        kinds=(Kind.histogram,),
        module="sightline.dashboards.distributions.tensorboard",
        routes={"tags": "tags", "distributions": "distributions"},
        element="tf-distribution-dashboard",
    ),
)
