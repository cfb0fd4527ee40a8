"""The stages of the tests run in the right order, and the end of a run says what failed."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from scripts import failed_tests, run_tests
from scripts.run_tests import Result, Stage

SCRIPTS = Path(run_tests.__file__).parent

# -- what failed


def test_pytest_names_failures_and_errors(tmp_path: Path) -> None:
    report = tmp_path / "python.xml"
    report.write_text(
        '<testsuites><testsuite><testcase classname="tests.test_a" file="tests/test_a.py" name="test_one[x]">'
        '<failure message="AssertionError: 1 is not 2&#10;assert 1 == 2">…</failure></testcase>'
        '<testcase file="tests/test_a.py" name="test_two"/>'
        '<testcase file="tests/test_a.py" name="test_three"><error message="fixture broke"/></testcase>'
        "</testsuite></testsuites>"
    )
    assert failed_tests.of_pytest("", report) == [
        ("tests/test_a.py::test_one[x]", "AssertionError: 1 is not 2", False),
        ("tests/test_a.py::test_three", "fixture broke", False),
    ]


def test_vitest_names_tests_files_that_do_not_load_and_errors_outside_of_tests(tmp_path: Path) -> None:
    report = tmp_path / "web.json"
    failed = {
        "fullName": "scale > rounds",
        "status": "failed",
        "failureMessages": ["AssertionError: 3\n at x"],
    }
    files = [
        {"name": "/x/web/src/base/a.test.ts", "status": "failed", "assertionResults": [failed]},
        {
            "name": "/x/web/src/base/b.test.ts",
            "status": "failed",
            "message": "SyntaxError: no",
            "assertionResults": [],
        },
        {"name": "/x/web/src/base/c.test.ts", "status": "passed", "assertionResults": []},
    ]
    report.write_text(json.dumps({"testResults": files}))
    log = "⎯⎯⎯ Unhandled Rejection ⎯⎯⎯\n\x1b[31mTypeError: nobody caught me\x1b[39m\n ❯ src/x.ts:1:1\n"
    assert failed_tests.of_vitest(log, report) == [
        ("web/src/base/a.test.ts › scale > rounds", "AssertionError: 3", False),
        ("web/src/base/b.test.ts", "SyntaxError: no", False),
        ("web: outside of any test", "TypeError: nobody caught me", False),
    ]


def test_playwright_tells_failed_from_flaky(tmp_path: Path) -> None:
    def spec(title: str, status: str, *errors: str | None) -> dict[str, object]:
        results = [{"error": {"message": error}} if error else {} for error in errors]
        return {
            "title": title,
            "file": "zoom.test.ts",
            "line": 7,
            "tests": [{"status": status, "results": results}],
        }

    specs = [
        spec("good", "expected", None),
        spec("bad", "unexpected", "\x1b[31mError: no card\x1b[39m\nCall log", "Error: again"),
        spec("shaky", "flaky", "Error: late", None),
    ]
    report = tmp_path / "e2e.json"
    report.write_text(json.dumps({"suites": [{"specs": [], "suites": [{"specs": specs}]}], "errors": []}))
    assert failed_tests.of_playwright("", report) == [
        ("web/e2e/zoom.test.ts:7 › bad", "Error: no card", False),
        ("web/e2e/zoom.test.ts:7 › shaky", "Error: late", True),
    ]


@pytest.mark.parametrize(
    ("log", "expected"),
    [
        (
            "RUN a: is\n  x.cpp:3: got 1\n  x.cpp:4: got 2\nFAILED a: is\nRUN b\nENDED\n",
            [("a: is", "x.cpp:3: got 1")],
        ),
        (
            "RUN a\nRUN b\n==7==ERROR: AddressSanitizer: heap-use-after-free\nSUMMARY: AddressSanitizer: x\n",
            [("b", "==7==ERROR: AddressSanitizer: heap-use-after-free")],
        ),
        (
            "RUN a\nRUN b\nWARNING: ThreadSanitizer: data race (pid=1)\nSUMMARY: ThreadSanitizer: x\n"
            "ENDED\n1 passed, 0 failed\nThreadSanitizer: reported 1 warnings\n",
            [("b", "WARNING: ThreadSanitizer: data race (pid=1)")],
        ),
        ("RUN a\n", [("a", "ended the process")]),
        (
            "RUN a\nENDED\n==7==ERROR: LeakSanitizer: detected memory leaks\nSUMMARY: AddressSanitizer: x\n",
            [("native tests, after the last", "==7==ERROR: LeakSanitizer: detected memory leaks")],
        ),
        (
            "/x/core/src/a.cpp:3:4: error: no type named\n",
            [("native build", "/x/core/src/a.cpp:3:4: error: no type named")],
        ),
        ("RUN a\nRUN b\nENDED\n2 passed, 0 failed\n", []),
    ],
)
def test_native_tests_are_known_also_when_they_end_the_process(
    log: str, expected: list[tuple[str, str]]
) -> None:
    assert [(one.test, one.error) for one in failed_tests.of_native(log, Path("none"))] == expected


@pytest.mark.parametrize(
    ("before", "expected"),
    [("", "fuzz t: core/fuzz/corpus/t/a"), ("INFO: Seed: 1\n", "fuzz t")],
    ids=["of the corpus", "made by the search"],
)
def test_fuzzing_names_the_target_and_its_input(before: str, expected: str) -> None:
    log = (
        f"Running: core/fuzz/corpus/t/a\n{before}==1==ERROR: AddressSanitizer: x\nmore\nfuzz: t failed; add\n"
    )
    found = failed_tests.of_fuzzing(log, Path("none"))
    assert [(one.test, one.error) for one in found] == [(expected, "==1==ERROR: AddressSanitizer: x")]


@pytest.mark.parametrize(
    ("log", "expected"),
    [
        (
            "F401 [*] `os` imported but unused\n --> src/sightline/a.py:3:8\n  |\n3 | import os\n",
            ("src/sightline/a.py:3", "F401 [*] `os` imported but unused"),
        ),
        (
            "src/sightline/a.py:3: error: Name is not defined\n",
            ("src/sightline/a.py:3", "Name is not defined"),
        ),
        ("Would reformat: src/a.py\n", ("src/a.py", "not formatted: make format")),
        ("[warn] src/base/a.ts\n", ("web/src/base/a.ts", "not formatted: make format")),
        ("/x/web/src/a.ts\n  5:3  error  Unsafe call  rule\n", ("web/src/a.ts:5", "Unsafe call  rule")),
        ("/x/web/src/a.svelte:5:3\nError: No such name\n", ("web/src/a.svelte:5", "No such name")),
    ],
)
def test_linters_name_places(log: str, expected: tuple[str, str]) -> None:
    assert [(one.test, one.error) for one in failed_tests.of_linters(log, Path("none"))] == [expected]


# -- stages


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A Makefile with targets that pass, fail, and write down when they ran."""
    monkeypatch.setattr(run_tests, "ROOT", tmp_path)
    monkeypatch.setattr(run_tests, "RESULTS", tmp_path / "results")
    (tmp_path / "results").mkdir()
    (tmp_path / "Makefile").write_text(
        "good also-good:\n\t@echo $@ >> order\nbad:\n\t@echo what is wrong; exit 3\n"
    )
    return tmp_path


