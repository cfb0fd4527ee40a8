"""The run that is being written while you watch: through our own writer, a few steps a second.

A thread and not a process, so that it ends with the server whatever ends that. What it logs is made before it
starts; each step costs microseconds.
"""

from __future__ import annotations

import itertools
import threading
import time
from pathlib import Path

from sightline.demo.generated_text import GENERATE_EVERY, generated_text
from sightline.demo.language_model import STEPS, Experiment, curves, logged_steps
from sightline.writer.summary_writer import SummaryWriter

STEPS_PER_S = 4
STEPS_BEFORE = 240
"""How far the first run is when the demo starts: a minute of steps, so that there is something to see."""

_STEPS = 20_000


class LiveRun:
    """Writes runs named gpt/live, gpt/live-2 … below a directory, one after the other, until ``stop``."""

    def __init__(self, root: Path, *, steps_per_s: float = STEPS_PER_S) -> None:
        self._root = root
        self._interval_s = 1 / steps_per_s
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="sightline-demo", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Closes the run; returns when that is done."""
        self._stopping.set()
        self._thread.join()

    def _run(self) -> None:
        for number in itertools.count(1):
            if self._stopping.is_set():
                return
            name = "live" if number == 1 else f"live-{number}"
            experiment = Experiment(name, seed=100 + number, final_loss=2.95, steps=_STEPS)
            self._write(experiment, steps_before=STEPS_BEFORE if number == 1 else 0)

    def _write(self, experiment: Experiment, *, steps_before: int) -> None:
        series = curves(experiment)
        with SummaryWriter(self._root / experiment.run, flush_secs=0.2) as writer:
            for step, numbers in logged_steps(series, first_step=0, last_step=experiment.steps):
                age_s = max(0, steps_before - step) * self._interval_s
                wall_time = time.time() - age_s
                writer.log(numbers, step, walltime=wall_time)
                if step % GENERATE_EVERY == 0:
                    text = generated_text(step, steps=STEPS, seed=experiment.seed)
                    writer.add_text("samples/generated", text, step, walltime=wall_time)
                if step >= steps_before and self._stopping.wait(self._interval_s):
                    return
