"""A table as CSV, made while it is sent.

Spreadsheets take a text that begins with = + - @ (or a tab or line break before them) for a formula, and some
formulas fetch addresses or start programs: what a log says would act on the machine of whoever opens the
file. So such texts get an apostrophe in front, which spreadsheets know as "text follows", unless they are
plain numbers. Programs that read the file back ask for ``is_exact``, and get the texts as they were logged.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from typing import Any

from sightline.dashboards.tables.cells import text_of
from sightline.dashboards.tables.rows import order_of
from sightline.dashboards.tables.values import Found, find_value
from sightline.media.cell_pictures import picture_suffix
from sightline.model.kinds import Kind
from sightline.wire.media_schemas import ItemParameters, TableExportParameters, TableExportRequest
from sightline.wire.routes import Context, Download
from sightline.wire.text import wire_bytes

_PIECE_CHARS = 1 << 18
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")
_NUMBER = re.compile(r"[+-]?(\d{1,400}(\.\d{0,400})?|\.\d{1,400})([eE][+-]?\d{1,9})?\Z")
_NO_LETTER = re.compile(r"[^A-Za-z0-9.-]+")
_MAX_STEM_CHARS = 80


def export_whole(context: Context, request: TableExportParameters) -> Download:
    """All rows, in the order in which they were logged."""
    found = find_value(context, request, Kind.table)
    return _download(found, range(len(found.item.rows)), request, is_exact=request.is_exact)


def export_view(context: Context, request: TableExportRequest) -> Download:
    """The rows that a search and filters leave, in the order of a column."""
    found = find_value(context, request, Kind.table)
    return _download(found, order_of(found, request), request, is_exact=request.is_exact)


def _download(
    found: Found,
    order: Sequence[int],
    request: ItemParameters,
    *,
    is_exact: bool,
) -> Download:
    name = file_name(found.run, request.tag, request.step, "csv")
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


def safe_text(text: str) -> str:
    """The text, so that no spreadsheet takes it for a formula.

    >>> [safe_text(text) for text in ("=1+1", "-5", "- a", "a")]
    ["'=1+1", '-5', "'- a", 'a']
    """
    return f"'{text}" if text.startswith(_FORMULA_STARTS) and not _NUMBER.match(text) else text


def _image_name(data: bytes, row: int, column: int) -> str:
    """A name that says where the picture was: ``row-12-column-3.png``."""
    return f"row-{row}-column-{column}{picture_suffix(data)}"


def file_name(run: str, tag: str, step: int, suffix: str) -> str:
    """Says what is inside, in letters that every file system and every header takes."""
    stem = _NO_LETTER.sub("_", f"{run[-_MAX_STEM_CHARS:]}_{tag[:_MAX_STEM_CHARS]}")[:_MAX_STEM_CHARS].strip(
        "._"
    )
    return f"{stem or 'value'}_step_{step}.{suffix}"
