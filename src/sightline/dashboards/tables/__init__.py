"""Tables, confusion matrices, HTML and Plotly figures."""

from __future__ import annotations

from sightline.model.kinds import Kind
from sightline.wire.routes import Dashboard

TABLES = Dashboard(
    name="tables",
    kinds=(Kind.table.value, Kind.confusion_matrix.value, Kind.html.value, Kind.plotly.value),
)
