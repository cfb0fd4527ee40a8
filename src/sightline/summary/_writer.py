"""The writers of ``sightline.summary``: objects that become the default writer of a thread.

A file writer is a SummaryWriter of ``sightline.writer`` with TensorFlow's manners added. What is said there
about threads, forks, full disks and the end of the process holds here too.
"""

from __future__ import annotations

import abc
import os
from contextlib import AbstractContextManager, nullcontext
from types import TracebackType
from typing import TYPE_CHECKING, Any

from sightline.model.errors import BadArgumentError
from sightline.summary._context import state
from sightline.writer.summary_writer import SummaryWriter as FileWriterBase

if TYPE_CHECKING:
    from typing_extensions import Self

_SUFFIX = ".v2"
_DEFAULT_FLUSH_S = 1.0


class SummaryWriter(abc.ABC):
    """What all writers of this module have in common."""

    @abc.abstractmethod
    def as_default(self, step: Any = None) -> AbstractContextManager[Any]:
        """A block in which the summary functions of this thread write here; `step` is their default step."""

    @abc.abstractmethod
    def set_as_default(self, step: Any = None) -> None:
        """From now on the summary functions of this thread write here, by default at `step` if given."""

    def init(self) -> None:  # noqa: B027  (there is really nothing to do)
        """Nothing: writers are ready when they are made."""

    @abc.abstractmethod
    def flush(self) -> bool:
        """Waits until everything written so far is on disk. False: it could not be; the log says why."""

    @abc.abstractmethod
    def close(self) -> bool:
        """Flushes and closes."""


class FileSummaryWriter(FileWriterBase, SummaryWriter):
    def as_default(self, step: Any = None) -> AbstractContextManager[FileSummaryWriter]:
        return _DefaultWriter(self, step)

    def set_as_default(self, step: Any = None) -> None:
        state.writer = self
        if step is not None:
            state.step = step


class _DefaultWriter(AbstractContextManager[FileSummaryWriter]):
    """The block of ``as_default``. Its end flushes, as in TensorFlow: what was written in it can be read."""

    def __init__(self, writer: FileSummaryWriter, step: Any) -> None:
        self._writer = writer
        self._step = step
        # A list, because one block may be entered several times.
        self._before: list[tuple[FileSummaryWriter | None, Any]] = []

    def __enter__(self) -> FileSummaryWriter:
        self._before.append((state.writer, state.step))
        self._writer.set_as_default(self._step)
        return self._writer

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        state.writer, step = self._before.pop()
        if self._step is not None:  # without one, a step that was set inside stays
            state.step = step
        self._writer.flush()


class NoopSummaryWriter(SummaryWriter):
    """Takes the place of a writer and does nothing; a default writer that is there already stays."""

    def as_default(self, step: Any = None) -> AbstractContextManager[None]:
        return nullcontext()

    def set_as_default(self, step: Any = None) -> None:
        pass

    def flush(self) -> bool:
        return True

    def close(self) -> bool:
        return True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        pass


def create_file_writer(
    logdir: str | os.PathLike[str],
    max_queue: int | None = None,
    flush_millis: float | None = None,
    filename_suffix: str | None = None,
    name: str | None = None,
    experimental_trackable: bool = False,
    experimental_mesh: object = None,
    *,
    story: bool = True,
) -> FileSummaryWriter:
    """A writer of event files in `logdir`.

    Values reach the disk within a second, or within `flush_millis`. `max_queue`, `name` and the experimental
    arguments are accepted and not used. `story` as in ``sightline.SummaryWriter``: how the run came about.
    """
    del max_queue, name, experimental_trackable, experimental_mesh
    if logdir is None:
        raise BadArgumentError("create_file_writer needs a directory, not None")
    return FileSummaryWriter(
        _path_of(logdir),
        flush_secs=_DEFAULT_FLUSH_S if flush_millis is None else float(flush_millis) / 1000,
        filename_suffix=_SUFFIX if filename_suffix is None else filename_suffix,
        story=story,
    )


def create_noop_writer() -> NoopSummaryWriter:
    """A writer that does nothing."""
    return NoopSummaryWriter()


def flush(writer: SummaryWriter | None = None, name: str | None = None) -> None:
    """Waits until everything written so far is on disk; without a `writer`, the default one."""
    chosen = state.writer if writer is None else writer
    if chosen is None:
        return
    if not isinstance(chosen, SummaryWriter):
        raise BadArgumentError(f"flush() takes a writer, not {type(chosen).__name__}")
    chosen.flush()


def _path_of(logdir: Any) -> str:
    """A path; also out of a string tensor, which TensorFlow takes."""
    if callable(getattr(logdir, "numpy", None)):
        logdir = logdir.numpy()
    path = os.fspath(logdir)
    return os.fsdecode(path) if isinstance(path, bytes) else path
