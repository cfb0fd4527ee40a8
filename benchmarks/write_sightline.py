"""Measured process: Sightline's writer, as it comes."""

from __future__ import annotations

import importlib
from pathlib import Path

from benchmarks.write_loop import Opener, Writer, run


def load() -> Opener:
    writer_class = importlib.import_module("sightline").SummaryWriter

    def open_writer(directory: Path) -> Writer:
        writer = writer_class(directory)
        return Writer(
            add_scalar=writer.add_scalar,
            log=writer.log,
            flush=writer.flush,
            close=writer.close,
            add_histogram=writer.add_histogram,
        )

    return open_writer


if __name__ == "__main__":
    run(load)
