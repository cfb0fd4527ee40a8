"""How much JavaScript the first view needs: the files that scripts/check_bundle.py counts, as table rows."""

from __future__ import annotations

import gzip

from scripts.check_bundle import STATIC, first_view_files


def first_view_bytes() -> dict[str, int]:
    """Name → bytes after gzip, largest first."""
    return {path.name: len(gzip.compress(path.read_bytes(), 6)) for path in first_view_files(STATIC)}
