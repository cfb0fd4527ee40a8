"""Starts one measured writer in a fresh process, in a directory of its own, and checks what it left there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from benchmarks.logdirs import PROJECT_ROOT
from benchmarks.machine import version_of
from benchmarks.write_check import Written, WrongPointsError, check

SIGHTLINE, TORCH, TENSORBOARDX, TRACKIO, FLOOR = (
    "Sightline",
    "torch",
    "tensorboardX",
    "trackio",
    "deque (floor)",
)
PEERS = (TORCH, TENSORBOARDX, TRACKIO)
MODULES = {
    SIGHTLINE: "write_sightline",
    TORCH: "write_torch",
    TENSORBOARDX: "write_tensorboardx",
    TRACKIO: "write_trackio",
    FLOOR: "write_deque",
}
PACKAGES = {TORCH: ("torch", "tensorboard"), TENSORBOARDX: ("tensorboardX",), TRACKIO: ("trackio",)}
# One second: the bar. Whoever flushes every second must do it in time.
KILL_AFTER_S = 1.0
# Threads of a linear algebra library would run in the pauses of a paced loop.
ENVIRONMENT = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


class FailedProcessError(Exception):
    """A measured process ended without an answer."""


def installed_writers() -> list[str]:
    return [name for name in MODULES if not missing_packages(name)]


def missing_packages(writer: str) -> list[str]:
    return [package for package in PACKAGES.get(writer, ()) if not version_of(package)]


def measure_writer(writer: str, task: str, **settings: Any) -> dict[str, Any]:
    """One task in one fresh process. What was written is read back and must be complete."""
    with tempfile.TemporaryDirectory(prefix="sightline-write-") as scratch:
        arguments = json.dumps({"task": task, "directory": scratch, **settings})
        answer = answer_of(MODULES[writer], arguments, environment=ENVIRONMENT)
        if writer != FLOOR and "points" in answer:
            answer |= _sizes(_checked(writer, task, Path(scratch), expected=answer["points"]))
    return answer


def measure_killed(writer: str, *, lead_s: float, burst: int) -> dict[str, Any]:
    """Kills the writer's process one second after its last call, and counts what can be read back."""
    with tempfile.TemporaryDirectory(prefix="sightline-write-") as scratch:
        settings = {"task": "killed", "directory": scratch, "lead_s": lead_s, "burst": burst}
        with _started(MODULES[writer], [json.dumps(settings)], environment=ENVIRONMENT) as (process, errors):
            answer = _answer(process, errors)
            time.sleep(max(answer["last_call_s"] + KILL_AFTER_S - time.monotonic(), 0))
            process.kill()
            delay_s = time.monotonic() - answer["last_call_s"]
        written = _checked(writer, "killed", Path(scratch), expected=answer["points"], may_be_cut=True)
    share = written.points / answer["points"]
    found = {"found": written.points, "share": share, "delay_s": delay_s}
    return {"points": answer["points"], "burst": burst, **found}


def answer_of(module: str, *arguments: str, environment: dict[str, str] | None = None) -> dict[str, Any]:
    """Runs ``python -m benchmarks.<module>`` to its end; returns the line of JSON that it prints."""
    with _started(module, arguments, environment=environment or {}) as (process, errors):
        answer = _answer(process, errors)
        if process.wait() != 0:
            raise FailedProcessError(_last_words(module, errors))
    return answer


@contextmanager
def _started(
    module: str, arguments: Sequence[str], *, environment: dict[str, str]
) -> Iterator[tuple[subprocess.Popen[str], IO[str]]]:
    with tempfile.TemporaryFile("w+") as errors:
        process = subprocess.Popen(
            [sys.executable, "-m", f"benchmarks.{module}", *arguments],
            cwd=PROJECT_ROOT,
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        )
        with process:
            try:
                yield process, errors
            finally:
                if process.poll() is None:
                    process.kill()


def _answer(process: subprocess.Popen[str], errors: IO[str]) -> dict[str, Any]:
    assert process.stdout is not None
    line = process.stdout.readline()
    if not line:
        process.wait()
        raise FailedProcessError(_last_words(str(process.args), errors))
    answer: dict[str, Any] = json.loads(line)
    return answer


def _last_words(what: str, errors: IO[str]) -> str:
    errors.seek(0)
    return f"{what} failed: " + errors.read()[-2000:]


def _checked(writer: str, task: str, directory: Path, *, expected: int, may_be_cut: bool = False) -> Written:
    try:
        return check(directory, expected=expected, may_be_cut=may_be_cut)
    except WrongPointsError as error:
        raise WrongPointsError(f"{writer}, {task}: {error}") from error


def _sizes(written: Written) -> dict[str, int]:
    return {"point_bytes": written.point_bytes, "other_bytes": written.other_bytes}
