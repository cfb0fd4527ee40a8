"""What a person sees: the commands on a pseudo-terminal."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.event_logs import image_record, points, write_restarted_run, write_run
from tests.fixtures import event_bytes as eb

pty = pytest.importorskip("pty")

_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Terminal:
    """A command whose output goes to a terminal of a given width."""

    def __init__(self, *arguments: str | Path, columns: int = 80, term: str = "xterm-256color") -> None:
        self._reader, writer = pty.openpty()
        environment = {**os.environ, "COLUMNS": str(columns), "LINES": "24", "TERM": term}
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


def test_a_terminal_gets_the_same_table_in_colours(tmp_path: Path) -> None:
    write_run(tmp_path / "exp1", points(range(1500), tag="train/loss"), image_record("samples", 7, b"png"))
    write_restarted_run(tmp_path / "exp2")
    terminal = Terminal("inspect", tmp_path, columns=140)
    text = terminal.end()
    assert terminal.process.returncode == 0
    assert "\x1b[1;36mexp1\x1b[0m" in terminal.raw
    lines = text.splitlines()
    assert lines[0].split()[:6] == ["RUN", "TAG", "KIND", "POINTS", "FIRST", "STEP"]
    assert lines[1].split()[:5] == ["exp1", "run", "1,501", "0", "1,499"]
    assert lines[2].split()[:6] == ["exp1", "train/loss", "scalar", "1,500", "0", "1,499"]
    assert "8 (+3)" in text
    assert "(+n): superseded" in text


@pytest.mark.parametrize(
    ("columns", "headings"),
    [
        (140, "RUN TAG KIND POINTS FIRST STEP LAST STEP STARTED DURATION SIZE"),
        (100, "RUN TAG KIND POINTS FIRST STEP LAST STEP STARTED SIZE"),
        (92, "RUN TAG KIND POINTS FIRST STEP LAST STEP SIZE"),
        (70, "RUN TAG KIND POINTS LAST STEP SIZE"),
        (56, "RUN TAG KIND POINTS LAST STEP"),
        (52, "RUN TAG POINTS LAST STEP"),
        (44, "RUN TAG POINTS LAST STEP"),
        (24, "RUN TAG"),
    ],
)
def test_a_narrow_terminal_loses_columns_in_order_and_then_the_middle_of_names(
    columns: int, headings: str, tmp_path: Path
) -> None:
    write_run(tmp_path / "experiment", points([3], tag="train/accuracy"), points([4], tag="val/accuracy"))
    table = Terminal("inspect", tmp_path, columns=columns).end().partition("\n\n")[0].splitlines()
    assert " ".join(table[0].split()) == headings
    assert len(table) == 4
    assert max(map(len, table)) <= columns
    if columns >= 52:
        assert "train/accuracy" in table[2]
    else:
        assert re.search(r"train?/?a?c?…c?u?racy ", table[2] + " ")


def test_one_absurd_tag_costs_no_column(tmp_path: Path) -> None:
    write_run(tmp_path / "a", points([0], tag="begin" + "x" * 500 + "end"), points([1], tag="loss"))
    table = Terminal("inspect", tmp_path, columns=140).end().partition("\n\n")[0].splitlines()
    assert "STARTED" in table[0]
    assert re.search("beginx+…x+end ", table[2])
    assert max(map(len, table)) <= 140


def test_wide_characters_keep_the_columns_straight(tmp_path: Path) -> None:
    write_run(tmp_path / "a", points([0], tag="損失"), points([1], tag="loss"))
    table = Terminal("inspect", tmp_path, columns=140).end().partition("\n\n")[0].splitlines()
    assert table[2].index("scalar") + len("損失") == table[3].index("scalar")


def test_a_dumb_terminal_gets_no_escapes(tmp_path: Path) -> None:
    write_run(tmp_path / "a", points([0]))
    terminal = Terminal("inspect", tmp_path, term="dumb")
    terminal.end()
    assert "\x1b" not in terminal.raw


def test_control_characters_in_tags_do_not_reach_the_terminal(tmp_path: Path) -> None:
    write_run(tmp_path / "a", points([0], tag="\x1b[2Jgone\a[bold]"))
    terminal = Terminal("inspect", tmp_path)
    terminal.end()
    assert "\x1b[2J" not in terminal.raw
    assert "\a" not in terminal.raw
    assert r"\x1b[2Jgone\x07[bold]" in terminal.text


def test_damage_stands_out(tmp_path: Path) -> None:
    write_run(tmp_path / "a", eb.scalar(0), eb.flip(eb.scalar(1), -1), eb.scalar(2))
    terminal = Terminal("inspect", tmp_path, columns=120)
    assert "1 damaged place" in terminal.end()
    assert "\x1b[1;31m1\x1b[0m" in terminal.raw


def test_an_export_to_a_file_reports_on_the_terminal(tmp_path: Path) -> None:
    write_run(tmp_path / "logs" / "a", points(range(5)))
    terminal = Terminal("export", tmp_path / "logs", "-o", tmp_path / "out.csv")
    assert "Exported 5 points of 1 series to" in terminal.end()
    assert terminal.process.returncode == 0
