"""The one value of a tag that a request names, for all dashboards that show values one by one."""

from __future__ import annotations

from sightline.dashboards.context import Context
from sightline.model.kinds import Kind
from sightline.query.media_items import FoundItem, find_item
from sightline.wire.routes import check_server_id, known_run
from sightline.wire.value_schemas import ItemParameters, ValueAddress


def named_value(context: Context, request: ItemParameters, kind: Kind) -> FoundItem:
    """Nothing of it is read. Raises ApiError 404 and 409, UnknownNameError."""
    check_server_id(context, request.server_id)
    return value_at(context, request, kind)


def value_at(context: Context, address: ValueAddress, kind: Kind) -> FoundItem:
    """The same, of an address within a request that was checked."""
    run = known_run(context, address.run)
    return find_item(context.store, run, kind, address.tag, index=address.index, step=address.step)
