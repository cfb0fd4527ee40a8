"""Scalars: charts of numbers over steps. ``windows`` is what charts show, ``export`` every point as a
file."""

from __future__ import annotations

from sightline.dashboards.scalars.export import EXPORT_MEDIA_TYPES, export_by_name, export_by_number
from sightline.dashboards.scalars.windows import last_values_of, windows_of
from sightline.model.kinds import Kind
from sightline.wire import frame
from sightline.wire.routes import ApiRoute, Dashboard
from sightline.wire.schemas import (
    ExportParameters,
    ExportRequest,
    LastValuesAnswer,
    LastValuesRequest,
    ScalarRequest,
)

SCALARS = Dashboard(
    name="scalars",
    kinds=(Kind.scalar.value,),
    routes=(
        ApiRoute(
            "POST",
            "scalars",
            "Charts: some tags in some runs, reduced to pixels, as one binary frame",
            windows_of,
            request=ScalarRequest,
            media_types=(frame.MEDIA_TYPE,),
        ),
        ApiRoute(
            "POST",
            "scalars/last",
            "The last value of some tags in every run",
            last_values_of,
            request=LastValuesRequest,
            answer=LastValuesAnswer,
        ),
        ApiRoute(
            "POST",
            "scalars/export",
            "Every point of some series as a file; runs by number",
            export_by_number,
            request=ExportRequest,
            media_types=EXPORT_MEDIA_TYPES,
        ),
        ApiRoute(
            "GET",
            "scalars/export",
            "Every point of some series as a file; runs by name",
            export_by_name,
            request=ExportParameters,
            media_types=EXPORT_MEDIA_TYPES,
            errors=(404,),
        ),
    ),
)
