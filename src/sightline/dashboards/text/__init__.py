"""Texts."""

from __future__ import annotations

from sightline.model.kinds import Kind
from sightline.wire.routes import Dashboard

TEXT = Dashboard(name="text", kinds=(Kind.text.value,))
