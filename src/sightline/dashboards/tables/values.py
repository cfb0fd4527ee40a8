"""One table, matrix, page or figure, as a request names it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sightline.dashboards.tables.recent import Recent
from sightline.model.kinds import Kind
from sightline.query.media_items import find_item
from sightline.wire.media_schemas import ItemParameters
from sightline.wire.routes import Context, check_server_id, known_run

# By the bytes in the file; objects take several times as much.
_RECENT: Recent[Any] = Recent(max_cost=64 << 20, max_count=8, keep_s=60)


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
    return Found(_RECENT.get(key, found.read, cost=found.size_bytes), run, key)
