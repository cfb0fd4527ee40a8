"""Tables, confusion matrices, HTML and Plotly figures."""

from __future__ import annotations

from sightline.media.types import PICTURE_TYPES
from sightline.model.kinds import Kind
from sightline.wire.media_schemas import (
    FigureParameters,
    ItemParameters,
    MatrixAnswer,
    PageFacts,
    PageParameters,
    TableAnswer,
    TableCellParameters,
    TableExportParameters,
    TableExportRequest,
    TableImageParameters,
    TableRequest,
)
from sightline.wire.routes import ApiRoute, Binary, Context, Dashboard, Download, Promised


def _rows(context: Context, request: TableRequest) -> TableAnswer:
    from sightline.dashboards.tables.rows import rows_of  # these bring NumPy: see the server's warm_up

    return rows_of(context, request)


def _image(context: Context, request: TableImageParameters) -> Promised:
    from sightline.dashboards.tables.single_cells import image_of

    return image_of(context, request)


def _cell(context: Context, request: TableCellParameters) -> Promised:
    from sightline.dashboards.tables.single_cells import cell_text_of

    return cell_text_of(context, request)


def _export_whole(context: Context, request: TableExportParameters) -> Download:
    from sightline.dashboards.tables.export import export_whole

    return export_whole(context, request)


def _export_view(context: Context, request: TableExportRequest) -> Download:
    from sightline.dashboards.tables.export import export_view

    return export_view(context, request)


def _matrix(context: Context, request: ItemParameters) -> Promised:
    from sightline.dashboards.tables.matrices import matrix_of

    return matrix_of(context, request)


def _figure(context: Context, request: FigureParameters) -> Promised:
    from sightline.dashboards.tables.figures import figure_of

    return figure_of(context, request)


def _figure_frame(_context: Context, _request: None) -> Binary:
    from sightline.dashboards.tables.figure_frame import figure_frame

    return figure_frame()


def _page(context: Context, request: PageParameters) -> Binary | Promised:
    from sightline.dashboards.tables.pages import page_of

    return page_of(context, request)


def _page_facts(context: Context, request: ItemParameters) -> PageFacts:
    from sightline.dashboards.tables.pages import page_facts_of

    return page_facts_of(context, request)


def _warm_up() -> None:
    import sightline.dashboards.tables.export
    import sightline.dashboards.tables.figure_frame
    import sightline.dashboards.tables.figures
    import sightline.dashboards.tables.matrices
    import sightline.dashboards.tables.pages
    import sightline.dashboards.tables.rows
    import sightline.dashboards.tables.single_cells  # noqa: F401


CSV_MEDIA_TYPES = ("text/csv",)
PAGE_MEDIA_TYPES = ("text/html",)

TABLES = Dashboard(
    name="tables",
    kinds=(Kind.table.value, Kind.confusion_matrix.value, Kind.html.value, Kind.plotly.value),
    warm_up=_warm_up,
    routes=(
        ApiRoute(
            "POST",
            "tables/rows",
            "Rows of a table: searched, filtered, sorted, a page at a time",
            _rows,
            request=TableRequest,
            answer=TableAnswer,
            is_heavy=True,
            errors=(404, 409),
        ),
        ApiRoute(
            "GET",
            "tables/image",
            "A picture in a cell of a table, small or as it was logged",
            _image,
            request=TableImageParameters,
            media_types=PICTURE_TYPES,
            is_heavy=True,
            errors=(404, 409),
        ),
        ApiRoute(
            "GET",
            "tables/cell",
            "The whole text of a cell of a table",
            _cell,
            request=TableCellParameters,
            media_types=("text/plain",),
            is_heavy=True,
            errors=(404, 409),
        ),
        ApiRoute(
            "GET",
            "tables/export",
            "A table as CSV",
            _export_whole,
            request=TableExportParameters,
            media_types=CSV_MEDIA_TYPES,
            is_heavy=True,
            errors=(404, 409),
        ),
        ApiRoute(
            "POST",
            "tables/export",
            "Some rows of a table as CSV, in the order of a column",
            _export_view,
            request=TableExportRequest,
            media_types=CSV_MEDIA_TYPES,
            is_heavy=True,
            errors=(404, 409),
        ),
        ApiRoute(
            "GET",
            "tables/matrix",
            "A confusion matrix",
            _matrix,
            request=ItemParameters,
            answer=MatrixAnswer,
            is_heavy=True,
            errors=(404, 409),
        ),
        ApiRoute(
            "GET",
            "tables/figure",
            "A Plotly figure, as the JSON that was logged",
            _figure,
            request=FigureParameters,
            is_heavy=True,
            errors=(404, 409),
        ),
        ApiRoute(
            "GET",
            "tables/figure/frame",
            "The empty document in which the page draws Plotly figures",
            _figure_frame,
            media_types=PAGE_MEDIA_TYPES,
        ),
        ApiRoute(
            "GET",
            "tables/page",
            "Logged HTML as a document that is shut in by its headers",
            _page,
            request=PageParameters,
            media_types=PAGE_MEDIA_TYPES,
            is_heavy=True,
            errors=(404, 409),
        ),
        ApiRoute(
            "GET",
            "tables/page/facts",
            "Whether logged HTML has scripts, and where it would load from",
            _page_facts,
            request=ItemParameters,
            answer=PageFacts,
            is_heavy=True,
            errors=(404, 409),
        ),
    ),
)
