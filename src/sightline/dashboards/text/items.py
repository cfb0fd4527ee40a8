"""One logged text, for the page and as a file."""

from __future__ import annotations

from typing import Any

from sightline.dashboards.context import Context
from sightline.dashboards.named_values import named_value
from sightline.dashboards.text.schemas import TextAnswer, TextParameters
from sightline.model.kinds import Kind
from sightline.query.texts import text_file, text_layout
from sightline.wire.file_names import value_file_name
from sightline.wire.numbers import json_number
from sightline.wire.routes import Binary, Encoded, Promised, etag_of
from sightline.wire.structs import struct_of
from sightline.wire.text import wire_bytes, wire_json
from sightline.wire.value_schemas import ItemParameters


def item_of(context: Context, request: TextParameters) -> Promised:
    value = named_value(context, request, Kind.text)
    etag = etag_of(context, "text", value.identity, request.limit)
    return Promised(etag, lambda: Encoded(_answer(value.read(), request.limit)))


def _answer(item: Any, limit: int) -> bytes:
    answer = struct_of(
        TextAnswer,
        text_layout(item, limit=limit),
        step=item.step,
        wall_s=json_number(item.wall_time),
        shape=list(item.array.shape),
    )
    return wire_json(answer)


def download_of(context: Context, request: ItemParameters) -> Binary:
    item = named_value(context, request, Kind.text).read()
    text, ending = text_file(item)
    tag = request.tag.removesuffix("/text_summary")
    return Binary(
        wire_bytes(text),
        "text/csv; charset=utf-8" if ending == "csv" else "text/plain; charset=utf-8",
        file_name=value_file_name(tag, step=item.step, ending=ending, otherwise="text"),
    )
