"""Work that takes time, off the event loop: on threads of our own number."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TypeVar

import anyio
import anyio.to_thread

Result = TypeVar("Result")

THREADS = min(32, (os.cpu_count() or 1) + 4)
"""Queries let go of the GIL and are short; a few more than there are CPUs, for those that wait for a disk."""


class Workers:
    """Runs functions on worker threads, so many at a time; the rest wait in line."""

    def __init__(self, threads: int = THREADS) -> None:
        self._limiter = anyio.CapacityLimiter(threads)

    async def run(self, work: Callable[[], Result]) -> Result:
        """A request that is given up by its sender is not waited for: its thread ends by itself."""
        return await anyio.to_thread.run_sync(work, limiter=self._limiter, abandon_on_cancel=True)
