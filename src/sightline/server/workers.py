"""Work that takes time, off the event loop: on threads of our own number.

Requests wait in line, and a page that is scrolled or zoomed gives up most of what it asked for. So whether
anybody still waits is looked at when it is a request's turn, not when it comes: what was given up costs
nothing, and what is on screen does not wait for it. Three lines, so that none blocks another: small answers
(the page's own files among them), large ones, and those that wait for something.
"""

from __future__ import annotations

import math
import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeVar

import anyio
import anyio.to_thread

Result = TypeVar("Result")

THREADS = min(32, (os.cpu_count() or 1) + 4)
"""Queries let go of the GIL and are short; a few more than there are CPUs, for those that wait for a disk."""

PATIENT_THREADS = 2
"""For routes that may wait for long. Who asks more often waits in line."""


class NobodyWaitsError(Exception):
    """The request was given up by its sender before its turn came; there is nobody to answer."""


class Workers:
    """Runs functions on worker threads, so many at a time; the rest wait in line."""

    def __init__(self, threads: int = THREADS) -> None:
        self._turns = anyio.CapacityLimiter(threads)
        # Turns are given above, and there are as many threads as turns.
        self._threads = anyio.CapacityLimiter(math.inf)

    @property
    def waiting_count(self) -> int:
        return self._turns.statistics().tasks_waiting

    async def run(
        self, work: Callable[[], Result], *, is_given_up: Callable[[], Awaitable[bool]] | None = None
    ) -> Result:
        """A request that is given up meanwhile is not waited for: its thread ends by itself.

        Raises NobodyWaitsError when ``is_given_up`` says so at its turn.
        """
        async with self._turns:
            if is_given_up is not None and await is_given_up():
                raise NobodyWaitsError
            return await anyio.to_thread.run_sync(work, limiter=self._threads, abandon_on_cancel=True)


@dataclass(frozen=True)
class Lines:
    """The lines that requests wait in."""

    small: Workers = field(default_factory=Workers)
    heavy: Workers = field(default_factory=Workers)
    patient: Workers = field(default_factory=lambda: Workers(PATIENT_THREADS))
