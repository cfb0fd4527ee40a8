"""The writers of ``sightline.summary``: objects that become the default writer of a thread.

A file writer is a SummaryWriter of ``sightline.writer`` with TensorFlow's manners added. What is said there
about threads, forks, full disks and the end of the process holds here too.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

from sightline.model.errors import BadArgumentError
from sightline.summary._context import state
from sightline.writer.summary_writer import SummaryWriter as FileWriterBase

if TYPE_CHECKING:
    from typing_extensions import Self

_SUFFIX = ".v2"
_DEFAULT_FLUSH_S = 1.0


class SummaryWriter:
    """What all writers of this module have. By itself it does nothing, and replaces no other one."""

    def as_default(self, step: Any = None) -> AbstractContextManager[Any]:
        """A block in which the summary functions of this thread write here; `step` is their default step."""
        return nullcontext()

    def set_as_default(self, step: Any = None) -> None:
        """From now on the summary functions of this thread write here, by default at `step` if given."""

    def init(self) -> None:
        """Nothing: writers are ready when they are made."""

    def flush(self) -> bool:
        """Waits until everything written so far is on disk. False: it could not be; the log says why."""
        return True

    def close(self) -> bool:
        """Flushes and closes."""
        return True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: Any) -> None:
        pass


class FileSummaryWriter(FileWriterBase, SummaryWriter):
    @contextmanager
    def as_default(self, step: Any = None) -> Iterator[FileSummaryWriter]:
        """The end of the block flushes, as in TensorFlow: what was written in it can be read."""
        before = state.writer, state.step
        self.set_as_default(step)
        try:
            yield self
        finally:
            state.writer, step_before = before
            if step is not None:  # without one, a step that was set inside stays
                state.step = step_before
            self.flush()

    def set_as_default(self, step: Any = None) -> None:
        state.writer = self
        if step is not None:
            state.step = step


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


def create_noop_writer() -> SummaryWriter:
    """A writer that does nothing."""
    return SummaryWriter()


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
