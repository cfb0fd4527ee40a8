"""Holds the built page to its budget; part of ``make check``.

Counted is the JavaScript that a browser fetches before the first charts stand: the entry, the first
dashboard, all that both import statically, and their workers, each compressed as the server sends it.
Dashboards that load on demand are free. Vite's manifest says who imports whom.
"""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path
from typing import Any

STATIC = Path(__file__).resolve().parent.parent / "src" / "sightline" / "_static"
ENTRY = "index.html"
FIRST_DASHBOARD = "src/dashboards/timeseries/TimeSeries.svelte"
FIRST_WORKERS = ("filter.worker", "live.worker")
BUDGET_BYTES = 120_000


def first_view_files(static: Path) -> list[Path]:
    """The scripts of the first view, largest first."""
    manifest: dict[str, dict[str, Any]] = json.loads((static / ".vite" / "manifest.json").read_text("utf-8"))
    if FIRST_DASHBOARD not in manifest:
        raise LookupError(f"the manifest has no {FIRST_DASHBOARD}; did the dashboard move?")
    wanted, seen = [ENTRY, FIRST_DASHBOARD], set()
    while wanted:
        key = wanted.pop()
        if key not in seen:
            seen.add(key)
            wanted.extend(manifest[key].get("imports", ()))
    files = {static / manifest[key]["file"] for key in seen}
    files.update(path for name in FIRST_WORKERS for path in static.glob(f"assets/{name}*.js"))
    return sorted(
        (path for path in files if path.suffix == ".js"), key=lambda path: (-_size_bytes(path), path)
    )


def _size_bytes(path: Path) -> int:
    return len(gzip.compress(path.read_bytes(), 6))


def main() -> int:
    if not (STATIC / ENTRY).exists():
        print("the page is not built; run: make page")
        return 1
    total = 0
    for path in first_view_files(STATIC):
        total += _size_bytes(path)
        print(f"{_size_bytes(path):>8,}  {path.relative_to(STATIC)}")
    print(f"{total:>8,}  bytes of JavaScript for the first view, gzip; at most {BUDGET_BYTES:,}")
    return 1 if total > BUDGET_BYTES else 0


if __name__ == "__main__":
    sys.exit(main())
