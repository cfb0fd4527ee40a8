"""One logged text, for the page and as a file."""

from __future__ import annotations

from sightline.dashboards.named_values import named_value
from sightline.model.kinds import Kind
from sightline.query.texts import text_file, text_layout
from sightline.wire.file_names import value_file_name
from sightline.wire.media_schemas import ItemParameters, TextAnswer, TextParameters
from sightline.wire.numbers import json_number
from sightline.wire.routes import Binary, Context, Encoded, etag_of
from sightline.wire.text import wire_bytes, wire_json


def item_of(context: Context, request: TextParameters) -> Encoded:
    found = named_value(context, request, Kind.text)
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
    item = named_value(context, request, Kind.text).read()
    text, ending = text_file(item)
    tag = request.tag.removesuffix("/text_summary")
    return Binary(
        wire_bytes(text),
        "text/csv; charset=utf-8" if ending == "csv" else "text/plain; charset=utf-8",
        file_name=value_file_name(tag, step=item.step, ending=ending, otherwise="text"),
    )
