"""One table, matrix, page or figure, as a request names it."""

from __future__ import annotations

import threading
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

from sightline.dashboards.tables.recent import Recent
from sightline.model.kinds import Kind
from sightline.query.media_items import FoundItem, find_item
from sightline.wire.media_schemas import ItemParameters
from sightline.wire.routes import Context, check_server_id, known_run

# By the bytes in the file; objects take several times as much.
_RECENT: Recent[Any] = Recent(max_cost=64 << 20, max_count=8, keep_s=60)

LARGE_BYTES = 16 << 20
_reading_large = threading.Lock()
"""Large values are parsed one at a time: JSON of 256 MB takes gigabytes."""


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


def find_value(context: Context, request: ItemParameters, kind: Kind) -> Found:
    """Raises ApiError 404 or UnknownNameError when it is not there, DataError when it cannot be read."""
    check_server_id(context, request.server_id)
    run = known_run(context, request.run)
    found = find_item(context.store, run, kind, request.tag, index=request.index, step=request.step)
    key = f"{context.server_id}-{kind}-{found.identity}"
    return Found(_RECENT.get(key, lambda: _read(found), cost=found.size_bytes), run, key)


def _read(found: FoundItem) -> Any:
    with _reading_large if found.size_bytes >= LARGE_BYTES else nullcontext():
        return found.read()
