"""One table, matrix, page or figure, as a request names it."""

from __future__ import annotations

from typing import Any

from sightline.dashboards.tables.recent import Recent
from sightline.model.errors import UnknownNameError
from sightline.model.kinds import Kind
from sightline.query.media_items import find_series, position_of
from sightline.wire.media_schemas import ItemParameters
from sightline.wire.routes import ApiError, Context, check_server_id

# By the bytes in the file; objects take several times as much.
_RECENT: Recent[Any] = Recent(max_cost=64 << 20, max_count=8, keep_s=60)


class Found:
    """A value, decoded, and what tells it from all others for as long as the server runs."""

    def __init__(self, item: Any, key: str, run: str) -> None:
        self.item = item
        self.key = key
        self.run = run

    def etag(self, *more: object) -> str:
        """For one of the answers that are made from it."""
        return f'"{"-".join((self.key, *map(str, more)))}"'


def find_value(context: Context, request: ItemParameters, kind: Kind) -> Found:
    """Raises ApiError 404 or UnknownNameError when it is not there, DataError when it cannot be read."""
    check_server_id(context, request.server_id)
    run = context.run_name(request.run)
    if run is None:
        raise ApiError(404, f"No run has the number {request.run}: reload the page")
    series = find_series(context.store, run, kind, request.tag)
    if series is None:
        raise UnknownNameError(f"{kind} tag", request.tag)
    position = position_of(series, index=request.index, step=request.step)
    key = f"{context.server_id}-{kind}-{series.identity(position)}"
    item = _RECENT.get(key, lambda: series[position], cost=int(series.size_bytes[position]))
    return Found(item, key, run)
