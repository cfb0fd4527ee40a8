"""A dashboard with nothing but what every dashboard has: the template that docs/add-a-dashboard.md tells to
copy. It lists the tensors of plugins that nobody here knows, and is not registered."""

from __future__ import annotations

from sightline.model.kinds import Kind
from sightline.wire.routes import ApiRoute, Dashboard, Late

SKELETON = Dashboard(
    name="skeleton",
    kinds=(Kind.tensor,),
    routes=(
        ApiRoute(
            "GET",
            "skeleton/values",
            "The steps of a value and of some before it, and what each looks like",
            Late("sightline.dashboards.skeleton.values:values_of"),
        ),
    ),
)
