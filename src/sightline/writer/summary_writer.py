"""SummaryWriter: opens a run, takes what a training loop gives, closes.

Names, arguments and defaults are those of torch's and tensorboardX's class of this name, so that a script
changes only its import line. One default differs: values reach the disk within a second instead of two
minutes.
"""

from __future__ import annotations

import os
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import TYPE_CHECKING, Any

from sightline._core import Sink
from sightline.model.errors import BadArgumentError
from sightline.writer.engine import lifetime
from sightline.writer.engine.arguments import checked_number, step_from
from sightline.writer.engine.background import background
from sightline.writer.engine.base import NullSink, log
from sightline.writer.file_writer import FileWriter
from sightline.writer.kinds.audio import AudioMethods
from sightline.writer.kinds.curves import CurveMethods
from sightline.writer.kinds.custom_scalars import CustomScalarsMethods
from sightline.writer.kinds.embedding import EmbeddingMethods
from sightline.writer.kinds.graphs import GraphMethods
from sightline.writer.kinds.histograms import HistogramMethods
from sightline.writer.kinds.hparams import HParamsMethods
from sightline.writer.kinds.images import ImageMethods
from sightline.writer.kinds.mesh import MeshMethods
from sightline.writer.kinds.scalars import ScalarMethods
from sightline.writer.kinds.tables import TableMethods
from sightline.writer.kinds.tensors import TensorMethods
from sightline.writer.kinds.text import TextMethods
from sightline.writer.kinds.video import VideoMethods
from sightline.writer.story.story import StoryMethods
from sightline.writer.story.system_metrics import SystemMetrics

if TYPE_CHECKING:
    from typing_extensions import Self


# 0 means at once; this is as often as makes sense.
_SHORTEST_FLUSH_S = 0.02


