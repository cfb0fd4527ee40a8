"""Writes meshes for end-to-end tests: ``write_mesh.py DIRECTORY``.

Two runs with the same tags. ``solid`` is a red box, twice as wide in the run ``wide``, which is blue at the
last step; ``cloud`` is a batch of two, ``batches`` one of four and then of two; ``seen`` is logged with a
camera that stands above; ``far`` is far from 0; ``odd`` has holes.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from sightline import SummaryWriter

CORNERS = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float32)
SIDES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
FACES = np.array([face for a, b, c, d in SIDES for face in ((a, b, c), (a, c, d))])
RED, BLUE = np.array([200, 0, 0]), np.array([0, 0, 200])


def main(directory: Path) -> None:
    rng = np.random.default_rng(1)
    for run, width in (("narrow", 1), ("wide", 2)):
        with SummaryWriter(str(directory / run)) as writer:
            box = CORNERS * [width, 1, 1]
            for step in (0, 10):
                colour = BLUE if step else RED
                writer.add_mesh("solid", box, np.broadcast_to(colour, box.shape), FACES, global_step=step)
            writer.add_mesh("cloud", rng.normal(size=(2, 500, 3)) * [[[1]], [[3]]], global_step=10)
            for step, size in ((0, 4), (10, 2)):
                writer.add_mesh("batches", rng.normal(size=(size, 500, 3)), global_step=step)
            above = {"camera": {"cls": "PerspectiveCamera", "fov": 50, "position": [0, 5, 0.001]}}
            writer.add_mesh("seen", box, faces=FACES, config_dict=above, global_step=10)
            writer.add_mesh("far", box + 1e6, faces=FACES, global_step=10)
    with SummaryWriter(str(directory / "odd")) as writer:
        holed = CORNERS.copy()
        holed[0] = np.nan
        writer.add_mesh("odd/holes", holed, faces=np.append(FACES, [[1, 2, 99]], axis=0), global_step=0)
        writer.add_mesh("odd/nothing", np.full((4, 3), np.nan), global_step=0)


main(Path(sys.argv[1]))
