"""FileWriter: finished messages into an event file, for programs that build their own.

torch and tensorboardX have a class of this name below their SummaryWriter, and Lightning and others reach for
it. Messages may be those of any protobuf package, ours, or bytes; they are passed on as they are.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from sightline.formats.messages import Event, TaggedRunMetadata
from sightline.formats.wire import Message, field
from sightline.formats.wire_types import BYTES, DOUBLE, INT64
from sightline.model.errors import BadArgumentError, DamagedValueError

if TYPE_CHECKING:
    from sightline.writer.summary_writer import SummaryWriter

_RUN_METADATA_TAG = "step1"  # torch's; tensorboardX says "profiler", and no reader minds


class _Envelope(Message):
    """An Event of which only time and step are looked at; what is inside stays as it is."""

    wall_time: float = field(1, DOUBLE)
    step: int = field(2, INT64)
    file_version: bytes | None = field(3, BYTES, oneof="what")
    graph_def: bytes | None = field(4, BYTES, oneof="what")
    summary: bytes | None = field(5, BYTES, oneof="what")
    log_message: bytes | None = field(6, BYTES, oneof="what")
    session_log: bytes | None = field(7, BYTES, oneof="what")
    tagged_run_metadata: bytes | None = field(8, BYTES, oneof="what")
    meta_graph_def: bytes | None = field(9, BYTES, oneof="what")
    source_metadata: bytes | None = field(10, BYTES, oneof="source")


class FileWriter:
    """Writes events and summaries that are already messages.

    Arguments as in torch; `flush_secs` and `max_queue` as in ``SummaryWriter``.
    """

    def __init__(
        self,
        log_dir: str | os.PathLike[str] | None = None,
        max_queue: int = 10,
        flush_secs: float = 1,
        filename_suffix: str = "",
        *,
        logdir: str | os.PathLike[str] | None = None,
    ) -> None:
        if log_dir is None and logdir is None:
            raise BadArgumentError("FileWriter needs a directory")
        from sightline.writer.summary_writer import SummaryWriter  # which knows this module

        self._writer = SummaryWriter(
            log_dir,
            logdir=logdir,
            max_queue=max_queue,
            flush_secs=flush_secs,
            filename_suffix=filename_suffix,
            story=False,
        )

    @classmethod
    def of(cls, writer: SummaryWriter) -> FileWriter:
        """Another face of a writer: the same file."""
        one = cls.__new__(cls)
        one._writer = writer
        return one

    def get_logdir(self) -> str:
        return self._writer.log_dir

    def add_event(self, event: Any, step: int | None = None, walltime: float | None = None) -> None:
        """Adds an Event. Its time becomes `walltime` or now, and its step `step` if that is given."""
        try:
            envelope = _Envelope.decode(encoded_message(event))
        except DamagedValueError as error:
            raise BadArgumentError(f"These bytes are no Event: {error}") from None
        own_step = envelope.step if step is None and not self._writer._has_defaults else step
        envelope.step, envelope.wall_time = self._writer._place(own_step, walltime)
        self._writer._write_event(envelope.encode())

    def add_summary(
        self, summary: Any, global_step: int | None = None, walltime: float | None = None
    ) -> None:
        """Adds an Event that holds this Summary."""
        step, wall_time = self._writer._place(global_step, walltime)
        envelope = _Envelope(wall_time=wall_time, step=step, summary=encoded_message(summary))
        self._writer._write_event(envelope.encode())

    def add_graph(self, graph_profile: Sequence[Any], walltime: float | None = None) -> None:
        """Adds a pair of a GraphDef and the RunMetadata (or StepStats) that belongs to it."""
        graph, metadata = graph_profile
        self.add_onnx_graph(graph, walltime)
        tagged = TaggedRunMetadata(tag=_RUN_METADATA_TAG, run_metadata=encoded_message(metadata))
        self.add_event(Event(tagged_run_metadata=tagged), None, walltime)

    def add_onnx_graph(self, graph: Any, walltime: float | None = None) -> None:
        """Adds a GraphDef."""
        self.add_event(Event(graph_def=encoded_message(graph)), None, walltime)

    def add_openvino_graph(self, graph: Any, walltime: float | None = None) -> None:
        """Adds a GraphDef."""
        self.add_onnx_graph(graph, walltime)

    def use_metadata(
        self, *, global_step: int | None = None, walltime: float | None = None
    ) -> AbstractContextManager[None]:
        """Inside the block, calls without a step or wall time take these."""
        return self._writer.use_metadata(global_step=global_step, walltime=walltime)

    def flush(self) -> None:
        """Waits until everything added so far is written."""
        self._writer.flush()

    def close(self) -> None:
        """Writes what is waiting and closes the file."""
        self._writer.close()

    def reopen(self) -> None:
        """Nothing to do: after ``close``, the next event begins a new file in the same directory."""


def encoded_message(message: Any) -> bytes:
    """The bytes of a message of protobuf or of ours; bytes are taken as they are."""
    if isinstance(message, bytes):
        return message
    if isinstance(message, Message):
        return message.encode()
    serialize: Callable[[], bytes] | None = getattr(message, "SerializeToString", None)
    if serialize is None:
        raise BadArgumentError(
            f"A message of protobuf or of Sightline, or its bytes, is needed, not {type(message).__name__}"
        )
    return serialize()
