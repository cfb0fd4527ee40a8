"""GlobalSummaryWriter: one writer for all modules of a program, which counts the steps itself.

tensorboardX has it for programs where a loss function somewhere wants to log without being handed a writer
and a step. Each tag has a step of its own, beginning with 0. Forked processes (a ``multiprocessing`` pool)
share the counts through a file in memory, so that no two of them take the same step.
"""

from __future__ import annotations

import fcntl
import json
import os
import threading
import weakref
from typing import Any

from sightline.writer.engine.base import log
from sightline.writer.file_writer import FileWriter
from sightline.writer.summary_writer import SummaryWriter

_instance: GlobalSummaryWriter | None = None
_instance_lock = threading.RLock()


def _renew_after_fork() -> None:
    global _instance_lock
    _instance_lock = threading.RLock()


os.register_at_fork(after_in_child=_renew_after_fork)


class GlobalSummaryWriter:
    """As SummaryWriter, with the same arguments; the methods take no step.

    `coalesce_process` is accepted: forked processes always share the counts.
    """

    def __init__(
        self,
        logdir: str | os.PathLike[str] | None = None,
        comment: str = "",
        purge_step: int | None = None,
        max_queue: int = 10,
        flush_secs: float = 1,
        filename_suffix: str = "",
        write_to_disk: bool = True,
        log_dir: str | os.PathLike[str] | None = None,
        coalesce_process: bool = True,
        **kwargs: Any,
    ) -> None:
        same = (comment, purge_step, max_queue, flush_secs, filename_suffix, write_to_disk)
        self.smw = SummaryWriter(log_dir, *same, logdir=logdir, **kwargs)
        self._steps = _StepCounts()

    def add_scalar(self, tag: str, scalar_value: Any, walltime: float | None = None) -> None:
        """Adds one number at the next step of the tag."""
        self.smw.add_scalar(tag, scalar_value, self._steps.next("scalar", tag), walltime)

    def add_histogram(
        self,
        tag: str,
        values: Any,
        bins: Any = "tensorflow",
        walltime: float | None = None,
        max_bins: int | None = None,
    ) -> None:
        """Adds a histogram at the next step of the tag."""
        self.smw.add_histogram(tag, values, self._steps.next("histogram", tag), bins, walltime, max_bins)

    def add_image(
        self, tag: str, img_tensor: Any, walltime: float | None = None, dataformats: str = "CHW"
    ) -> None:
        """Adds an image at the next step of the tag."""
        self.smw.add_image(tag, img_tensor, self._steps.next("image", tag), walltime, dataformats)

    def add_audio(
        self, tag: str, snd_tensor: Any, sample_rate: int = 44100, walltime: float | None = None
    ) -> None:
        """Adds a sound at the next step of the tag."""
        self.smw.add_audio(tag, snd_tensor, self._steps.next("audio", tag), sample_rate, walltime)

    def add_text(self, tag: str, text_string: str, walltime: float | None = None) -> None:
        """Adds a text at the next step of the tag."""
        self.smw.add_text(tag, text_string, self._steps.next("text", tag), walltime)

    @staticmethod
    def getSummaryWriter() -> GlobalSummaryWriter:  # noqa: N802  (tensorboardX's name)
        """The writer of this program; the first call makes it, in a directory of its own below ``runs``."""
        global _instance
        with _instance_lock:
            if _instance is None:
                _instance = GlobalSummaryWriter()
                log.info("the global writer writes to %s", _instance.smw.log_dir)
            return _instance

    @property
    def file_writer(self) -> FileWriter:
        return FileWriter.of(self.smw)

    def flush(self) -> bool:
        return self.smw.flush()

    def close(self) -> None:
        """Writes what is waiting and closes the file."""
        self.smw.close()


class _StepCounts:
    """The next step of each kind and tag, shared with forked processes."""

    def __init__(self) -> None:
        self._descriptor = os.memfd_create("sightline-steps")
        weakref.finalize(self, os.close, self._descriptor)
        # A signal handler may log, too.
        self._lock = threading.RLock()
        self._pid = os.getpid()

    def next(self, kind: str, tag: str) -> int:
        if self._pid != os.getpid():  # a thread of the parent may have held the lock when it forked
            self._lock, self._pid = threading.RLock(), os.getpid()
        key = f"{kind} {tag}"
        with self._lock:
            fcntl.lockf(self._descriptor, fcntl.LOCK_EX)
            try:
                size = os.fstat(self._descriptor).st_size
                counts = json.loads(os.pread(self._descriptor, size, 0) or b"{}")
                step = counts[key] = int(counts.get(key, -1)) + 1
                # Numbers only grow, and so does their text: the new one covers the old one.
                os.pwrite(self._descriptor, json.dumps(counts).encode(), 0)
                return step
            finally:
                fcntl.lockf(self._descriptor, fcntl.LOCK_UN)
