"""Writes precision-recall curves for end-to-end tests: ``write_pr_curves.py DIRECTORY``.

Two runs with ``val/dents`` at three steps, of ten examples and five thresholds each, so that every number can
be told by hand; ``val/scratches`` has other thresholds. ``odd/…`` is what cannot be drawn, or not all of it.
``many/runs`` is in ten runs.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from sightline import SummaryWriter

LABELS = np.array([1, 1, 1, 1, 0, 0, 0, 0, 0, 0])
SCORES = {
    "good": [0.9, 0.8, 0.6, 0.3, 0.6, 0.3, 0.3, 0.1, 0.1, 0.0],
    "weak": [0.9, 0.6, 0.3, 0.1, 0.8, 0.6, 0.3, 0.3, 0.1, 0.0],
}


def write(directory: Path) -> None:
    for run, scores in SCORES.items():
        with SummaryWriter(str(directory / run)) as writer:
            for step in (0, 10, 20):
                # Training spreads the scores: at first all are alike.
                spread = 0.5 + (np.array(scores) - 0.5) * step / 20
                writer.add_pr_curve("val/dents", LABELS, spread, step, num_thresholds=5)
                writer.add_pr_curve("val/scratches", LABELS, spread, step, num_thresholds=101)
            writer.add_scalar("val/loss", 0.5, 20)
    with SummaryWriter(str(directory / "odd")) as writer:
        zeros = np.zeros(3)
        writer.add_pr_curve_raw("odd/nothing", *[zeros] * 6, 0)
        writer.add_pr_curve("odd/positives only", np.ones(10), SCORES["good"], 0, num_thresholds=5)
    for number in range(10):
        with SummaryWriter(str(directory / f"run{number}")) as writer:
            writer.add_pr_curve("many/runs", LABELS, SCORES["weak"], 20)


write(Path(sys.argv[1]))
