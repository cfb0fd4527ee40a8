"""Follows orders of end-to-end tests: one per line on standard input, as JSON.

Each is answered by a line on standard output once its values are on disk: "done", or what went wrong.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

from sightline import SummaryWriter


def follow_orders(follow: Callable[[dict[str, Any], dict[str, SummaryWriter]], None]) -> None:
    """Calls `follow` with each order and the writers that are open, by directory."""
    writers: dict[str, SummaryWriter] = {}
    for line in sys.stdin:
        try:
            follow(json.loads(line), writers)
        except Exception as error:  # the test that asked is the one that must fail
            print(f"{type(error).__name__}: {error}", flush=True)
        else:
            print("done", flush=True)
    for writer in writers.values():
        writer.close()
