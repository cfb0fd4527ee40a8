"""The shape of ``tf.summary``, without TensorFlow: a script changes its import line.

    import sightline.summary as summary

    writer = summary.create_file_writer("runs/exp1")
    with writer.as_default():
        for step in range(100):
            summary.scalar("loss", 1 / (step + 1), step=step)

What is written is what TensorFlow writes for the same call. Values may be those of TensorFlow, torch, JAX or
NumPy. The default writer, step and condition belong to a thread, as in TensorFlow. The functions also work
inside a ``tf.function``.
"""

from __future__ import annotations

from sightline.summary import experimental
from sightline.summary._context import name_scope, record_if, should_record, should_record_summaries
from sightline.summary._functions import audio, graph, histogram, image, scalar, text, write
from sightline.summary._tracing import trace_export, trace_off, trace_on
from sightline.summary._writer import SummaryWriter, create_file_writer, create_noop_writer, flush

__all__ = [
    "SummaryWriter",
    "audio",
    "create_file_writer",
    "create_noop_writer",
    "experimental",
    "flush",
    "graph",
    "histogram",
    "image",
    "name_scope",
    "record_if",
    "scalar",
    "should_record",
    "should_record_summaries",
    "text",
    "trace_export",
    "trace_off",
    "trace_on",
    "write",
]
