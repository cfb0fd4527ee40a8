"""Logged texts as pages and files show them: one text, or a table of cells, never more than was asked for.

A text tensor may have any rank. One text (torch logs it with shape [1]) is one cell; a list is one column;
beyond two dimensions the first slice stands for all, as in TensorBoard, and a sentence says so.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from sightline.query.spreadsheets import safe_text

MAX_CELLS = 100_000
"""Of one answer: more makes no table that anyone reads, and an empty cell costs no character of the limit."""


class TextValue(Protocol):
    """What is needed of a ``TextItem``."""

    @property
    def array(self) -> Any: ...

    @property
    def odd_cells(self) -> int: ...


@dataclass(frozen=True)
class TextLayout:
    """A text as a table of ``rows`` × ``columns`` cells, cut to a number of characters."""

    rows: int
    columns: int
    cells: list[str]
    """By row. The last one may be shorter than it was logged; those after it are left out."""
    total_chars: int
    """Of the whole table, before it was cut."""
    is_cut: bool
    notes: list[str]


def text_layout(item: TextValue, *, limit: int) -> TextLayout:
    """The text with at most ``limit`` characters over all cells."""
    rows, columns, all_cells = _table(item)
    cells: list[str] = []
    left = limit
    for cell in all_cells[:MAX_CELLS]:
        cells.append(cell if len(cell) <= left else cell[:left])
        left -= len(cell)
        if left < 0:
            break
    total = sum(map(len, all_cells))
    is_cut = total > limit or len(all_cells) > len(cells)
    return TextLayout(rows, columns, cells, total, is_cut, list(_notes(item)))


def text_file(item: TextValue) -> tuple[str, str]:
    """All of it as (text, ending of a file's name): plain for one text, CSV for a table."""
    rows, columns, cells = _table(item)
    if rows == columns == 1:
        return cells[0], "txt"
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerows(_rows_of(cells, columns))
    return out.getvalue(), "csv"


def _table(item: TextValue) -> tuple[int, int, list[str]]:
    array = item.array
    if array.size == 0:
        return 0, 0, []  # nothing to show, though the shape may say a billion rows of no columns
    while array.ndim > 2:
        array = array[0]
    rows, columns = (*array.shape, 1, 1)[:2] if array.ndim < 2 else array.shape
    return rows, columns, array.ravel().tolist()


def _rows_of(cells: list[str], columns: int) -> Iterator[Iterable[str]]:
    for start in range(0, len(cells), max(1, columns)):
        yield map(safe_text, cells[start : start + columns])


def _notes(item: TextValue) -> Iterator[str]:
    shape = item.array.shape
    if len(shape) > 2:
        sizes = " × ".join(map(str, shape))
        yield f"This text has {len(shape)} dimensions ({sizes}); the first slice of two dimensions is shown"
    if item.odd_cells == 1 and item.array.size == 1:
        yield r"Some bytes are not UTF-8; they show as \xNN"
    elif item.odd_cells:
        cells = "1 cell" if item.odd_cells == 1 else f"{item.odd_cells:,} cells"
        yield rf"{cells} with bytes that are not UTF-8; they show as \xNN"
