#!/usr/bin/env python3
"""Make tests/fixtures/logs again with the real programs (TensorFlow, torch, tensorboardX, JAX …).

Needs those programs installed; see tests/fixtures/README.md for the versions the committed logs came from.
Each module runs in a process of its own, so that one framework cannot change what another one writes.
Afterwards host names and process ids are taken out of file names, and the result is searched for traces of
this machine.

    python scripts/make_fixtures.py [--only torch] [--out tests/fixtures/logs]
"""

from __future__ import annotations

import argparse
import getpass
import importlib
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parent
PROJECT = SCRIPTS.parent
MODULES = (
    "tf2_logs",
    "tf1_logs",
    "keras_logs",
    "torch_logs",
    "tensorboardx_logs",
    "lightning_logs",
    "jax_logs",
)
LIMIT_PER_LOG_BYTES = 200_000


def make_module(name: str, out: Path) -> None:
    """Run every maker of one module in this process."""
    makers = importlib.import_module(f"fixtures.{name}").MAKERS
    rename_event_files = importlib.import_module("fixtures.neutral").rename_event_files
    for log_name, make in makers.items():
        directory = out / log_name
        shutil.rmtree(directory, ignore_errors=True)
        directory.mkdir(parents=True)
        make(directory)
        rename_event_files(directory)
        size_bytes = sum(path.stat().st_size for path in directory.rglob("*") if path.is_file())
        print(f"{log_name}: {size_bytes:,} bytes")
        if size_bytes > LIMIT_PER_LOG_BYTES:
            raise SystemExit(f"{log_name} is larger than {LIMIT_PER_LOG_BYTES:,} bytes; make it smaller")


def find_machine_traces(out: Path) -> list[str]:
    """Files that hold a path, user or host of the machine that made them."""
    words = {
        socket.gethostname(),
        str(PROJECT),
        str(Path.home()),
        sys.prefix,
        "/site-packages/",
        tempfile.gettempdir(),
    }
    if len(getpass.getuser()) > 4:  # "root" and the like are ordinary words
        words.add(getpass.getuser())
    found = []
    for path in sorted(out.rglob("*")):
        if path.is_file():
            content = path.read_bytes() + str(path.relative_to(out)).encode()
            found += [f"{path.relative_to(out)} holds {word!r}" for word in words if word.encode() in content]
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=PROJECT / "tests" / "fixtures" / "logs")
    parser.add_argument("--only", help="modules whose name contains this")
    parser.add_argument("--module", help=argparse.SUPPRESS)  # how the script calls itself
    options = parser.parse_args()
    if options.module:
        make_module(options.module, options.out)
        return
    environment = os.environ | {
        "TF_CPP_MIN_LOG_LEVEL": "3",
        "CUDA_VISIBLE_DEVICES": "",
        "PYTHONPATH": os.pathsep.join([str(SCRIPTS), str(PROJECT)]),
    }
    for name in MODULES:
        if options.only is None or options.only in name:
            command = [sys.executable, __file__, "--module", name, "--out", str(options.out.resolve())]
            subprocess.run(command, check=True, env=environment)
    traces = find_machine_traces(options.out)
    if traces:
        raise SystemExit("traces of this machine in the logs:\n  " + "\n  ".join(traces))


if __name__ == "__main__":
    main()
