"""A dashboard with nothing but what every dashboard has: the template that docs/add-a-dashboard.md tells to
copy. It lists the tensors of plugins that nobody here knows, and is not registered."""

from __future__ import annotations

from sightline.dashboards.skeleton.schemas import SkeletonAnswer, SkeletonRequest
from sightline.model.kinds import Kind
from sightline.wire.routes import ApiRoute, Context, Dashboard


def _values(context: Context, request: SkeletonRequest) -> SkeletonAnswer:
    from sightline.dashboards.skeleton.values import values_of

    return values_of(context, request)


SKELETON = Dashboard(
    name="skeleton",
    kinds=(Kind.tensor,),
    routes=(
        ApiRoute(
            "POST",
            "skeleton/values",
            "Steps of the last values of a tag in a run, and what each looks like",
            _values,
            request=SkeletonRequest,
            answer=SkeletonAnswer,
            errors=(404, 409),
        ),
    ),
)
