"""``sightline cache info`` and ``sightline cache clear``."""

from __future__ import annotations

import argparse
import time

from sightline.cli.quantities import count_text, duration_text, size_text
from sightline.model.reports import one_line
from sightline.store.cache import cache_info, clear_cache


def show_info(_arguments: argparse.Namespace) -> int:
    info = cache_info()
    directory = one_line(str(info.directory))
    print(f"{size_text(info.size_bytes)} of at most {size_text(info.limit_bytes)} in {directory}")
    now_s = time.time()
    for entry in info.entries:
        roots = ", ".join(one_line(root) for root in entry.roots) or "(unknown)"
        age = duration_text(max(0.0, now_s - entry.last_used_s))
        print(f"{size_text(entry.size_bytes):>12}   used {age} ago   {roots}")
    if info.thumbnails_bytes:
        print(f"{size_text(info.thumbnails_bytes):>12}   thumbnails of pictures, of all logs")
    return 0


def clear(_arguments: argparse.Namespace) -> int:
    removed = clear_cache()
    entries = count_text(len(removed.entries), "entry", "entries")
    print(f"Removed {entries}, {size_text(removed.size_bytes)}, from {one_line(str(removed.directory))}")
    return 0
