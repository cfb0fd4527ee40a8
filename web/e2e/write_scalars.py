"""Writes scalars for end-to-end tests with the real writer: one order per line on standard input, as JSON.

{"directory": "…", "first_step": 0, "started_s": null, "tags": {"train/loss": [1.0, 0.5]}, "is_open": false}

Each is answered by a line on standard output once its points are on disk: "done", or what went wrong. Values
may be the words NaN, Infinity and -Infinity. With ``started_s``, step n gets the wall time started_s + n. A
writer that stays open goes on with the next order for its directory, as a training that is still running
does.
"""

from __future__ import annotations

from typing import Any

from orders import follow_orders

from sightline import SummaryWriter


def follow(order: dict[str, Any], writers: dict[str, SummaryWriter]) -> None:
    directory, started_s = order["directory"], order["started_s"]
    writer = writers.pop(directory, None) or SummaryWriter(directory)
    for tag, values in order["tags"].items():
        for step, value in enumerate(values, order["first_step"]):
            wall_s = None if started_s is None else started_s + step
            writer.add_scalar(tag, float(value), step, walltime=wall_s)
    if order["is_open"]:
        writer.flush()
        writers[directory] = writer
    else:
        writer.close()


if __name__ == "__main__":
    follow_orders(follow)
