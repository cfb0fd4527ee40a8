"""The thread that encodes pictures, sounds and the like, so that the training loop does not wait for it.

One thread for all writers of the process, started by the first job. Jobs run in order. What waits is bounded
in bytes: beyond the bound the caller waits, as it would for a slow disk. A forked child begins without jobs:
those of the parent belong to the parent.
"""

from __future__ import annotations

import logging
import os
import threading
from collections import deque
from collections.abc import Callable

_log = logging.getLogger("sightline.writer")

# Enough for a burst of pictures; a training job has the memory, and less would make it wait for the encoder.
MAX_WAITING_BYTES = 256 << 20


class Background:
    def __init__(self, max_waiting_bytes: int = MAX_WAITING_BYTES) -> None:
        self._max_waiting_bytes = max_waiting_bytes
        self._reset()

    def _reset(self) -> None:
        self._changed = threading.Condition()
        self._jobs: deque[tuple[Callable[[], None], int]] = deque()
        self._waiting_bytes = 0
        self._submitted = 0
        self._finished = 0
        self._thread: threading.Thread | None = None

    def submit(self, job: Callable[[], None], size_bytes: int) -> None:
        """Runs `job` later, behind all earlier ones. Waits while too much is waiting already."""
        with self._changed:
            # One job may always wait, however large; and a job that submits another must not wait for itself.
            while (
                self._jobs
                and self._waiting_bytes + size_bytes > self._max_waiting_bytes
                and threading.current_thread() is not self._thread
            ):
                self._changed.wait()
            self._jobs.append((job, size_bytes))
            self._waiting_bytes += size_bytes
            self._submitted += 1
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="sightline-encoder", daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def drain(self) -> None:
        """Waits until everything that was submitted before this call is done."""
        with self._changed:
            if threading.current_thread() is self._thread:
                return
            target = self._submitted
            self._changed.wait_for(lambda: self._finished >= target)

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._jobs)
                job, size_bytes = self._jobs.popleft()
            try:
                job()
            except Exception:  # a job reports its own trouble; this is the last net below training
                _log.exception("a value could not be written")
            del job
            with self._changed:
                self._waiting_bytes -= size_bytes
                self._finished += 1
                self._changed.notify_all()


background = Background()
os.register_at_fork(after_in_child=background._reset)
