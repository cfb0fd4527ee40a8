"""The sizes of files and functions: what is too long is named with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts import check_sizes
from scripts.reporting import report

LONG_FILE = "\n" * (check_sizes.MAX_FILE_LINES + 1)
LONG_FUNCTION = "x = 1\n\ndef long():\n" + "    pass\n" * check_sizes.MAX_FUNCTION_LINES


def problems(tmp_path: Path, name: str, text: str) -> list[str]:
    path = tmp_path / name
    path.parent.mkdir(parents=True)
    path.write_text(text, "utf-8")
    return [line.removeprefix(f"{path}:") for line in check_sizes.check_tree(tmp_path)]


def test_the_project_keeps_to_it() -> None:
    assert check_sizes.check_tree(check_sizes.ROOT) == []


@pytest.mark.parametrize(
    "name", ["src/sightline/store/run.py", "tests/test_log.py", "core/src/a.cpp", "web/src/app/App.svelte"]
)
def test_a_long_file_is_named(tmp_path: Path, name: str) -> None:
    assert problems(tmp_path, name, LONG_FILE) == ["1: 601 lines; a file has at most 600"]
    assert problems(tmp_path / "other", name, LONG_FILE[1:]) == []


def test_a_long_function_is_named_with_its_line(tmp_path: Path) -> None:
    (line,) = problems(tmp_path, "src/sightline/a.py", LONG_FUNCTION)
    assert line == "3: long has 71 lines; a function has at most 70"
    assert problems(tmp_path / "other", "src/sightline/a.py", LONG_FUNCTION.removesuffix("    pass\n")) == []


@pytest.mark.parametrize(
    ("name", "text"), [("web/src/wire/generated.ts", LONG_FILE), ("tests/test_a.py", LONG_FUNCTION)]
)
def test_what_is_generated_and_functions_of_tests_are_free(tmp_path: Path, name: str, text: str) -> None:
    assert problems(tmp_path, name, text) == []


def test_a_check_ends_with_a_sentence_and_a_code(capsys: pytest.CaptureFixture[str]) -> None:
    assert report([], "things") == 0
    assert report(["a", "b"], "things") == 1
    assert capsys.readouterr().out == "a\nb\n2 things\n"
