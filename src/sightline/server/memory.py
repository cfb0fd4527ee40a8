"""Memory that goes back to the system when it is not needed any more."""

from __future__ import annotations

import ctypes
import sys
from contextlib import suppress

LARGE_BYTES = 8 << 20

_M_MMAP_THRESHOLD = -3
"""Of glibc's ``mallopt``."""


def return_large_blocks() -> None:
    """Let every block from ``LARGE_BYTES`` on be a mapping of its own, which ends when it is freed.

    glibc raises that bound by itself, to the largest block that was freed so far, and then keeps such blocks
    for later, one heap for each thread: after a few pictures of 8,192 × 8,192 pixels every worker thread
    would sit on 256 MB for good. Other systems' allocators are left alone.
    """
    if not sys.platform.startswith("linux"):
        return
    with suppress(OSError, AttributeError):  # another C library
        ctypes.CDLL(None).mallopt(_M_MMAP_THRESHOLD, LARGE_BYTES)
