from __future__ import annotations

import pytest

from sightline.model import Damage, Progress
from sightline.model.reports import quoted


def progress(*, done: int, total: int, is_done: bool) -> Progress:
    return Progress(files_done=0, files_total=1, bytes_done=done, bytes_total=total, is_done=is_done)


@pytest.mark.parametrize(
    ("report", "fraction"),
    [
        (progress(done=0, total=0, is_done=False), 0.0),
        (progress(done=0, total=0, is_done=True), 1.0),
        (progress(done=25, total=100, is_done=False), 0.25),
        (progress(done=101, total=100, is_done=False), 1.0),  # the file grew while it was read
        (progress(done=99, total=100, is_done=True), 1.0),  # a torn tail is not waited for
    ],
)
def test_the_fraction_lies_between_nothing_and_all(report: Progress, fraction: float) -> None:
    assert report.fraction == fraction


def test_damage_is_one_line_that_says_what_where_and_what_was_done() -> None:
    damage = Damage(
        run="exp1", path="/logs/exp1/f", offset=1234, length=56, reason="payload checksum is wrong"
    )
    assert str(damage) == (
        "Payload checksum is wrong at byte 1,234 of run exp1: skipped 56 bytes and went on: /logs/exp1/f"
    )


def test_damage_without_bytes_says_so() -> None:
    damage = Damage(run=".", path="/logs/f", offset=0, length=0, reason="")
    assert str(damage) == "Damaged data at byte 0 of run .: went on without it: /logs/f"


def test_odd_names_cannot_break_the_line() -> None:
    damage = Damage(run="a\nb", path="/logs/\x1b[2J\n", offset=0, length=1, reason="bad\r\nlength")
    assert str(damage).isprintable()


@pytest.mark.parametrize(("name", "shown"), [("a/b", "a/b"), ("", "''"), ("a b", "'a b'"), ("a\t", r"'a\t'")])
def test_names_that_could_be_misread_are_quoted(name: str, shown: str) -> None:
    assert quoted(name) == shown
