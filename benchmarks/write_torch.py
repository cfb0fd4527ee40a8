"""Measured process: torch.utils.tensorboard, as it comes. It has no call for a dict; a script loops."""

from __future__ import annotations

import importlib
from pathlib import Path

from benchmarks.write_loop import Opener, Writer, run


def load() -> Opener:
    writer_class = importlib.import_module("torch.utils.tensorboard").SummaryWriter

    def open_writer(directory: Path) -> Writer:
        writer = writer_class(directory)
        add_scalar = writer.add_scalar

        def log(values: dict[str, float], step: int) -> None:
            for tag, value in values.items():
                add_scalar(tag, value, step)

        return Writer(
            add_scalar=add_scalar,
            log=log,
            flush=writer.flush,
            close=writer.close,
            add_histogram=writer.add_histogram,
        )

    return open_writer


if __name__ == "__main__":
    # A job that uses this writer has imported torch before, for its own sake.
    run(load, prepare=lambda: importlib.import_module("torch"))
