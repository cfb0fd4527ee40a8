"""One logged text, for the page and as a file."""

from __future__ import annotations

from sightline.model.kinds import Kind
from sightline.query.media_items import FoundItem, find_item
from sightline.query.texts import text_file, text_layout
from sightline.wire.file_names import value_file_name
from sightline.wire.media_schemas import ItemParameters, TextAnswer, TextParameters
from sightline.wire.numbers import json_number
from sightline.wire.routes import Binary, Context, Encoded, check_server_id, etag_of, known_run
from sightline.wire.text import wire_bytes, wire_json


def item_of(context: Context, request: TextParameters) -> Encoded:
    found = _found(context, request)
    item = found.read()
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
    return Encoded(wire_json(answer), etag=etag_of(context, "text", found.identity, request.limit))


def download_of(context: Context, request: ItemParameters) -> Binary:
    item = _found(context, request).read()
    text, ending = text_file(item)
    tag = request.tag.removesuffix("/text_summary")
    return Binary(
        wire_bytes(text),
        "text/csv; charset=utf-8" if ending == "csv" else "text/plain; charset=utf-8",
        file_name=value_file_name(tag, step=item.step, ending=ending, otherwise="text"),
    )


def _found(context: Context, request: ItemParameters) -> FoundItem:
    check_server_id(context, request.server_id)
    run = known_run(context, request.run)
    return find_item(context.store, run, Kind.text, request.tag, index=request.index, step=request.step)
