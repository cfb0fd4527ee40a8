"""The command line as a whole: help, version, errors in one line, exit codes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import sightline
from sightline.cli import main
from tests.cli.exits import exit_code
from tests.event_logs import points, write_run

PATIENCE_S = 60


def run_cli(*arguments: str | Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "sightline", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code("--version") == 0
    assert capsys.readouterr().out == f"sightline {sightline.__version__}\n"


@pytest.mark.parametrize(
    "command",
    [[], ["serve"], ["demo"], ["inspect"], ["export"], ["cache"], ["cache", "info"], ["cache", "clear"]],
)
def test_every_command_has_help(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(*command, "--help") == 0
    assert "usage: sightline" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "Say which log directory to show, like: sightline runs"),
        (["cache"], "required: ACTION"),
        (["exprot"], "Did you mean 'export'? A directory that is made later: ./exprot  (see"),
        (["inspect"], "the following arguments are required: PATH  (see sightline inspect --help)"),
        (["inspect", ".", "--bogus"], "unrecognized arguments: --bogus  (see sightline inspect --help)"),
        (["inspect", ".", "--tags", "--runs"], "not allowed with argument --tags  (see sightline inspect"),
        (["inspect", "/nowhere/at/all"], "No such file or directory. Check the path: /nowhere/at/all"),
        (["inspect", ".", "--tag", "("], "sightline: --tag is not a regular expression"),
        (["inspect", ".", "--run", "*"], "sightline: --run is not a regular expression"),
        (["export", "/nowhere/at/all"], "sightline: No such file or directory"),
        (["export", ".", "--tag", "("], "sightline: --tag is not a regular expression"),
        (["export", ".", "--format", "parquet"], "sightline: Parquet is not for a terminal or a pipe"),
        (["export", ".", "-o", "points.txt"], "'txt': say --format csv, jsonl or parquet, or end the name"),
        (["export", ".", "-o", "/"], "sightline: -o names a file, and this is a directory: /"),
        (["export", ".", "-o", "/nowhere/out.csv"], "No such file or directory. The directory for"),
    ],
)  # fmt: skip
def test_a_mistake_is_one_clear_line_and_exit_code_2(
    arguments: Sequence[str], told: str, assert_refused: Any
) -> None:
    assert_refused(arguments, told)


@pytest.mark.parametrize("command", ["inspect", "export"])
def test_a_directory_without_event_files_says_what_was_looked_for(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, str(tmp_path)]) == 1
    shown = capsys.readouterr()
    assert shown.out == ""
    looked_for = 'looked for files whose name contains "tfevents" under'
    assert shown.err == f"sightline: No event files found; {looked_for}: {tmp_path}\n"


@pytest.mark.parametrize("command", ["inspect", "export"])
def test_a_locale_that_cannot_show_a_name_is_no_reason_to_fail(command: str, tmp_path: Path) -> None:
    write_run(tmp_path / "a", points([0], tag="損失"))
    shown = subprocess.run(
        [sys.executable, "-m", "sightline", command, str(tmp_path)],
        env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
        capture_output=True,
        check=True,
    )
    wanted = rb"\u640d\u5931" if command == "inspect" else "損失".encode()
    assert wanted in shown.stdout


def test_python_dash_m_is_the_same_command(tmp_path: Path) -> None:
    write_run(tmp_path / "a", points(range(5)))
    process = run_cli("inspect", tmp_path)
    out, err = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, err) == (0, "")
    assert "1 run, 1 series, 5 points" in out


@pytest.mark.parametrize("command", [["inspect", "--tags"], ["export"]])
def test_a_reader_that_has_seen_enough_ends_the_command_quietly(command: list[str], tmp_path: Path) -> None:
    # More than a pipe holds, so that the writer meets the closed end.
    for number in range(40):
        write_run(tmp_path / f"run{number}", *(points(range(50), tag=f"tag{tag}") for tag in range(20)))
    process = run_cli(*command, tmp_path)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.wait(PATIENCE_S) == 128 + signal.SIGPIPE
    assert process.stderr.read() == ""
    process.stderr.close()


def test_ctrl_c_ends_a_command_quietly_with_130(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(_arguments: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("sightline.cli.cache.show_info", interrupted)
    assert main(["cache", "info"]) == 130
    assert capsys.readouterr() == ("", "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no full device")
@pytest.mark.parametrize(
    ("command", "told"),
    [
        (["inspect"], "Cannot write to standard output (No space left on device)"),
        (["inspect", "--json"], "Cannot write to standard output (No space left on device)"),
        (["export"], "Cannot write (No space left on device): standard output"),
        (["export", "-o", "/dev/full"], "Cannot write (No space left on device): /dev/full"),
    ],
)
def test_output_that_cannot_be_written_is_one_line(command: list[str], told: str, tmp_path: Path) -> None:
    write_run(tmp_path / "a", points(range(5)))
    with open("/dev/full", "w") as full:
        shown = subprocess.run(
            [sys.executable, "-m", "sightline", *command, str(tmp_path)],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert (shown.returncode, shown.stderr) == (2, f"sightline: {told}\n")


def test_a_closed_standard_output_is_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    assert main(["inspect", "."]) == 2
    assert capsys.readouterr().err == "sightline: Standard output is closed\n"


def test_an_export_to_dev_stdout_goes_down_the_pipe(tmp_path: Path) -> None:
    write_run(tmp_path / "a", points(range(5)))
    process = run_cli("export", tmp_path, "-o", "/dev/stdout")
    out, err = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, err) == (0, "Exported 5 points of 1 series to /dev/stdout\n")
    assert out.count("\n") == 6
