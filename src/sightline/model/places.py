"""Names of places that several layers have to know."""

from __future__ import annotations

WORKSPACE_DIRECTORY = ".sightline"
"""In a log directory: what people added to it, and its trash. Nothing below it is a run."""

WORKSPACE_GLOBS = (WORKSPACE_DIRECTORY, f"*/{WORKSPACE_DIRECTORY}")
"""Patterns on paths below a root that match such directories; ``*`` crosses ``/``."""
