"""One logged text, for the page and as a file."""

from __future__ import annotations

import re

from sightline.model.errors import UnknownNameError
from sightline.model.kinds import Kind
from sightline.query.media_items import FoundItem, find_item
from sightline.query.texts import text_file, text_layout
from sightline.wire.media_schemas import ItemParameters, TextAnswer, TextParameters
from sightline.wire.numbers import json_number
from sightline.wire.routes import Binary, Context, Encoded, check_server_id
from sightline.wire.text import wire_bytes, wire_json

MAX_NAME_CHARS = 80


def item_of(context: Context, request: TextParameters) -> Encoded:
    found = _found(context, request)
    item = found.item
    layout = text_layout(item, limit=request.limit)
    answer = TextAnswer(
        step=item.step,
        wall_s=json_number(item.wall_time),
        shape=list(item.array.shape),
        rows=layout.rows,
        columns=layout.columns,
        cells=layout.cells,
        total_chars=layout.total_chars,
        is_cut=layout.is_cut,
        notes=layout.notes,
    )
    etag = f'"{context.server_id}-text-{found.identity}-{request.limit}"'
    return Encoded(wire_json(answer), etag=etag)


def download_of(context: Context, request: ItemParameters) -> Binary:
    item = _found(context, request).item
    text, suffix = text_file(item)
    return Binary(
        wire_bytes(text),
        "text/csv; charset=utf-8" if suffix == ".csv" else "text/plain; charset=utf-8",
        file_name=f"{file_stem(request.tag)}-step-{item.step}{suffix}",
    )


def _found(context: Context, request: ItemParameters) -> FoundItem:
    check_server_id(context, request.server_id)
    name = context.run_name(request.run)
    if name is None:
        raise UnknownNameError("run", str(request.run))
    return find_item(context.store, name, Kind.text, request.tag, index=request.index, step=request.step)


def file_stem(tag: str) -> str:
    """A name for a file: what is left of the tag without anything that a file system or a header minds."""
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", tag.removesuffix("/text_summary")).strip("-.")
    return plain[:MAX_NAME_CHARS] or "text"
