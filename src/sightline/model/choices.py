"""The words of which a question or an answer has one: the same from the page to the core, and listed here.

core/bindings/bulk.cpp lists those that the core knows once more; a test compares.
"""

from __future__ import annotations

from typing import Literal

XAxis = Literal["step", "relative", "wall", "active", "metric"]
"""active: seconds since the first point without the pauses between restarts. metric: the value of another tag
at the same step."""
BaselineMode = Literal["difference", "ratio", "percent"]
"""percent: 100 × (value / baseline - 1)."""
SmoothingKind = Literal["none", "ema", "time_ema", "gaussian", "mean"]
"""ema: TensorBoard's debiased moving average. time_ema: the same by time instead of by points. gaussian and
mean: centred, over neighbouring points."""
Center = Literal["mean", "median"]
Band = Literal["none", "std", "sem", "minmax", "quartiles", "ci"]

RunStatus = Literal["running", "finished", "crashed", "interrupted", "stalled"]
FieldKind = Literal["number", "text", "boolean"]
"""Of a hyper-parameter."""
