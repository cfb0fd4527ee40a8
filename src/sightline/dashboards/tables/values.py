"""One table, matrix, page or figure, as a request names it."""

from __future__ import annotations

import sys
import threading
from collections.abc import Hashable
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from sightline.dashboards.context import Context
from sightline.dashboards.named_values import named_value
from sightline.dashboards.tables.recent import Recent
from sightline.model.kinds import Kind
from sightline.query.media_items import FoundItem
from sightline.wire.value_schemas import ItemParameters

# Bytes in memory.
_RECENT: Recent[Any] = Recent(max_cost=256 << 20, max_count=8, keep_s=60)

# About what a number takes, and its place in a row.
_VALUE_BYTES = 60
LARGE_BYTES = 16 << 20
_reading_large = threading.Lock()
"""Large values are read one at a time. formats.tables sees to those that are large in memory alone."""


@dataclass(frozen=True)
class TableValue:
    """Where a value lies; it is read when ``item`` is asked for, and kept for a while."""

    found: FoundItem
    key: Hashable
    """Tells it from all others that this process has seen."""

    @property
    def identity(self) -> str:
        """Of its bytes, for ETags."""
        return self.found.identity

    @property
    def run(self) -> str:
        return self.found.series.run

    @cached_property
    def item(self) -> Any:
        """Raises DataError when it cannot be read."""
        return _RECENT.get(self.key, self._read, cost=bytes_in_memory)

    def _read(self) -> Any:
        with _reading_large if self.found.size_bytes >= LARGE_BYTES else nullcontext():
            item = self.found.read()
        # Nobody here asks for the object in it, which is many times as large as its text.
        return replace(item, figure={}) if item.kind is Kind.plotly else item


def table_value(context: Context, request: ItemParameters, kind: Kind) -> TableValue:
    """The value that a request names. Raises ApiError 404 and 409, UnknownNameError."""
    found = named_value(context, request, kind)
    return TableValue(found, (context.server_id, kind, found.identity))


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
