"""Runs every stage of the tests, as many at a time as the machine has cores for, goes on after a failure,
and ends with a table of times and the name of every test that failed: `make test`, and `make test-fast` for
those that are quick. The last 60 lines are enough to know what is wrong.

A stage is a target of the Makefile. What it printed is in build/test-results/NAME.log and is printed when
the stage ends, so that two at once do not mix. Only the standard library is used: this runs before .venv
exists.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from scripts import failed_tests
from scripts.failed_tests import Failure

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "build" / "test-results"
MOST_FAILURES = 24
"""That are told at the end; all of them are in the logs."""

Reader = Callable[[str, Path], list[Failure]]


@dataclass(frozen=True)
class Stage:
    target: str
    needs: tuple[str, ...] = ()
    cores: int = 1
    """That it keeps busy. A stage that wants more than the machine has runs alone."""
    failures: Reader = failed_tests.of_linters
    report: str = ""
    after: tuple[str, ...] = ()
    """Those that must have ended, passed or not: they build the same things."""


# In the order in which they start when there is room: first what others wait for, last what minds company.
STAGES = [
    Stage("setup-tools"),
    Stage("setup-python", needs=("setup-tools",)),
    Stage("setup-page", needs=("setup-tools",)),
    # Not beside setup-tools: both may call apt-get.
    Stage("setup-system", needs=("setup-tools",)),
    Stage("lint-web", needs=("setup-page",)),
    Stage("test-native-address", needs=("setup-tools", "setup-system"), failures=failed_tests.of_native),
    Stage("test-native-thread", needs=("setup-tools",), failures=failed_tests.of_native),
    Stage("check-web", needs=("setup-python", "setup-page")),
    Stage("check-python", needs=("setup-python",)),
    Stage(
        "fuzz-corpus",
        ("setup-tools", "setup-system"),
        failures=failed_tests.of_fuzzing,
        after=("test-native-address",),
    ),
    Stage("test-web", ("setup-page",), 2, failed_tests.of_vitest, "web.json"),
    Stage("test-python", ("setup-python", "setup-page"), 2, failed_tests.of_pytest, "python.xml"),
    Stage(
        "test-e2e", ("setup-python", "setup-page", "setup-system"), 2, failed_tests.of_playwright, "e2e.json"
    ),
]
FAST_STAGES = [
    Stage("setup-tools"),
    Stage("setup-python", needs=("setup-tools",)),
    Stage("fast-native", ("setup-tools",), failures=failed_tests.of_native),
    Stage("check-python", ("setup-python",)),
    Stage("fast-web", ("setup-tools",), 2, failed_tests.of_vitest, "web.json"),
    Stage("fast-python", ("setup-python",), 2, failed_tests.of_pytest, "python.xml"),
]


@dataclass
class Result:
    stage: Stage
    took_s: float
    has_passed: bool
    failures: list[Failure]


class Run:
    """A stage that is running."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self._began_s = time.monotonic()
        self._log = RESULTS / f"{stage.target}.log"
        self._report = RESULTS / stage.report
        if stage.report:
            self._report.unlink(missing_ok=True)
        with self._log.open("wb") as log:
            # A group of its own: whatever it started ends with it.
            print(f"{time.strftime('%H:%M:%S')} {stage.target} …", flush=True)
            self.process = subprocess.Popen(
                ["make", "--no-print-directory", stage.target],
                cwd=ROOT, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
                start_new_session=True,
            )  # fmt: skip

    def has_ended(self) -> bool:
        return self.process.poll() is not None

    def kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def result(self) -> Result:
        took_s = time.monotonic() - self._began_s
        has_passed = self.process.returncode == 0
        text = self._log.read_text("utf-8", "replace")
        print(
            f"\n──── {self.stage.target} {'─' * (90 - len(self.stage.target))}\n{text.rstrip()}", flush=True
        )
        try:
            failures = self.stage.failures(text, self._report)
        except (ValueError, KeyError, ElementTree.ParseError):  # a report that was cut short
            failures = []
        if has_passed:
            failures = [failure for failure in failures if failure.is_flaky]
        elif all(failure.is_flaky for failure in failures):
            failures += [Failure(self.stage.target, line) for line in failed_tests.last_lines(text)]
        return Result(self.stage, took_s, has_passed, failures)


def run(stages: Sequence[Stage], cores: int) -> list[Result]:
    waiting = list(stages)
    running: list[Run] = []
    results: list[Result] = []
    try:
        while waiting or running:
            passed = {result.stage.target for result in results if result.has_passed}
            failed = {result.stage.target for result in results} - passed
            count = len(waiting)
            for stage in list(waiting):
                busy = sum(one.stage.cores for one in running)
                if lost := [need for need in stage.needs if need in failed]:
                    waiting.remove(stage)
                    failed.add(stage.target)
                    results.append(
                        Result(stage, 0, False, [Failure(stage.target, f"not run: {lost[0]} failed")])
                    )
                elif (
                    passed.issuperset(stage.needs)
                    and (passed | failed).issuperset(stage.after)
                    and (not running or busy + stage.cores <= cores)
                ):
                    waiting.remove(stage)
                    running.append(Run(stage))
            if not running and len(waiting) == count:
                raise ValueError(f"can never start: {', '.join(stage.target for stage in waiting)}")
            while running and not any(one.has_ended() for one in running):
                time.sleep(0.1)
            for one in [one for one in running if one.has_ended()]:
                running.remove(one)
                results.append(one.result())
    finally:
        for one in running:
            one.kill()
    return results


def summary(results: Sequence[Result], took_s: float) -> list[str]:
    """A table of times, tests that passed at the second try, and what failed."""
    lines = ["", f"{'stage':24} {'seconds':>8}"]
    for result in results:
        verdict = "" if result.has_passed else "  FAILED" if result.took_s else "  not run"
        lines.append(f"{result.stage.target:24} {result.took_s:8.0f}{verdict}")
    lines.append(f"{'all, beside each other':24} {took_s:8.0f}")
    # In turn, so that a stage with many leaves room for the others.
    in_turn = zip_longest(*(result.failures for result in results))
    found = [failure for failures in in_turn for failure in failures if failure is not None]
    lines += _list(
        "flaky: passed when tried again", [one for one in found if one.is_flaky], MOST_FAILURES // 3
    )
    lines += _list("failed", [one for one in found if not one.is_flaky], MOST_FAILURES)
    return lines


def _list(title: str, failures: Sequence[Failure], most: int) -> list[str]:
    if not failures:
        return []
    more = (
        [f"  … and {len(failures) - most} more in {RESULTS.relative_to(ROOT)}"]
        if len(failures) > most
        else []
    )
    return ["", f"{title}:", *(f"  {one.test}: {one.error}" for one in failures[:most]), *more]


def main() -> int:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that what runs is ended, too
    began_s = time.monotonic()
    RESULTS.mkdir(parents=True, exist_ok=True)
    results = run(FAST_STAGES if sys.argv[1:] == ["fast"] else STAGES, os.cpu_count() or 1)
    print("\n".join(summary(results, time.monotonic() - began_s)), flush=True)
    return 0 if all(result.has_passed for result in results) else 1


if __name__ == "__main__":
    sys.exit(main())