def verdicts(results: Sequence[Result]) -> dict[str, bool]:
    return {one.stage.target: one.has_passed for one in results}


def test_a_stage_runs_after_what_it_needs_and_not_at_all_without_it(project: Path) -> None:
    stages = [
        Stage("good", needs=("also-good",)),
        Stage("also-good"),
        Stage("bad"),
        Stage("never", needs=("bad",)),
    ]
    results = run_tests.run(stages, 2)
    assert verdicts(results) == {"good": True, "also-good": True, "bad": False, "never": False}
    assert (project / "order").read_text().split() == ["also-good", "good"]
    end = "\n".join(run_tests.summary(results, 1))
    assert "  bad: what is wrong" in end
    assert "  never: not run: bad failed" in end


def test_a_stage_runs_after_another_has_ended_though_it_failed(project: Path) -> None:
    results = run_tests.run([Stage("good", after=("bad",)), Stage("bad")], 2)
    assert [one.stage.target for one in results] == ["bad", "good"]
    assert verdicts(results) == {"bad": False, "good": True}


def test_a_stage_that_wants_more_cores_than_there_are_runs_alone(project: Path) -> None:
    assert verdicts(run_tests.run([Stage("good", cores=8)], 2)) == {"good": True}


def test_a_flaky_test_is_told_though_its_stage_has_passed(project: Path) -> None:
    flaky = failed_tests.Failure("zoom", "too late", is_flaky=True)
    results = run_tests.run([Stage("good", failures=lambda log, report: [flaky])], 2)
    assert verdicts(results) == {"good": True}
    assert run_tests.summary(results, 1)[-2:] == ["flaky: passed when tried again:", "  zoom: too late"]


def test_the_end_fits_into_sixty_lines_however_many_tests_fail() -> None:
    failures = [failed_tests.Failure(str(i), "x", is_flaky=i % 2 == 0) for i in range(500)]
    results = [run_tests.Result(stage, 1.0, False, failures) for stage in run_tests.STAGES]
    assert len(run_tests.summary(results, 1)) <= 58  # make adds a line of its own


def test_a_stage_with_many_failures_leaves_room_for_the_others() -> None:
    many = [failed_tests.Failure(f"lint {i}", "x") for i in range(500)]
    last = [failed_tests.Failure("zoom", "too late")]
    results = [
        run_tests.Result(Stage("a"), 1.0, False, many),
        run_tests.Result(Stage("b"), 1.0, False, last),
    ]
    assert "  zoom: too late" in run_tests.summary(results, 1)


def test_a_report_that_was_cut_short_is_a_failure_of_its_stage(project: Path) -> None:
    (project / "Makefile").write_text(
        "bad:\n\t@printf '{\"suites\"' > results/e2e.json; echo killed; exit 3\n"
    )
    stage = Stage("bad", failures=failed_tests.of_playwright, report="e2e.json")
    assert "  bad: killed" in run_tests.summary(run_tests.run([stage], 2), 1)


def test_a_stage_that_waits_for_nobody_known_is_said(project: Path) -> None:
    with pytest.raises(ValueError, match="can never start: good"):
        run_tests.run([Stage("good", needs=("typo",))], 2)


def test_every_stage_is_a_target_that_needs_earlier_ones() -> None:
    makefile = (SCRIPTS.parent / "Makefile").read_text("utf-8")
    for stages in (run_tests.STAGES, run_tests.FAST_STAGES):
        targets = [stage.target for stage in stages]
        for i, stage in enumerate(stages):
            assert {*stage.needs, *stage.after} <= set(targets[:i])
            assert f"\n{stage.target}:" in makefile
    assert os.access(SCRIPTS / "fuzz.sh", os.X_OK)