class SummaryWriter(
    ScalarMethods,
    HistogramMethods,
    ImageMethods,
    VideoMethods,
    AudioMethods,
    TextMethods,
    TableMethods,
    TensorMethods,
    GraphMethods,
    EmbeddingMethods,
    CurveMethods,
    MeshMethods,
    HParamsMethods,
    CustomScalarsMethods,
    StoryMethods,
):
    """Writes one run: an event file in `log_dir`, read by Sightline and by TensorBoard.

    `log_dir`      where; ``runs/<date>_<host><comment>`` when it is not given (`logdir` is the same)
    `purge_step`   a restarted job goes on from this step: what was logged at it or after is superseded
    `flush_secs`   how long a value may stay in memory
    `max_queue`    accepted for older scripts; the buffer is bounded in bytes
    `filename_suffix`  end of the file's name
    `write_to_disk=False`  takes every call and writes nothing
    `story`        records command line, versions, git commit and machine at the start, and how the run ended
    `system_metrics`  True, or an interval in seconds: CPU, memory, disk, network and GPUs as scalars

    Any thread may call any method. A call that cannot be written never stops training: it is reported through
    the logger ``sightline.writer``, and ``flush`` and ``close`` return False. After ``close``, the next call
    begins a new file in the same directory.
    """

    def __init__(
        self,
        log_dir: str | os.PathLike[str] | None = None,
        comment: str = "",
        purge_step: int | None = None,
        max_queue: int = 10,
        flush_secs: float = 1,
        filename_suffix: str = "",
        write_to_disk: bool = True,
        *,
        logdir: str | os.PathLike[str] | None = None,
        comet_config: object = None,
        story: bool = True,
        system_metrics: bool | float = False,
    ) -> None:
        del comet_config
        if log_dir is not None and logdir is not None and os.fspath(log_dir) != os.fspath(logdir):
            raise BadArgumentError("log_dir and logdir are the same thing; give one of them")
        hostname = socket.gethostname()
        given = logdir if log_dir is None else log_dir
        self.log_dir = os.fsdecode(given) if given else _default_directory(hostname, comment)
        if "://" in self.log_dir:
            raise BadArgumentError(
                f"The writer writes local files. Write locally and copy, or mount the store: {self.log_dir}"
            )
        self.purge_step = purge_step
        self.max_queue = max_queue
        self.flush_secs = checked_number(flush_secs, "flush_secs is a time in seconds", 0)
        self.filename_suffix = filename_suffix
        self._directory = os.path.abspath(self.log_dir)
        self._owner_pid = os.getpid()
        self._children: dict[str, SummaryWriter] = {}
        self._unopened: set[str] = set()
        self._lock = threading.RLock()
        self._callers_error = lifetime.CallersError()
        has_metrics = system_metrics and write_to_disk
        self._system_metrics = SystemMetrics(self, system_metrics) if has_metrics else None
        self._sink = self._open_sink(hostname, write_to_disk)
        lifetime.remember(self)
        if story:
            self._begin_story()
        if self._system_metrics is not None:
            self._system_metrics.start()

    def _open_sink(self, hostname: str, write_to_disk: bool) -> Sink:
        if not write_to_disk:
            return NullSink()  # type: ignore[return-value]
        return Sink(
            self._directory,
            hostname=hostname,
            suffix=self.filename_suffix,
            flush_secs=max(self.flush_secs, _SHORTEST_FLUSH_S),
            purge_step=None if self.purge_step is None else step_from(self.purge_step),
        )

    @property
    def logdir(self) -> str:
        """tensorboardX's name of `log_dir`."""
        return self.log_dir

    def get_logdir(self) -> str:
        """The directory of the run."""
        return self.log_dir

    @property
    def file_writer(self) -> FileWriter:
        """The same file, for finished messages; programs written for torch's class reach for it."""
        return FileWriter.of(self)

    @property
    def all_writers(self) -> dict[str, FileWriter]:
        """The files of this writer and of the runs below it, by directory."""
        return {one.log_dir: one.file_writer for one in (self, *self._runs_below())}

    def _get_file_writer(self) -> FileWriter:
        return self.file_writer  # what Lightning calls

    def flush(self) -> bool:
        """Waits until everything logged so far is written. False: it could not be; the log says why."""
        background.drain()
        is_written = self._sink.flush()
        self._report()
        if not is_written:
            reason = self._sink.problem or f"{self._sink.lost_events} events were lost before"
            log.error("not everything is written: %s", reason)
        return all([is_written and not self._failed_values, *(one.flush() for one in self._runs_below())])

    def close(self) -> bool:
        """Writes what is waiting and closes the file. False: something is lost; the log says what.

        An exception on its way through the caller (``finally: writer.close()``) is how the run ended.
        """
        background.drain()
        return self._close(self._callers_error.now())

    def _close(self, error: BaseException | None) -> bool:
        with self._lock:
            if self._system_metrics is not None:
                self._system_metrics.stop()
            children = [one._close(error) for one in self._children.values()]
            if not self._sink.is_open:
                return all(children)
            # A forked child that logs has a file of its own, but how the run ends is its parent's to say.
            if self._owner_pid == os.getpid():
                self._end_hparams(error)
                self._end_story(error)
            is_written = self._sink.close()
            self._report()
            return all([is_written and not self._failed_values, *children])

    def _close_at_exit(self, error: BaseException | None) -> None:
        background.drain()
        self._close(self._callers_error.unless_survived(error))

    def _renew_after_fork(self) -> None:
        self._lock = threading.RLock()  # a thread that this process does not have may hold the old one

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        background.drain()
        self._close(error)

    def __del__(self) -> None:
        # A writer that nobody holds any more would otherwise keep its last second to itself. Jobs of its own
        # hold it, so none is waiting; waiting for those of others could mean waiting for the very thread
        # that the garbage collector has borrowed. At the end of the interpreter modules are gone.
        with suppress(Exception):
            if "_sink" in self.__dict__ and not sys.is_finalizing():
                self._close(None)

    def __repr__(self) -> str:
        return f"SummaryWriter({self.log_dir!r})"

    def _runs_below(self) -> list[SummaryWriter]:
        with self._lock:
            return list(self._children.values())

    def _child(self, path: str) -> SummaryWriter | None:
        with self._lock:
            child = self._children.get(path)
            if child is not None:
                return child
            try:
                child = SummaryWriter(
                    path,
                    purge_step=self.purge_step,
                    flush_secs=self.flush_secs,
                    filename_suffix=self.filename_suffix,
                    write_to_disk=not isinstance(self._sink, NullSink),
                    story=False,
                )
            except OSError as error:
                self._failed_values += 1
                if path not in self._unopened:
                    self._unopened.add(path)
                    log.error("a run cannot be opened; what is logged to it is lost until it can: %s", error)
                return None
            self._children[path] = child
            return child

    @contextmanager
    def use_metadata(
        self, *, global_step: int | None = None, walltime: float | None = None
    ) -> Iterator[None]:
        """Inside the block, calls without a step or wall time take these."""
        before: Any = (self._default_step, self._default_walltime, self._has_defaults)
        self._default_step = None if global_step is None else step_from(global_step)
        self._default_walltime = walltime
        self._has_defaults = True
        try:
            yield
        finally:
            self._default_step, self._default_walltime, self._has_defaults = before


def _default_directory(hostname: str, comment: str) -> str:
    return os.path.join("runs", f"{time.strftime('%b%d_%H-%M-%S')}_{hostname}{comment}")
