"""What the answers are called. Apart from the modules that make them, because those bring NumPy, and a server
that starts has no need of it yet."""

from __future__ import annotations

EXPORT_MEDIA_TYPES = ("text/csv; charset=utf-8", "application/json")
