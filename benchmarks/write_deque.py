"""Measured process: the floor. Each call appends to a deque; nothing is encoded, nothing is written."""

from __future__ import annotations

import time
from collections import deque
from pathlib import Path

from benchmarks.write_loop import Opener, Writer, run

# Bounded, as if somebody emptied it: a growing one would measure memory and the garbage collector.
WAITING = 10_000


def load() -> Opener:
    def open_writer(directory: Path) -> Writer:
        del directory
        waiting: deque[tuple[str, float, int, float]] = deque(maxlen=WAITING)
        append, now = waiting.append, time.time

        def add_scalar(tag: str, value: float, step: int) -> None:
            append((tag, value, step, now()))

        def log(values: dict[str, float], step: int) -> None:
            wall_time = now()
            for tag, value in values.items():
                append((tag, value, step, wall_time))

        return Writer(add_scalar=add_scalar, log=log, flush=lambda: None, close=waiting.clear)

    return open_writer


if __name__ == "__main__":
    run(load)
