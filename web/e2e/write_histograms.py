"""Writes histograms for end-to-end tests: ``write_histograms.py DIRECTORY``.

Two runs with tags at five steps, in buckets of width 1 and with ten values each, so that every number can be
told by hand: ``layer1/weights`` never moves, ``layer2/weights`` moves by 1 from step to step, and
``layer3/weights`` becomes all zeros. ``odd/nothing`` holds NaN only.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from sightline import SummaryWriter

VALUES = np.array([0.5, 1.5, 1.5, 2.5, 2.5, 2.5, 2.5, 3.5, 3.5, 4.5])
EDGES = np.arange(-0.0, 12.0)


def write(directory: Path) -> None:
    for run in ("a", "b"):
        with SummaryWriter(str(directory / run)) as writer:
            for index in range(5):
                step = 10 * index
                writer.add_histogram("layer1/weights", VALUES, step, bins=EDGES)
                writer.add_histogram("layer2/weights", VALUES + index, step, bins=EDGES)
                zeroed = np.where(np.arange(10) < 2.5 * index, 0, VALUES)
                writer.add_histogram("layer3/weights", zeroed, step)
            writer.add_scalar("loss", 0.5, 40)
    with SummaryWriter(str(directory / "odd")) as writer:
        writer.add_histogram("odd/nothing", np.full(3, np.nan), 0)


write(Path(sys.argv[1]))
