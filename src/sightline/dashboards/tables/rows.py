"""Rows of a table: those that a search and filters leave, in the order of a column, a page at a time."""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from typing import Any, cast

from sightline.dashboards.context import Context
from sightline.dashboards.tables.cells import (
    MAX_BROWSER_INTEGER,
    PIECE_ROWS,
    is_between,
    sorted_rows,
    text_of,
    text_test,
)
from sightline.dashboards.tables.recent import Recent
from sightline.dashboards.tables.schemas import (
    LongCell,
    TableAnswer,
    TableCell,
    TableColumn,
    TableFilter,
    TableImage,
    TableRequest,
    TableView,
)
from sightline.dashboards.tables.values import TableValue, table_value
from sightline.media.pictures import shown_size_px
from sightline.model.kinds import Kind
from sightline.wire.routes import ApiError

MAX_COLUMNS = 1_000
MAX_CELL_CHARS = 1_000
# Of all cells of an answer together: with very many cells each has room for less.
_MAX_CHARS = 16 << 20
_MIN_CELL_CHARS = 16
_MAX_NAME_CHARS = 1_000

# Rows of tables in the order that was asked for last: who scrolls asks for the same one again.
_RECENT_ORDERS: Recent[Sequence[int]] = Recent(max_cost=8_000_000, max_count=32, keep_s=60)


def rows_of(context: Context, request: TableRequest) -> TableAnswer:
    found = table_value(context, request, Kind.table)
    table = found.item
    order = order_of(found, request)
    numbers = list(order[request.offset : request.offset + request.limit])
    width = min(len(table.columns), MAX_COLUMNS)
    max_chars = min(MAX_CELL_CHARS, max(_MIN_CELL_CHARS, _MAX_CHARS // max(1, width * len(numbers))))
    rows: list[list[TableCell]] = []
    long_cells: list[LongCell] = []
    for number in numbers:
        cells = table.rows[number][:width]
        rows.append([_wire_cell(cell, number, column, max_chars) for column, cell in enumerate(cells)])
        long_cells += [
            LongCell(len(rows) - 1, column, len(cell))
            for column, cell in enumerate(cells)
            if isinstance(cell, str) and len(cell) > max_chars
        ]
    return TableAnswer(
        columns=[
            TableColumn(name[:_MAX_NAME_CHARS], cast(Any, str(kind)))
            for name, kind in zip(table.columns[:width], table.types[:width], strict=True)
        ],
        total_columns=len(table.columns),
        total_rows=len(table.rows),
        matching_rows=len(order),
        row_numbers=numbers,
        rows=rows,
        long_cells=long_cells,
    )


def order_of(found: TableValue, view: TableView) -> Sequence[int]:
    """Numbers of the rows that match, in order. Raises ApiError 422 for a column that is not there."""
    table = found.item
    asked = [one.column for one in view.filters] + ([] if view.sort_by is None else [view.sort_by])
    for column in asked:
        if column >= len(table.columns):
            raise ApiError(
                422, f"The table has {len(table.columns):,} columns; there is no column {column:,}"
            )
    if not view.text and not view.filters and view.sort_by is None:
        return range(len(table.rows))
    filters = tuple((one.column, one.text, one.least, one.greatest) for one in view.filters)
    key = (found.key, view.text, filters, view.sort_by, view.is_descending)
    return _RECENT_ORDERS.get(key, lambda: _computed_order(table, view), cost=len)


def _computed_order(table: Any, view: TableView) -> Sequence[int]:
    rows: Sequence[int] = range(len(table.rows))
    for one in view.filters:
        rows = _filtered(table, rows, one)
    if view.text:
        has_it = text_test(view.text)
        rows = [row for row in rows if any(map(has_it, table.rows[row]))]
    if view.sort_by is not None:
        cells = [row[view.sort_by] for row in table.rows]
        rows = sorted_rows(cells, rows, is_descending=view.is_descending)
    return _packed(rows)


def _packed(rows: Sequence[int]) -> Sequence[int]:
    """In little room, for the next question."""
    packed = array("q")
    for start in range(0, len(rows), PIECE_ROWS):
        packed.extend(rows[start : start + PIECE_ROWS])
    return packed


def _filtered(table: Any, rows: Sequence[int], one: TableFilter) -> list[int]:
    has_it, column = text_test(one.text), one.column
    return [
        row
        for row in rows
        if is_between(table.rows[row][column], one.least, one.greatest)
        and (not one.text or has_it(table.rows[row][column]))
    ]


def _wire_cell(cell: Any, row: int, column: int, max_chars: int) -> TableCell:
    if isinstance(cell, bytes):
        width, height = shown_size_px(cell)
        return TableImage(row, column, width, height)
    if isinstance(cell, str):
        return cell if len(cell) <= max_chars else f"{cell[: max_chars - 1]}…"
    is_for_browsers = cell is None or isinstance(cell, bool) or abs(cell) <= MAX_BROWSER_INTEGER
    if is_for_browsers or (isinstance(cell, float) and math.isfinite(cell)):
        return cast(TableCell, cell)
    return text_of(cell)
