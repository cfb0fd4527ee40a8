"""GlobalSummaryWriter: one writer for all modules of a program, which counts the steps itself.

tensorboardX has it for programs where a loss function somewhere wants to log without being handed a writer
and a step. Each tag has a step of its own, beginning with 0. Forked processes (a ``multiprocessing`` pool)
share the counts through a file without a name, so that no two of them take the same step.
"""

from __future__ import annotations

import fcntl
import json
import os
import tempfile
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sightline.writer.base import log
from sightline.writer.file_writer import FileWriter
from sightline.writer.summary_writer import SummaryWriter

_instance: GlobalSummaryWriter | None = None
_instance_lock = threading.Lock()


class GlobalSummaryWriter:
    """As SummaryWriter, with the same arguments; the methods take no step."""

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
        del coalesce_process
        self.smw = SummaryWriter(
            log_dir,
            comment,
            purge_step,
            max_queue,
            flush_secs,
            filename_suffix,
            write_to_disk,
            logdir=logdir,
            **kwargs,
        )
        self._steps = _StepCounts()

    def add_scalar(self, tag: str, scalar_value: Any, walltime: float | None = None) -> None:
        """Adds one number at the next step of the tag."""
        with self._steps.next("scalar", tag) as step:
            self.smw.add_scalar(tag, scalar_value, step, walltime)

    def add_histogram(
        self,
        tag: str,
        values: Any,
        bins: Any = "tensorflow",
        walltime: float | None = None,
        max_bins: int | None = None,
    ) -> None:
        """Adds a histogram at the next step of the tag."""
        with self._steps.next("histogram", tag) as step:
            self.smw.add_histogram(tag, values, step, bins, walltime, max_bins)

    def add_image(
        self, tag: str, img_tensor: Any, walltime: float | None = None, dataformats: str = "CHW"
    ) -> None:
        """Adds an image at the next step of the tag."""
        with self._steps.next("image", tag) as step:
            self.smw.add_image(tag, img_tensor, step, walltime, dataformats)

    def add_audio(
        self, tag: str, snd_tensor: Any, sample_rate: int = 44100, walltime: float | None = None
    ) -> None:
        """Adds a sound at the next step of the tag."""
        with self._steps.next("audio", tag) as step:
            self.smw.add_audio(tag, snd_tensor, step, sample_rate, walltime)

    def add_text(self, tag: str, text_string: str, walltime: float | None = None) -> None:
        """Adds a text at the next step of the tag."""
        with self._steps.next("text", tag) as step:
            self.smw.add_text(tag, text_string, step, walltime)

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
    """The next step of each kind and tag, shared with forked processes.

    A count goes up only after its value was taken, so that a refused value leaves no gap.
    """

    def __init__(self) -> None:
        self._descriptor, path = tempfile.mkstemp(prefix="sightline-steps-")
        os.unlink(path)
        weakref.finalize(self, os.close, self._descriptor)
        self._lock = threading.Lock()
        self._pid = os.getpid()

    @contextmanager
    def next(self, kind: str, tag: str) -> Iterator[int]:
        if self._pid != os.getpid():  # a thread of the parent may have held the lock when it forked
            self._lock, self._pid = threading.Lock(), os.getpid()
        key = f"{kind} {tag}"
        descriptor = self._descriptor
        with self._lock:
            fcntl.lockf(descriptor, fcntl.LOCK_EX)
            try:
                counts = json.loads(os.pread(descriptor, os.fstat(descriptor).st_size, 0) or b"{}")
                step = counts.get(key, 0)
                yield step
                counts[key] = step + 1
                # Counts only grow, and so does their text: nothing of the old one is left behind the new one.
                os.pwrite(descriptor, json.dumps(counts).encode(), 0)
            finally:
                fcntl.lockf(descriptor, fcntl.LOCK_UN)
