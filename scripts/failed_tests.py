"""Reads from what a stage of the tests left behind which tests failed, each with the first line of its
error, so that the end of a long run says what is wrong. Only the standard library: it runs before .venv
exists.

Each function takes the stage's log and the report that its tool wrote (which may be missing: then the tool
itself broke), and returns what failed. Nothing found in a stage that failed: ``last_lines`` of its log
speak for it.
"""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

LONGEST_ERROR = 160


class Failure(NamedTuple):
    test: str
    error: str
    is_flaky: bool = False
    """It passed when it was tried again."""


def first_line(text: str) -> str:
    lines = (line.strip() for line in _without_colours(text).splitlines())
    return next((line for line in lines if line), "no message")[:LONGEST_ERROR]


def last_lines(log: str, count: int = 6) -> list[str]:
    lines = [line.rstrip() for line in _without_colours(log).splitlines()]
    return [line[:LONGEST_ERROR] for line in lines if line.strip()][-count:]


def of_pytest(log: str, report: Path) -> list[Failure]:
    if not report.exists():
        return []
    failures = []
    for case in ElementTree.parse(report).iter("testcase"):
        for kind in ("failure", "error"):
            for found in case.iter(kind):
                test = f"{case.get('file') or case.get('classname')}::{case.get('name')}"
                failures.append(Failure(test, first_line(found.get("message") or found.text or "")))
    return failures


def of_vitest(log: str, report: Path) -> list[Failure]:
    answer = _json(report)
    failures = []
    for file in answer.get("testResults", []):
        name = "web/src" + file["name"].rpartition("/web/src")[2]
        failed = [test for test in file["assertionResults"] if test["status"] == "failed"]
        failures += [
            Failure(f"{name} › {test['fullName']}", first_line("".join(test["failureMessages"][:1])))
            for test in failed
        ]
        if file["status"] == "failed" and not failed:
            failures.append(Failure(name, first_line(file.get("message", ""))))
    # Errors outside of any test are in the log alone.
    failures += [Failure("web: outside of any test", error) for error in _unhandled(log)]
    return failures


def of_playwright(log: str, report: Path) -> list[Failure]:
    answer = _json(report)
    failures = [
        Failure("web/e2e", first_line(error.get("message", ""))) for error in answer.get("errors", [])
    ]
    for spec in _specs(answer.get("suites", [])):
        for test in spec["tests"]:
            if test["status"] not in ("unexpected", "flaky"):
                continue
            errors = [one["error"]["message"] for one in test["results"] if "message" in one.get("error", {})]
            name = f"web/e2e/{spec['file']}:{spec['line']} › {spec['title']}"
            failures.append(Failure(name, first_line(errors[0] if errors else ""), test["status"] == "flaky"))
    return failures


def of_native(log: str, report: Path) -> list[Failure]:
    """The tests name themselves before they run, so that one which ends the process is known. What the
    compiler complains about counts, too."""
    failures = []
    test, error, has_ended = "", "", True
    for line in log.splitlines():
        if re.match(r".*: (fatal )?error: ", line):
            failures.append(Failure("native build", first_line(line)))
        elif line.startswith("RUN "):
            test, error, has_ended = line[4:], "", False
        elif line.startswith("FAILED "):
            failures.append(Failure(test, error or "no message"))
            error = ""
        elif _NATIVE_ERROR.search(line):
            error = error or first_line(line)
            if "ThreadSanitizer: " in line and "WARNING" in line:  # it goes on after that
                failures.append(Failure(test, error))
                error = ""
        has_ended = has_ended or line == "ENDED"
    if not has_ended:
        failures.append(Failure(test, error or "ended the process"))
    elif error:  # leaks are looked for when all is over
        failures.append(Failure("native tests, after the last", error))
    return failures


# Of a sanitizer's lines those that begin a report: a summary and a count follow it.
_NATIVE_ERROR = re.compile(
    r"^  \S+:\d+: |(ERROR|WARNING|FATAL): \w+Sanitizer: |Sanitizer: CHECK failed|"
    r"runtime error: |terminate called|Assertion "
)


def of_fuzzing(log: str, report: Path) -> list[Failure]:
    failures = []
    text = error = ""
    for line in log.splitlines():
        if match := re.match(r"fuzz: (\w+) failed", line):
            failures.append(Failure(f"fuzz {match.group(1)}{text and ': ' + text}", error or "no message"))
            text, error = "", ""
        elif match := re.match(r"Running: (\S+)|INFO: Seed: ", line):  # after a seed inputs are made
            text = match.group(1) or ""
        elif re.search(r"ERROR: |runtime error: ", line):
            error = error or first_line(line)
    return failures


def of_linters(log: str, report: Path) -> list[Failure]:
    """Every place in a file that one of them names, and every file that is not formatted."""
    failures = []
    words = place = ""
    for line in _without_colours(log).splitlines():
        if match := _PLACE_AND_WORDS.match(line):
            failures.append(Failure(f"{match['file']}:{match['line']}", first_line(match["words"])))
        elif match := _NOT_FORMATTED.match(line):
            failures.append(Failure(match["python"] or f"web/{match['web']}", "not formatted: make format"))
        elif match := _RUFF_WORDS.match(line):
            words = line
        elif match := _RUFF_PLACE.match(line):
            failures.append(Failure(match["place"], first_line(words)))
        elif match := _WEB_PLACE.match(line):
            place = f"web/{match['place']}"
        elif match := _ESLINT_WORDS.match(line):
            failures.append(Failure(f"{place}:{match['line']}", first_line(match["words"])))
        elif match := _SVELTE_CHECK_WORDS.match(line):
            failures.append(Failure(place, first_line(match["words"])))
    return failures


# mypy, clang-format and our own checks
_PLACE_AND_WORDS = re.compile(r"(?P<file>\S+\.\w+):(?P<line>\d+)(?::\d+)?:? +(?:error: )?(?P<words>.*)")
# ruff and Prettier
_NOT_FORMATTED = re.compile(r"Would reformat: (?P<python>\S+)|\[warn\] (?P<web>\S+\.\w+)$")
# ruff says what is wrong before it says where
_RUFF_WORDS = re.compile(r"[A-Z]+\d+ ")
_RUFF_PLACE = re.compile(r"\s*--> (?P<place>\S+:\d+):\d+$")
# ESLint and svelte-check name the file first, svelte-check with the line
_WEB_PLACE = re.compile(r"/\S*/web/(?P<place>\S+\.(ts|js|svelte)(:\d+)?)(:\d+)?$")
_ESLINT_WORDS = re.compile(r"\s+(?P<line>\d+):\d+\s+(?:error|warning)\s+(?P<words>.*)")
_SVELTE_CHECK_WORDS = re.compile(r"(?:Error|Warn): (?P<words>.*)")


def _unhandled(log: str) -> Iterator[str]:
    lines = _without_colours(log).splitlines()
    for i, line in enumerate(lines):
        if "Unhandled Error" in line or "Unhandled Rejection" in line:
            following = [one for one in lines[i + 1 : i + 6] if re.match(r"\w*Error: ", one.strip())]
            if following:
                yield first_line(following[0])


def _specs(suites: list[Any]) -> Iterator[Any]:
    for suite in suites:
        yield from suite.get("specs", [])
        yield from _specs(suite.get("suites", []))


def _json(report: Path) -> Any:
    return json.loads(report.read_text("utf-8")) if report.exists() else {}


def _without_colours(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", text)
