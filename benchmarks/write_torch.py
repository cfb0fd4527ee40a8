"""Measured process: torch.utils.tensorboard, as it comes. It has no call for a dict; a script loops."""

from __future__ import annotations

import importlib

from benchmarks.write_loop import Opener, opener_of, run


def load() -> Opener:
    return opener_of(importlib.import_module("torch.utils.tensorboard").SummaryWriter)


if __name__ == "__main__":
    # A job that uses this writer has imported torch before, for its own sake.
    run(load, prepare=lambda: importlib.import_module("torch"))
