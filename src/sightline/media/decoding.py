"""How many pictures are decoded at the same time: memory is bounded by this, and not by who asks for what."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

SLOTS = 2
LARGE_PIXELS = 16 << 20
"""From here on a picture takes all slots: two of the largest at once would take a gigabyte."""

BYTES_PER_PIXEL = 4
"""So many encoded bytes count as a pixel: they are in memory as well, and need not be few."""

_free = SLOTS
_changed = threading.Condition()
_door = threading.Lock()
"""Held by the one who waits, so that a large picture has its turn, and small ones do not slip past it."""


@contextmanager
def decoding(pixels: int, encoded_bytes: int = 0) -> Iterator[None]:
    """Waits for its turn. To be held while the picture is in memory, encoded or decoded, and never twice by
    one thread."""
    global _free
    is_large = max(pixels, encoded_bytes // BYTES_PER_PIXEL) >= LARGE_PIXELS
    wanted = SLOTS if is_large else 1
    with _door, _changed:
        _changed.wait_for(lambda: _free >= wanted)
        _free -= wanted
    try:
        yield
    finally:
        with _changed:
            _free += wanted
            _changed.notify_all()
