"""Measured process: tensorboardX, as it comes. It has no call for a dict in one run; a script loops."""

from __future__ import annotations

import importlib
from contextlib import suppress
from pathlib import Path

from benchmarks.write_loop import Opener, Writer, run


def load() -> Opener:
    writer_class = importlib.import_module("tensorboardX").SummaryWriter

    def open_writer(directory: Path) -> Writer:
        writer = writer_class(str(directory))
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


def _import_torch() -> None:
    """It imports torch where there is one; a job that uses torch has imported it before, for its own sake."""
    with suppress(ImportError):
        importlib.import_module("torch")


if __name__ == "__main__":
    run(load, prepare=_import_torch)
