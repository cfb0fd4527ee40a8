"""Sounds."""

from __future__ import annotations

from sightline.model.kinds import Kind
from sightline.wire.routes import Dashboard

AUDIO = Dashboard(name="audio", kinds=(Kind.audio.value,))
