"""Plotly figures as the JSON that was logged, and confusion matrices as numbers. figure_frame.py has the
document in which a page draws a figure."""

from __future__ import annotations

from sightline.dashboards.context import Context
from sightline.dashboards.tables.schemas import FigureParameters, MatrixAnswer
from sightline.dashboards.tables.values import table_value
from sightline.model.errors import MediaError
from sightline.model.kinds import Kind
from sightline.wire.file_names import value_file_name
from sightline.wire.routes import Binary, Encoded, Promised, etag_of
from sightline.wire.text import wire_bytes, wire_json
from sightline.wire.value_schemas import ItemParameters

MAX_FIGURE_BYTES = 64 << 20


def figure_of(context: Context, request: FigureParameters) -> Promised:
    value = table_value(context, request, Kind.plotly)
    etag = etag_of(context, "figure", value.identity, int(request.download))

    def make() -> Binary | Encoded:
        body = wire_bytes(value.item.json)
        if request.download:
            name = value_file_name(value.run, request.tag, step=request.step, ending="json")
            return Binary(body, "application/json", file_name=name)
        if len(body) > MAX_FIGURE_BYTES:
            raise MediaError(f"The figure has {len(body):,} bytes; at most {MAX_FIGURE_BYTES:,} are drawn")
        return Encoded(body)

    return Promised(etag, make)


def matrix_of(context: Context, request: ItemParameters) -> Promised:
    """A ``MatrixAnswer``. Counts are finite: others are not read."""
    value = table_value(context, request, Kind.confusion_matrix)
    etag = etag_of(context, "matrix", value.identity)

    def make() -> Encoded:
        item = value.item
        answer = MatrixAnswer(labels=list(item.labels), counts=item.counts.tolist())
        return Encoded(wire_json(answer))

    return Promised(etag, make)
