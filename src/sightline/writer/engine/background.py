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
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_log = logging.getLogger("sightline.writer")

# Enough for a burst of pictures; a training job has the memory, and less would make it wait for the encoder.
MAX_WAITING_BYTES = 256 << 20


class Background:
    def __init__(self, max_waiting_bytes: int = MAX_WAITING_BYTES) -> None:
        self._max_waiting_bytes = max_waiting_bytes
        self.renew()

    def renew(self) -> None:
        """Begins anew, without a thread and without jobs: what a forked child needs."""
        self._changed = threading.Condition()
        self._jobs: deque[tuple[Callable[[], None], int]] = deque()
        self._waiting_bytes = 0
        self._submitted = 0
        self._finished = 0
        self._thread: threading.Thread | None = None

    def submit(self, job: Callable[[], None], size_bytes: int) -> None:
        """Runs `job` later, behind all earlier ones. Waits while too much is waiting already.

        Where no thread can be had (limits, the end of the interpreter) the job runs here and now.
        """
        with self._changed:
            has_thread = self._thread is not None or self._start()
            if has_thread:
                # One job may always wait, however large; one that submits another must not wait for itself.
                while (
                    self._jobs
                    and self._waiting_bytes + size_bytes > self._max_waiting_bytes
                    and threading.current_thread() is not self._thread
                ):
                    self._changed.wait()
                self._jobs.append((job, size_bytes))
                self._waiting_bytes += size_bytes
                self._submitted += 1
                self._changed.notify_all()
        if not has_thread:
            _run(job)

    def drain(self) -> None:
        """Waits until everything that was submitted before this call is done."""
        with self._changed:
            if threading.current_thread() is self._thread:
                return
            target = self._submitted
            self._changed.wait_for(lambda: self._finished >= target)

    def _start(self) -> bool:
        thread = threading.Thread(target=self._work, name="sightline-encoder", daemon=True)
        try:
            thread.start()
        except RuntimeError:
            return False
        self._thread = thread
        return True

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._jobs)
                job, size_bytes = self._jobs.popleft()
            _run(job)
            del job
            with self._changed:
                self._waiting_bytes -= size_bytes
                self._finished += 1
                self._changed.notify_all()


def _run(job: Callable[[], None]) -> None:
    try:
        job()
    except Exception:  # a job reports its own trouble; this is the last net below training
        _log.exception("a value could not be written")


background = Background()
# Keeps forks out of imports that run on the background thread: a child that is forked inside an import finds
# the module locked for ever by a thread it does not have.
_imports = threading.RLock()


@contextmanager
def forks_wait() -> Iterator[None]:
    """Around every import that a background job makes."""
    with _imports:
        yield


def _renew_after_fork() -> None:
    global _imports
    _imports = threading.RLock()
    background.renew()


os.register_at_fork(
    before=lambda: _imports.acquire(),
    after_in_parent=lambda: _imports.release(),
    after_in_child=_renew_after_fork,
)
