"""A table as CSV, made while it is sent.

Texts that a spreadsheet would take for formulas are kept from being any (``query.spreadsheets``). Programs
that read the file back ask for ``is_exact``, and get the texts as they were logged.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from typing import Any

from sightline.dashboards.context import Context
from sightline.dashboards.tables.cells import text_of
from sightline.dashboards.tables.rows import order_of
from sightline.dashboards.tables.schemas import TableExportParameters, TableExportRequest
from sightline.dashboards.tables.values import TableValue, table_value
from sightline.media.types import picture_ending
from sightline.model.kinds import Kind
from sightline.query.spreadsheets import safe_text
from sightline.wire.file_names import value_file_name
from sightline.wire.routes import Download
from sightline.wire.text import wire_bytes
from sightline.wire.value_schemas import ItemParameters

_PIECE_CHARS = 1 << 18


def export_whole(context: Context, request: TableExportParameters) -> Download:
    """All rows, in the order in which they were logged."""
    found = table_value(context, request, Kind.table)
    return _download(found, range(len(found.item.rows)), request, is_exact=request.is_exact)


def export_view(context: Context, request: TableExportRequest) -> Download:
    """The rows that a search and filters leave, in the order of a column."""
    found = table_value(context, request, Kind.table)
    return _download(found, order_of(found, request), request, is_exact=request.is_exact)


def _download(
    found: TableValue,
    order: Sequence[int],
    request: ItemParameters,
    *,
    is_exact: bool,
) -> Download:
    name = value_file_name(found.run, request.tag, step=request.step, ending="csv")
    return Download(name, "text/csv; charset=utf-8", csv_pieces(found.item, order, is_exact=is_exact))


def csv_pieces(table: Any, order: Sequence[int], *, is_exact: bool) -> Iterator[bytes]:
    """Lines of CSV (RFC 4180), a piece at a time."""
    buffer = io.StringIO()
    writer = csv.writer(buffer)  # quotes what has to be quoted, and ends lines as the RFC wants it
    safe = (lambda text: text) if is_exact else safe_text
    writer.writerow([safe(name) for name in table.columns])
    for row in order:
        writer.writerow(
            [
                _image_name(cell, row, column)
                if isinstance(cell, bytes)
                else safe(cell)
                if isinstance(cell, str)
                else text_of(cell)
                for column, cell in enumerate(table.rows[row])
            ]
        )
        if buffer.tell() >= _PIECE_CHARS:
            yield wire_bytes(buffer.getvalue())
            buffer.seek(0)
            buffer.truncate()
    yield wire_bytes(buffer.getvalue())


def _image_name(data: bytes, row: int, column: int) -> str:
    """A name that says where the picture was: ``row-12-column-3.png``."""
    return f"row-{row}-column-{column}.{picture_ending(data)}"
