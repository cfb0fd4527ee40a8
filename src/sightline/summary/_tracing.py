"""The graphs that TensorFlow executes in a stretch of the program, and where time goes there.

TensorFlow (2.13 or later) collects both and writes them as summaries: it writes into a directory of its own
for a moment, and its events are copied to the default writer. torch has no record of executed graphs, and a
profiler of its own.
"""

from __future__ import annotations

import logging
import os
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sightline.formats.messages import Event
from sightline.model.errors import BadArgumentError
from sightline.summary._context import no_step_error, should_record_summaries, state, step_number

_log = logging.getLogger("sightline.summary")

_tensorflow: Any = None  # the module, from trace_on to the end of the trace
_lock = threading.Lock()


def trace_on(graph: bool = True, profiler: bool = False, profiler_outdir: Any = None) -> None:
    """Begins to record what TensorFlow computes, until ``trace_export`` or ``trace_off``.

    `graph` records the graphs it executes; `profiler` where time goes. Profiles are files in
    `profiler_outdir`, or in the directory of the default writer.
    """
    global _tensorflow
    outdir = None if profiler_outdir is None else os.fspath(profiler_outdir)
    with _lock:
        if _tensorflow is not None:
            _log.warning("a trace is already being recorded; trace_on is ignored")
            return
        tensorflow = sys.modules.get("tensorflow")
        if tensorflow is None:
            raise BadArgumentError(
                "There is nothing to trace: TensorFlow is not imported. torch has torch.profiler, "
                "and SummaryWriter.add_graph draws its modules"
            )
        if profiler and outdir is None:
            if state.writer is None:
                raise BadArgumentError(
                    "A profile needs a place: pass profiler_outdir or set a default writer"
                )
            outdir = state.writer.log_dir
        tensorflow.summary.trace_on(graph=graph, profiler=profiler, profiler_outdir=outdir)
        _tensorflow = tensorflow


def trace_export(name: str, step: Any = None, profiler_outdir: Any = None) -> None:
    """Ends the trace and writes it: graphs as a summary `name` of the default writer, profiles as files.

    `profiler_outdir` is accepted and not used: where profiles go is said to ``trace_on``.
    """
    global _tensorflow
    chosen = state.step if step is None else step
    with _lock:
        if _tensorflow is None:
            raise BadArgumentError("There is no trace to export. Call trace_on before what is to be traced")
        if chosen is None and state.writer is not None:
            raise no_step_error()
        tensorflow, _tensorflow = _tensorflow, None
    # With our own scopes; those of TensorFlow it adds itself.
    tag = f"{state.scope}/{name}" if state.scope else name
    writer = state.writer if should_record_summaries() else None
    for event in _exported(tensorflow, tag, 0 if chosen is None else step_number(chosen)):
        if writer is not None:
            writer._write_event(event)


def trace_off() -> None:
    """Ends the trace and forgets it."""
    global _tensorflow
    with _lock:
        tensorflow, _tensorflow = _tensorflow, None
    if tensorflow is not None:
        tensorflow.summary.trace_off()


def _exported(tensorflow: Any, tag: str, step: int) -> Iterator[bytes]:
    """Ends the trace, and gives the events that belong in the run."""
    with tempfile.TemporaryDirectory(prefix="sightline-trace-") as directory:
        writer = tensorflow.summary.create_file_writer(directory)
        with writer.as_default(), tensorflow.summary.record_if(True):
            tensorflow.summary.trace_export(tag, step=step)
        writer.close()
        for path in Path(directory).glob("*tfevents*"):
            for record in tensorflow.data.TFRecordDataset([str(path)]):
                event: bytes = record.numpy()
                if Event.decode(event).file_version is None:
                    yield event
