"""Measured process: trackio, into a local directory and nowhere else.

Without a Space, a server or a bucket it opens no connection; its own sampling of the machine is off, because
only what the loop logs shall be counted.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from pathlib import Path

from benchmarks.write_loop import Opener, Writer, run

PROJECT = "bench"


def load() -> Opener:
    trackio = importlib.import_module("trackio")

    def open_writer(directory: Path) -> Writer:
        del directory  # trackio took it from the environment when it was imported
        trackio.init(project=PROJECT, name="run", embed=False, auto_log_cpu=False, auto_log_gpu=False)
        return Writer(
            add_scalar=lambda tag, value, step: trackio.log({tag: value}, step=step),
            log=lambda values, step: trackio.log(values, step=step),
            flush=lambda: None,
            close=trackio.finish,
        )

    return open_writer


def _stay_local() -> None:
    for name in [name for name in os.environ if name.startswith("TRACKIO_")]:
        del os.environ[name]
    directory = json.loads(sys.argv[1])["directory"]
    os.environ.update(
        TRACKIO_DIR=directory, HF_HOME=directory, HF_HUB_OFFLINE="1", HF_HUB_DISABLE_TELEMETRY="1"
    )


if __name__ == "__main__":
    run(load, prepare=_stay_local)
