"""Writes values of several kinds for end-to-end tests: one order per line on standard input, as JSON.

{"directory": "…", "steps": [0, 10]}
{"directory": "…", "steps": [0, 10], "images": ["tag"], "texts": {"tag": "Markdown"}}

The second form writes these tags instead of the usual ones.
Each is answered by a line on standard output once its values are on disk. Writers stay open, as those of a
training that is still running do.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from orders import follow_orders

from sightline import SummaryWriter


def follow(order: dict[str, Any], writers: dict[str, SummaryWriter]) -> None:
    directory = order["directory"]
    writer = writers.setdefault(directory, SummaryWriter(directory))
    for step in order["steps"]:
        picture = np.full((3, 8, 8), min(255, step), dtype=np.uint8)
        for tag in order.get("images", ()):
            writer.add_image(tag, picture, step)
        for tag, text in order.get("texts", {}).items():
            writer.add_text(tag, text, step)
        if "images" in order or "texts" in order:
            continue
        writer.add_scalar("train/loss", 1 / (1 + step), step)
        writer.add_image("train/samples", picture, step)
        writer.add_image("other/pictures", picture, step)
        writer.add_text("notes/plan", f"The plan at step {step}", step)
    writer.flush()


if __name__ == "__main__":
    follow_orders(follow)
