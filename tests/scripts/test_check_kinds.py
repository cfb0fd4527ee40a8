"""The count of names of kinds: what counts, and that it can neither rise nor be left too high."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts import check_kinds

KINDS = """class Kind(str, Enum):
    image = "image"
    text = "text"
"""


def problems(tmp_path: Path, name: str, text: str, **counts: int) -> list[str]:
    for file, content in ((check_kinds.HOME, KINDS), (name, text)):
        path = tmp_path / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, "utf-8")
    return [line.removeprefix(f"{tmp_path}/") for line in check_kinds.check_tree(tmp_path, counts)]


def test_the_numbers_are_those_of_the_package() -> None:
    assert check_kinds.check_tree(check_kinds.SOURCE, check_kinds.COUNTS) == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("dashboards/images/__init__.py", "x = Kind.image\n"),
        ("server/app.py", "x = 'an image'\ny = Kind.of\nz = image.text\n"),
    ],
)
def test_what_is_in_its_place_or_no_name_does_not_count(tmp_path: Path, name: str, text: str) -> None:
    assert problems(tmp_path, name, text) == []


def test_a_name_too_many_is_shown_with_its_line(tmp_path: Path) -> None:
    assert problems(tmp_path, "server/app.py", "x = Kind.image\n\ny = 'text'\n", server=1) == [
        "server/app.py:1: Kind.image",
        "server/app.py:3: 'text'",
        "server names kinds 2 times; 1 is the most",
    ]


def test_a_number_that_could_be_lower_has_to_be(tmp_path: Path) -> None:
    (line,) = problems(tmp_path, "server/app.py", "x = Kind.image\n", server=2)
    assert line == "server: write 1 instead of 2 into scripts/check_kinds.py"
