"""What the answers are called. Apart from the modules that make them, because those bring NumPy, and a server
that starts has no need of it yet."""

from __future__ import annotations

FRAME_MEDIA_TYPE = "application/vnd.sightline.frame"
EXPORT_MEDIA_TYPES = ("text/csv; charset=utf-8", "application/json")
