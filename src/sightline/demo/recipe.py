"""One run of the made-up classifier: its hyper-parameters, and how well they work."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Recipe:
    """One run: its hyper-parameters, and how well they work."""

    name: str
    model: str
    seed: int
    learning_rate: float
    final_loss: float
    time_constant_steps: float
    start_s: float
    hparams: Mapping[str, float | str | bool] = field(default_factory=dict)
