"""What every group of ``add_…`` methods builds on.

A method checks its arguments on the caller's thread, so that a mistake is raised where it was made. Then it
either gives finished values away at once (`_write`), or takes a copy of its data and leaves the encoding to
the background thread (`_defer`). Trouble that comes later never reaches the training loop as an exception: it
is logged once, counted, and said again by ``flush`` and ``close``.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from sightline._core import Sink
from sightline.formats.messages import Event, Summary, Value
from sightline.model.errors import BadArgumentError
from sightline.writer.engine.background import background

if TYPE_CHECKING:
    from sightline.writer.summary_writer import SummaryWriter

log = logging.getLogger("sightline.writer")


class WriterBase:
    """Step, time and the way into the file."""

    log_dir: str
    _directory: str
    """`log_dir` as it was when the writer was made, whatever the current directory becomes."""
    _sink: Sink
    _default_step: int | None = None
    _default_walltime: float | None = None
    _has_defaults: bool = False
    _failed_values: int = 0

    def _place(self, global_step: object, walltime: float | None) -> tuple[int, float]:
        """Step and wall time of a call: as given, else the defaults of ``use_metadata``, else 0 and now."""
        if global_step is None:
            global_step = self._default_step
        if walltime is None:
            walltime = self._default_walltime
        return step_from(global_step), time.time() if walltime is None else _seconds_from(walltime)

    def _write(self, values: Sequence[Value], step: int, walltime: float) -> None:
        """Gives the values of one event to the file's thread."""
        event = Event(wall_time=walltime, step=step, summary=Summary(value=values))
        self._write_event(event)

    def _write_event(self, event: Event) -> None:
        if self._sink.add_event(event.encode()):
            self._report()

    def _defer(
        self, encode: Callable[[], Sequence[Value]], step: int, walltime: float, *, size_bytes: int
    ) -> None:
        """Calls `encode` on the background thread and writes what it returns.

        `encode` must hold its own copy of everything a training loop may change; `size_bytes` is how much.
        """

        self._submit(
            lambda: self._write(encode(), step, walltime), f"a value of step {step}", size_bytes=size_bytes
        )

    def _submit(self, work: Callable[[], None], what: str, *, size_bytes: int) -> None:
        """Does `work` on the background thread. When it fails, that is logged and counted, not raised."""

        def job() -> None:
            try:
                work()
            except Exception as error:
                self._lose(what, error)

        background.submit(job, size_bytes)

    def _lose(self, what: str, error: Exception) -> None:
        """Counts something that cannot be written, and says why."""
        self._failed_values += 1
        trace = None if isinstance(error, OSError) else error  # a full disk is nobody's mistake in the code
        log.error(
            "%s could not be written: %r. It is left out of %s", what, error, self.log_dir, exc_info=trace
        )

    def _child(self, path: str) -> SummaryWriter | None:
        """The writer of a run below this one; None, with the reason in the log, when it cannot be opened."""
        raise NotImplementedError  # SummaryWriter's to know

    def _report(self) -> None:
        """Says what the file's thread has to say, in the caller's log."""
        for level, message in self._sink.take_notices():
            log.log(logging.getLevelName(level.upper()), "%s", message)


def _seconds_from(walltime: Any) -> float:
    try:
        return float(walltime)
    except (TypeError, ValueError) as error:
        raise BadArgumentError(f"walltime is a number of seconds since 1970, not {walltime!r}") from error


def step_from(global_step: Any) -> int:
    """A step as the format has it: a whole number of 64 bits. None is 0, as in torch."""
    if global_step is None:
        return 0
    try:
        step = int(global_step)
    except (TypeError, ValueError, OverflowError) as error:
        raise BadArgumentError(f"A step is a whole number, not {global_step!r}") from error
    if not -(1 << 63) <= step < 1 << 63:
        raise BadArgumentError(f"A step has 64 bits; {step} does not fit")
    return step
