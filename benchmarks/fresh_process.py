"""One measurement in one fresh process: how it is started, and what it hands back.

A measured module is run as ``python -m benchmarks.<module> arguments…`` and prints two lines of JSON: the
first at the moment the reading is done (its arrival ends the process's wall time, imports included), the
second after it has looked at what it read. Time inside the process, imports excluded, is measured by the
process itself.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.logdirs import PROJECT_ROOT
from benchmarks.process_memory import MemoryUse, cpu_seconds, memory_use


@dataclass(frozen=True)
class Measurement:
    """One read of one directory by one reader."""

    read_s: float
    """From the call (or the server's own start of loading) until everything is loaded."""
    process_s: float
    """From starting the process until everything is loaded."""
    cpu_s: float = 0.0
    peak_bytes: int = 0
    """Peak resident memory of the whole process."""
    growth_bytes: int = 0
    """The peak minus what was resident after the imports."""
    anonymous_bytes: int = 0
    found: Mapping[str, Any] = field(default_factory=dict)
    """What the reader saw: counts and checksums, named by the measured module."""


class MeasuredRead:
    """Inside the fresh process: ``with`` around the read, then ``report`` what was found."""

    def __enter__(self) -> MeasuredRead:
        self._base: MemoryUse = memory_use()
        self._cpu_s = cpu_seconds()
        self._start_s = time.perf_counter()
        return self

    def __exit__(self, *_: object) -> None:
        read_s = time.perf_counter() - self._start_s
        end = memory_use()
        line = {
            "read_s": read_s,
            "cpu_s": cpu_seconds() - self._cpu_s,
            "peak_bytes": end.peak_bytes,
            "growth_bytes": end.peak_bytes - self._base.resident_bytes,
            "anonymous_bytes": end.anonymous_bytes,
        }
        print(json.dumps(line), flush=True)

    def report(self, **found: Any) -> None:
        print(json.dumps(found), flush=True)


def measure(module: str, *arguments: str, environment: Mapping[str, str] | None = None) -> Measurement:
    """Run ``benchmarks.<module>`` and gather its two lines."""
    command: Sequence[str] = [sys.executable, "-m", f"benchmarks.{module}", *arguments]
    start_s = time.perf_counter()
    process = subprocess.Popen(
        command,
        cwd=PROJECT_ROOT,
        env={**os.environ, **(environment or {})},
        stdout=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    with process:
        done_line = process.stdout.readline()
        process_s = time.perf_counter() - start_s
        found_line = process.stdout.readline()
    if process.returncode != 0 or not found_line:
        raise RuntimeError(f"{module} failed with exit code {process.returncode}")
    return Measurement(process_s=process_s, found=json.loads(found_line), **json.loads(done_line))
