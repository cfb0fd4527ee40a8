"""What a framework does in a stretch of the program: graphs it executes, and where time goes.

The frameworks know; we ask the one that is loaded. TensorFlow collects executed graphs and profiles and
writes them as summaries: it writes into a directory of its own for a moment, and its events are copied to the
default writer. torch has no record of executed graphs (``SummaryWriter.add_graph`` draws a module), but a
profiler.
"""

from __future__ import annotations

import inspect
import logging
import os
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

from sightline.formats.messages import Event
from sightline.model.errors import BadArgumentError
from sightline.summary._recording import no_step_error, should_record_summaries, state, step_number

_log = logging.getLogger("sightline.summary")


class _Trace(Protocol):
    def export(self, name: str, step: int, profiler_outdir: str | None) -> Iterator[bytes]:
        """Ends the trace, writes its files, and gives the events that belong in the run."""

    def discard(self) -> None: ...


_current: _Trace | None = None
_lock = threading.Lock()


def trace_on(graph: bool = True, profiler: bool = False, profiler_outdir: Any = None) -> None:
    """Begins to record what the program computes, until ``trace_export`` or ``trace_off``.

    `graph` records the graphs that TensorFlow executes; `profiler` where time goes, with TensorFlow or torch.
    Profiles are files in `profiler_outdir`, or in the directory of the default writer.
    """
    global _current
    outdir = None if profiler_outdir is None else os.fspath(profiler_outdir)
    with _lock:
        if _current is not None:
            _log.warning("a trace is already being recorded; trace_on is ignored")
            return
        tensorflow, torch = sys.modules.get("tensorflow"), sys.modules.get("torch")
        if tensorflow is not None:
            _current = _TensorFlowTrace(tensorflow, graph, profiler, outdir)
        elif torch is not None and profiler:
            _current = _TorchTrace(torch, outdir)
        elif torch is not None:
            raise BadArgumentError(
                "torch keeps no record of executed graphs. Pass profiler=True for a profile, "
                "or draw the module with SummaryWriter.add_graph"
            )
        else:
            raise BadArgumentError("There is nothing to trace: neither TensorFlow nor torch is imported")


def trace_export(name: str, step: Any = None, profiler_outdir: Any = None) -> None:
    """Ends the trace and writes it: graphs as a summary `name` of the default writer, profiles as files."""
    global _current
    chosen = state.step if step is None else step
    with _lock:
        if _current is None:
            raise BadArgumentError("There is no trace to export. Call trace_on before what is to be traced")
        if chosen is None and state.writer is not None:
            raise no_step_error()
        trace, _current = _current, None
    outdir = None if profiler_outdir is None else os.fspath(profiler_outdir)
    events = trace.export(name, 0 if chosen is None else step_number(chosen), outdir)
    writer = state.writer if should_record_summaries() else None
    for event in events:
        if writer is not None and writer._sink.add_event(event):
            writer._report()


def trace_off() -> None:
    """Ends the trace and forgets it."""
    global _current
    with _lock:
        trace, _current = _current, None
    if trace is not None:
        trace.discard()


class _TensorFlowTrace:
    def __init__(self, tensorflow: Any, graph: bool, profiler: bool, outdir: str | None) -> None:
        self._tensorflow = tensorflow
        self._summary = tensorflow.summary
        # Releases before 2.13 take the directory at the end instead of the beginning.
        self._is_outdir_late = "profiler_outdir" not in inspect.signature(self._summary.trace_on).parameters
        self._outdir = _outdir_or_default(outdir) if profiler and not self._is_outdir_late else outdir
        self._is_profiled = profiler
        begin = {} if self._is_outdir_late else {"profiler_outdir": self._outdir}
        self._summary.trace_on(graph=graph, profiler=profiler, **begin)

    def export(self, name: str, step: int, profiler_outdir: str | None) -> Iterator[bytes]:
        end = {}
        if self._is_profiled and self._is_outdir_late:
            end = {"profiler_outdir": _outdir_or_default(profiler_outdir or self._outdir)}
        with tempfile.TemporaryDirectory(prefix="sightline-trace-") as directory:
            writer = self._summary.create_file_writer(directory)
            with writer.as_default(), self._summary.record_if(True):
                self._summary.trace_export(_scoped(name), step=step, **end)
            writer.close()
            for path in Path(directory).glob("*tfevents*"):
                for record in self._tensorflow.data.TFRecordDataset([str(path)]):
                    event: bytes = record.numpy()
                    if Event.decode(event).file_version is None:
                        yield event

    def discard(self) -> None:
        self._summary.trace_off()


class _TorchTrace:
    def __init__(self, torch: Any, outdir: str | None) -> None:
        self._outdir = _outdir_or_default(outdir)
        profiler = torch.profiler
        activities = [profiler.ProfilerActivity.CPU]
        if torch.cuda.is_available():
            activities.append(profiler.ProfilerActivity.CUDA)
        self._profile = profiler.profile(activities=activities)
        self._profile.start()

    def export(self, name: str, step: int, profiler_outdir: str | None) -> Iterator[bytes]:
        self._profile.stop()
        directory = profiler_outdir or self._outdir
        os.makedirs(directory, exist_ok=True)
        file_name = f"{socket.gethostname()}_{os.getpid()}.{time.time_ns()}.pt.trace.json.gz"
        self._profile.export_chrome_trace(os.path.join(directory, file_name))
        yield from ()

    def discard(self) -> None:
        self._profile.stop()


def _outdir_or_default(outdir: str | None) -> str:
    if outdir is not None:
        return outdir
    if state.writer is None:
        raise BadArgumentError("A profile needs a place: pass profiler_outdir, or set a default writer")
    return state.writer.log_dir


def _scoped(name: str) -> str:
    """With our own scopes; those of TensorFlow it adds itself."""
    return f"{state.scope}/{name}" if state.scope else name
