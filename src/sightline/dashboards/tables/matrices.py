"""Confusion matrices as numbers."""

from __future__ import annotations

from sightline.dashboards.context import Context
from sightline.dashboards.tables.schemas import MatrixAnswer
from sightline.dashboards.tables.values import table_value
from sightline.model.kinds import Kind
from sightline.wire.routes import Encoded, Promised, etag_of
from sightline.wire.text import wire_json
from sightline.wire.value_schemas import ItemParameters


def matrix_of(context: Context, request: ItemParameters) -> Promised:
    """A ``MatrixAnswer``. Counts are finite: others are not read."""
    value = table_value(context, request, Kind.confusion_matrix)
    etag = etag_of(context, "matrix", value.identity)

    def make() -> Encoded:
        item = value.item
        answer = MatrixAnswer(labels=list(item.labels), counts=item.counts.tolist())
        return Encoded(wire_json(answer))

    return Promised(etag, make)
