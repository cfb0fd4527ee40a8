"""Images."""

from __future__ import annotations

from sightline.model.kinds import Kind
from sightline.wire.routes import Dashboard

IMAGES = Dashboard(name="images", kinds=(Kind.image.value,))
