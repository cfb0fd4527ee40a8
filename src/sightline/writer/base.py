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
from typing import Any

from sightline._core import Sink
from sightline.formats.messages import Event, Summary, Value
from sightline.model.errors import BadArgumentError
from sightline.writer.background import background

log = logging.getLogger("sightline.writer")


class WriterBase:
    """Step, time and the way into the file."""

    log_dir: str
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
        return step_from(global_step), time.time() if walltime is None else float(walltime)

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

        def job() -> None:
            try:
                self._write(encode(), step, walltime)
            except Exception:
                self._failed_values += 1
                log.exception(
                    "a value of step %d could not be encoded; it is left out of %s", step, self.log_dir
                )

        background.submit(job, size_bytes)

    def _report(self) -> None:
        """Says what the file's thread has to say, in the caller's log."""
        for level, message in self._sink.take_notices():
            log.log(logging.getLevelName(level.upper()), "%s", message)


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
