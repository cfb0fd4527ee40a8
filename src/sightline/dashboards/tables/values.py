"""One table, matrix, page or figure, as a request names it."""

from __future__ import annotations

import sys
import threading
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Any

from sightline.dashboards.tables.recent import Recent
from sightline.model.errors import DamagedValueError
from sightline.model.kinds import Kind
from sightline.query.media_items import FoundItem, find_item
from sightline.wire.media_schemas import ItemParameters
from sightline.wire.routes import Context, check_server_id, known_run

# Bytes in memory.
_RECENT: Recent[Any] = Recent(max_cost=256 << 20, max_count=8, keep_s=60, lasting_errors=(DamagedValueError,))

# About what a number takes, and its place in a row.
_VALUE_BYTES = 60
LARGE_BYTES = 16 << 20
_reading_large = threading.Lock()
"""Large values are read one at a time. formats.tables sees to those that are large in memory alone."""


@dataclass(frozen=True)
class Found:
    """A value, decoded."""

    item: Any
    run: str
    key: str
    """Tells it from all others, for as long as the server runs."""

    def etag(self, *more: object) -> str:
        """Of one of the answers that are made from it."""
        return f'"{"-".join((self.key, *map(str, more)))}"'


@dataclass(frozen=True)
class Place:
    """Where a value lies. It is not read yet."""

    found: FoundItem
    run: str
    key: str

    def read(self) -> Found:
        """Raises DataError when it cannot be read."""
        return Found(_RECENT.get(self.key, self._read, cost=bytes_in_memory), self.run, self.key)

    def _read(self) -> Any:
        with _reading_large if self.found.size_bytes >= LARGE_BYTES else nullcontext():
            item = self.found.read()
        # Nobody here asks for the object in it, which is many times as large as its text.
        return replace(item, figure={}) if item.kind is Kind.plotly else item


def find_place(context: Context, request: ItemParameters, kind: Kind) -> Place:
    """Raises ApiError 404 or UnknownNameError when it is not there."""
    check_server_id(context, request.server_id)
    run = known_run(context, request.run)
    found = find_item(context.store, run, kind, request.tag, index=request.index, step=request.step)
    return Place(found, run, f"{context.server_id}-{kind}-{found.identity}")


def find_value(context: Context, request: ItemParameters, kind: Kind) -> Found:
    """Raises ApiError 404 or UnknownNameError when it is not there, DataError when it cannot be read."""
    return find_place(context, request, kind).read()


def bytes_in_memory(item: Any) -> int:
    """About as many as the item takes."""
    if item.kind is Kind.table:
        count = len(item.rows) * (len(item.columns) + 1)  # a row is an object, too
        return count * _VALUE_BYTES + sum(map(_chars_of_row, item.rows))
    if item.kind is Kind.confusion_matrix:
        return int(item.counts.nbytes) + len(item.labels) * _VALUE_BYTES + sum(map(len, item.labels))
    return sys.getsizeof(item.html if item.kind is Kind.html else item.json)


def _chars_of_row(row: tuple[Any, ...]) -> int:
    return sum(len(cell) for cell in row if isinstance(cell, (str, bytes)))
