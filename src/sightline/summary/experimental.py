"""The names that ``tf.summary.experimental`` has."""

from __future__ import annotations

from sightline.summary._functions import write_raw_pb as write_raw_pb
from sightline.summary._recording import get_step as get_step
from sightline.summary._recording import set_step as set_step
from sightline.summary._scopes import summary_scope as summary_scope

__all__ = ["get_step", "set_step", "summary_scope", "write_raw_pb"]
