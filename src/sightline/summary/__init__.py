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

from sightline.summary import experimental as experimental
from sightline.summary._functions import audio as audio
from sightline.summary._functions import graph as graph
from sightline.summary._functions import histogram as histogram
from sightline.summary._functions import image as image
from sightline.summary._functions import scalar as scalar
from sightline.summary._functions import text as text
from sightline.summary._functions import write as write
from sightline.summary._recording import record_if as record_if
from sightline.summary._recording import should_record as should_record
from sightline.summary._recording import should_record_summaries as should_record_summaries
from sightline.summary._scopes import name_scope as name_scope
from sightline.summary._tracing import trace_export as trace_export
from sightline.summary._tracing import trace_off as trace_off
from sightline.summary._tracing import trace_on as trace_on
from sightline.summary._writer import SummaryWriter as SummaryWriter
from sightline.summary._writer import create_file_writer as create_file_writer
from sightline.summary._writer import create_noop_writer as create_noop_writer
from sightline.summary._writer import flush as flush

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
