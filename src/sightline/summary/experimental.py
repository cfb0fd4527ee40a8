"""The names that ``tf.summary.experimental`` has."""

from __future__ import annotations

from sightline.summary._context import get_step, set_step, summary_scope
from sightline.summary._functions import write_raw_pb

__all__ = ["get_step", "set_step", "summary_scope", "write_raw_pb"]
