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
from typing import TYPE_CHECKING

from sightline._core import Sink
from sightline.formats.messages import Event, PluginData, Summary, SummaryMetadata, TensorProto, Value
from sightline.writer.engine.arguments import checked_number, step_from
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
        if walltime is None:
            return step_from(global_step), time.time()
        return step_from(global_step), checked_number(walltime, "walltime is a number of seconds since 1970")

    def _write(
        self, values: Sequence[Value], global_step: object = None, walltime: float | None = None
    ) -> None:
        """Gives the values of one event to the file's thread."""
        step, walltime = self._place(global_step, walltime)
        self._write_event(Event(wall_time=walltime, step=step, summary=Summary(value=values)).encode())

    def _write_event(self, event: bytes) -> None:
        if self._sink.add_event(event):
            self._report()

    def _defer(
        self,
        encode: Callable[[], Sequence[Value]],
        global_step: object,
        walltime: float | None,
        size_bytes: int,
    ) -> None:
        """Calls `encode` on the background thread and writes what it returns.

        `encode` must hold its own copy of everything a training loop may change; `size_bytes` is how much.
        """
        step, time_s = self._place(global_step, walltime)
        self._submit(
            lambda: self._write(encode(), step, time_s), f"a value of step {step}", size_bytes=size_bytes
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

    def _warn_once(self, tag: str, message: str, *facts: object) -> None:
        """Says what a value lost on its way into the file, for the first value of a tag only.

        A NaN pixel or a clipped sound must not stop training, and must not pass in silence either. `message`
        begins with a place for the tag.
        """
        made: set[tuple[str, str]] = self.__dict__.setdefault("_warnings_made", set())
        if (tag, message) not in made:
            made.add((tag, message))
            log.warning(message + " (said once per tag)", tag, *facts)

    def _child(self, path: str) -> SummaryWriter | None:
        """The writer of a run below this one; None, with the reason in the log, when it cannot be opened."""
        raise NotImplementedError  # SummaryWriter's to know

    def _report(self) -> None:
        """Says what the file's thread has to say, in the caller's log."""
        for level, message in self._sink.take_notices():
            log.log(logging.getLevelName(level.upper()), "%s", message)


class NullSink:
    """The sink of a writer that writes nothing (``write_to_disk=False``): takes every call, keeps none."""

    path = ""
    is_open = False
    problem = ""
    pending_bytes = 0
    lost_events = 0
    last_step = 0

    def _take(self, *values: object, **options: object) -> bool:
        return False

    add_scalar = add_scalars = add_histogram = add_event = _take

    def flush(self) -> bool:
        return True

    close = flush

    def take_notices(self) -> list[tuple[str, str]]:
        return []


def plugin_value(tag: str, plugin: str, *, tensor: TensorProto | None = None, content: bytes = b"") -> Value:
    """A value of a plugin; `content` is what the plugin says about it. Not every one has a tensor."""
    metadata = SummaryMetadata(plugin_data=PluginData(plugin_name=plugin, content=content))
    return Value(tag=tag, tensor=tensor, metadata=metadata)
