"""Measured process: tensorboardX, as it comes. It has no call for a dict in one run; a script loops."""

from __future__ import annotations

import importlib
from contextlib import suppress

from benchmarks.write_loop import Opener, opener_of, run


def load() -> Opener:
    return opener_of(importlib.import_module("tensorboardX").SummaryWriter)


def _import_torch() -> None:
    """It imports torch where there is one; a job that uses torch has imported it before, for its own sake."""
    with suppress(ImportError):
        importlib.import_module("torch")


if __name__ == "__main__":
    run(load, prepare=_import_torch)
