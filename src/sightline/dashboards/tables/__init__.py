"""Tables, confusion matrices, HTML and Plotly figures."""

from __future__ import annotations

from sightline.dashboards.tables.schemas import MatrixAnswer
from sightline.media.types import PICTURE_TYPES
from sightline.model.kinds import Kind
from sightline.wire.routes import ApiRoute, Dashboard, Late

CSV_MEDIA_TYPES = ("text/csv",)
PAGE_MEDIA_TYPES = ("text/html",)

TABLES = Dashboard(
    name="tables",
    kinds=(Kind.table, Kind.confusion_matrix, Kind.html, Kind.plotly),
    routes=(
        ApiRoute(
            "POST",
            "tables/rows",
            "Rows of a table: searched, filtered, sorted, a page at a time",
            Late("sightline.dashboards.tables.rows:rows_of"),
        ),
        ApiRoute(
            "GET",
            "tables/image",
            "A picture in a cell of a table, small or as it was logged",
            Late("sightline.dashboards.tables.single_cells:image_of"),
            media_types=PICTURE_TYPES,
        ),
        ApiRoute(
            "GET",
            "tables/cell",
            "The whole text of a cell of a table",
            Late("sightline.dashboards.tables.single_cells:cell_text_of"),
            media_types=("text/plain",),
        ),
        ApiRoute(
            "GET",
            "tables/export",
            "A table as CSV",
            Late("sightline.dashboards.tables.export:export_whole"),
            media_types=CSV_MEDIA_TYPES,
        ),
        ApiRoute(
            "POST",
            "tables/export",
            "Some rows of a table as CSV, in the order of a column",
            Late("sightline.dashboards.tables.export:export_view"),
            media_types=CSV_MEDIA_TYPES,
        ),
        ApiRoute(
            "GET",
            "tables/matrix",
            "A confusion matrix",
            Late("sightline.dashboards.tables.figures:matrix_of"),
            answer=MatrixAnswer,
        ),
        ApiRoute(
            "GET",
            "tables/figure",
            "A Plotly figure, as the JSON that was logged",
            Late("sightline.dashboards.tables.figures:figure_of"),
        ),
        ApiRoute(
            "GET",
            "tables/figure/frame",
            "The empty document in which the page draws Plotly figures",
            Late("sightline.dashboards.tables.figure_frame:figure_frame"),
            media_types=PAGE_MEDIA_TYPES,
        ),
        ApiRoute(
            "GET",
            "tables/page",
            "Logged HTML as a document that is shut in by its headers",
            Late("sightline.dashboards.tables.pages:page_of"),
            media_types=PAGE_MEDIA_TYPES,
        ),
        ApiRoute(
            "GET",
            "tables/page/facts",
            "Whether logged HTML has scripts, and where it would load from",
            Late("sightline.dashboards.tables.pages:page_facts_of"),
        ),
    ),
)
