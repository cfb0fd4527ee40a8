"""What a person sees: the commands on a pseudo-terminal."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.event_logs import append, image_record, points, write_restarted_run, write_run
from tests.fixtures import event_bytes as eb

pty = pytest.importorskip("pty")

_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Terminal:
    """A command whose output goes to a terminal of a given width."""

    def __init__(self, *arguments: str | Path, columns: int = 80) -> None:
        self._reader, writer = pty.openpty()
        environment = {**os.environ, "COLUMNS": str(columns), "LINES": "24", "TERM": "xterm-256color"}
        environment.pop("NO_COLOR", None)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "sightline", *map(str, arguments)],
            stdout=writer,
            stderr=writer,
            env=environment,
        )
        os.close(writer)
        self.raw = ""

    def read_until(self, wanted: str) -> str:
        """What was shown so far, without escapes, once it contains the text; all of it if it never does."""
        while wanted not in self.text:
            try:
                chunk = os.read(self._reader, 1 << 16)
            except OSError:  # how Linux says that the other end was closed
                break
            if not chunk:
                break
            self.raw += chunk.decode()
        return self.text

    @property
    def text(self) -> str:
        return _ESCAPES.sub("", self.raw).replace("\r", "")

    def end(self) -> str:
        shown = self.read_until("\0 never")
        self.process.wait(60)
        os.close(self._reader)
        return shown


def test_a_terminal_gets_one_coloured_table_per_run(tmp_path: Path) -> None:
    write_run(tmp_path / "exp1", points(range(1500), tag="train/loss"), image_record("samples", 7, b"png"))
    write_restarted_run(tmp_path / "exp2")
    terminal = Terminal("inspect", tmp_path)
    text = terminal.end()
    assert terminal.process.returncode == 0
    assert "\x1b[" in terminal.raw
    lines = text.splitlines()
    assert lines[0].startswith("exp1  started 2025-06-15 ")
    assert lines[1].split()[:5] == ["tag", "kind", "points", "first", "step"]
    assert lines[2].split()[:5] == ["train/loss", "scalar", "1,500", "0", "1,499"]
    assert "8 (+3)" in text
    assert "(+n): superseded" in text
    assert all(len(line) <= 80 for line in lines[:8])


def test_a_narrow_terminal_folds_long_tags_and_loses_nothing(tmp_path: Path) -> None:
    tag = "metrics/validation/" + "x" * 60
    write_run(tmp_path / "a", points([123_456_789], tag=tag))
    text = Terminal("inspect", tmp_path, columns=80).end()
    assert text.count("x") == 60
    assert "123,456,789" in text


def test_a_wide_terminal_shows_start_and_size_of_each_series(tmp_path: Path) -> None:
    write_run(tmp_path / "a", points([0]), image_record("samples", 0, b"x" * 5000))
    text = Terminal("inspect", tmp_path, columns=140).end()
    assert "started" in text.splitlines()[1]
    assert "5.0 kB" in text


def test_control_characters_in_tags_do_not_reach_the_terminal(tmp_path: Path) -> None:
    write_run(tmp_path / "a", points([0], tag="\x1b[2Jgone\a[bold]"))
    terminal = Terminal("inspect", tmp_path)
    terminal.end()
    assert "\x1b[2J" not in terminal.raw
    assert "\a" not in terminal.raw
    assert r"\x1b[2Jgone\x07[bold]" in terminal.text


def test_watching_on_a_terminal_shows_growth_until_ctrl_c(tmp_path: Path) -> None:
    path = write_run(tmp_path / "a", points(range(5)))
    terminal = Terminal("inspect", tmp_path, "--watch")
    assert "1 run, 1 series, 5 points; Ctrl+C ends" in terminal.read_until("Ctrl+C ends")
    append(path, points([5]))
    assert "6 points; Ctrl+C ends" in terminal.read_until("6 points; Ctrl+C ends")
    terminal.process.send_signal(signal.SIGINT)
    assert "Traceback" not in terminal.end()
    assert terminal.process.returncode == 130


def test_damage_stands_out(tmp_path: Path) -> None:
    write_run(tmp_path / "a", eb.scalar(0), eb.flip(eb.scalar(1), -1), eb.scalar(2))
    terminal = Terminal("inspect", tmp_path, columns=120)
    assert "1 damaged place" in terminal.end()
    assert re.search("\x1b\\[1;31m *1 damaged place", terminal.raw)


def test_an_export_to_a_file_reports_on_the_terminal(tmp_path: Path) -> None:
    write_run(tmp_path / "logs" / "a", points(range(5)))
    terminal = Terminal("export", tmp_path / "logs", "-o", tmp_path / "out.csv")
    assert "Exported 5 points of 1 series to" in terminal.end()
    assert terminal.process.returncode == 0
