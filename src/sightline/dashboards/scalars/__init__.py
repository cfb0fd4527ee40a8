"""Scalars: charts of numbers over steps. ``windows`` is what charts show of runs, ``groups`` of groups of
them, ``statistics`` what is told about a stretch, ``export`` every point as a file."""

from __future__ import annotations

from sightline.dashboards.scalars.media_types import EXPORT_MEDIA_TYPES
from sightline.model.kinds import Kind
from sightline.wire.routes import FRAME_MEDIA_TYPE, ApiRoute, Binary, Context, Dashboard, Download
from sightline.wire.scalar_schemas import (
    ExportParameters,
    ExportRequest,
    GroupRequest,
    LastValuesAnswer,
    LastValuesRequest,
    ScalarRequest,
    StatisticsAnswer,
    StatisticsRequest,
)

# The modules behind these bring NumPy, which takes longer than all else of a start: they are imported by the
# first question, and by the server as soon as it listens.


def _windows(context: Context, request: ScalarRequest) -> Binary:
    from sightline.dashboards.scalars.windows import windows_of

    return windows_of(context, request)


def _groups(context: Context, request: GroupRequest) -> Binary:
    from sightline.dashboards.scalars.groups import groups_of

    return groups_of(context, request)


def _statistics(context: Context, request: StatisticsRequest) -> StatisticsAnswer:
    from sightline.dashboards.scalars.statistics import statistics_of

    return statistics_of(context, request)


def _last(context: Context, request: LastValuesRequest) -> LastValuesAnswer:
    from sightline.dashboards.scalars.windows import last_values_of

    return last_values_of(context, request)


def _export_numbered(context: Context, request: ExportRequest) -> Download:
    from sightline.dashboards.scalars.export import export_by_number

    return export_by_number(context, request)


def _export_named(context: Context, request: ExportParameters) -> Download:
    from sightline.dashboards.scalars.export import export_by_name

    return export_by_name(context, request)


def _warm_up() -> None:
    import sightline.dashboards.scalars.export
    import sightline.dashboards.scalars.groups
    import sightline.dashboards.scalars.statistics
    import sightline.dashboards.scalars.windows  # noqa: F401


SCALARS = Dashboard(
    name="scalars",
    kinds=(Kind.scalar.value,),
    warm_up=_warm_up,
    routes=(
        ApiRoute(
            "POST",
            "scalars",
            "Charts: some tags in some runs, reduced to pixels, as one binary frame",
            _windows,
            request=ScalarRequest,
            media_types=(FRAME_MEDIA_TYPE,),
            max_body_bytes=8 << 20,  # 100 charts with the numbers of 10,000 runs each
            is_heavy=True,
        ),
        ApiRoute(
            "POST",
            "scalars/groups",
            "Groups of runs: centre and band of each on one grid of x, as one binary frame",
            _groups,
            request=GroupRequest,
            media_types=(FRAME_MEDIA_TYPE,),
            max_body_bytes=8 << 20,
            is_heavy=True,
        ),
        ApiRoute(
            "POST",
            "scalars/statistics",
            "Numbers about a stretch of some lines, from all their points, and their values at one place",
            _statistics,
            request=StatisticsRequest,
            answer=StatisticsAnswer,
            max_body_bytes=8 << 20,
            is_heavy=True,
        ),
        ApiRoute(
            "POST",
            "scalars/last",
            "The last value of some tags in every run",
            _last,
            request=LastValuesRequest,
            answer=LastValuesAnswer,
            is_heavy=True,
        ),
        ApiRoute(
            "POST",
            "scalars/export",
            "Every point of some series as a file; runs by number",
            _export_numbered,
            request=ExportRequest,
            media_types=EXPORT_MEDIA_TYPES,
            is_heavy=True,
            errors=(409,),
        ),
        ApiRoute(
            "GET",
            "scalars/export",
            "Every point of some series as a file; runs by name",
            _export_named,
            request=ExportParameters,
            media_types=EXPORT_MEDIA_TYPES,
            is_heavy=True,
            errors=(404,),
        ),
    ),
)
