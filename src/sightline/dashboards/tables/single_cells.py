"""Cells of a table one by one: pictures, and texts that were too long for the table."""

from __future__ import annotations

from typing import Any

from sightline.dashboards.context import Context
from sightline.dashboards.tables.cells import text_of
from sightline.dashboards.tables.schemas import TableCellParameters, TableImageParameters
from sightline.dashboards.tables.values import TableValue, table_value
from sightline.dashboards.thumbnails import thumbnails_of
from sightline.media.pictures import check_may_be_shown, facts_of
from sightline.media.types import picture_ending
from sightline.model.kinds import Kind
from sightline.wire.file_names import value_file_name
from sightline.wire.routes import ApiError, Binary, Promised, etag_of
from sightline.wire.text import wire_bytes


def image_of(context: Context, request: TableImageParameters) -> Promised:
    """A picture of a cell: small, or as it was logged."""
    value = table_value(context, request, Kind.table)
    shown_as = "d" if request.download else request.size or "o"
    etag = etag_of(context, "cell", value.identity, request.row, request.column, shown_as)

    def make() -> Binary:
        data = _cell(value, request)
        if not isinstance(data, bytes):
            raise ApiError(404, "There is no picture in this cell")
        if request.download:
            ending = f"row-{request.row}-column-{request.column}.{picture_ending(data)}"
            name = value_file_name(value.run, request.tag, step=request.step, ending=ending)
            return Binary(data, "application/octet-stream", file_name=name)
        if request.size is not None:
            picture = thumbnails_of(context).get(data, request.size)
            return Binary(picture.body, picture.mime_type)
        facts = facts_of(data)
        check_may_be_shown(facts)
        return Binary(data, facts.mime_type)

    return Promised(etag, make)


def cell_text_of(context: Context, request: TableCellParameters) -> Promised:
    """The whole text of a cell."""
    value = table_value(context, request, Kind.table)
    etag = etag_of(context, "cell", value.identity, request.row, request.column, "text")

    def make() -> Binary:
        text = text_of(_cell(value, request))
        return Binary(wire_bytes(text), "text/plain; charset=utf-8")

    return Promised(etag, make)


def _cell(value: TableValue, request: TableCellParameters) -> Any:
    table = value.item
    if request.row >= len(table.rows) or request.column >= len(table.columns):
        raise ApiError(
            404,
            f"The table has {len(table.rows):,} rows and {len(table.columns):,} columns: ask for one of them",
        )
    return table.rows[request.row][request.column]
