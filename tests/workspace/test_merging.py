"""Two texts from one: nothing that either side wrote is lost, and what contradicts is never chosen."""

from __future__ import annotations

import hypothesis.strategies as st
import pytest
from hypothesis import given

from sightline.workspace.merging import MAX_LINES, merged

BASE = "one\ntwo\nthree\nfour\nfive"


@pytest.mark.parametrize(
    ("ours", "theirs", "wanted"),
    [
        ("ONE\ntwo\nthree\nfour\nfive", "one\ntwo\nthree\nfour\nFIVE", "ONE\ntwo\nthree\nfour\nFIVE"),
        (BASE, "one\ntwo", "one\ntwo"),
        ("one\ntwo", BASE, "one\ntwo"),
        ("one\nTWO\nthree\nfour\nfive", "one\ntwo\nTHREE\nfour\nfive", "one\nTWO\nTHREE\nfour\nfive"),
        ("zero\n" + BASE, BASE + "\nsix", "zero\n" + BASE + "\nsix"),
        (BASE + "\nsix", BASE + "\nsix", BASE + "\nsix"),  # both did the same
        ("one\nthree\nfour\nfive", BASE + "\nsix", "one\nthree\nfour\nfive\nsix"),  # one took a line away
        ("one\ntwo\nnew\nthree\nfour\nfive", "one\nthree\nfour\nfive", "one\nnew\nthree\nfour\nfive"),
    ],
)
def test_changes_of_different_lines_go_together(ours: str, theirs: str, wanted: str) -> None:
    assert merged(BASE, ours, theirs) == wanted
    assert merged(BASE, theirs, ours) == wanted


@pytest.mark.parametrize(
    ("base", "ours", "theirs"),
    [
        (BASE, BASE.replace("two", "2"), BASE.replace("two", "II")),
        (BASE, BASE + "\nsix", BASE + "\nsieben"),
        (BASE, "one\ntwo\nX\nfive", "one\ntwo\nthree\nY\nfive"),  # inside of what the other took away
        ("", "mine", "yours"),
    ],
)
def test_changes_of_the_same_lines_are_a_conflict(base: str, ours: str, theirs: str) -> None:
    assert merged(base, ours, theirs) is None
    assert merged(base, theirs, ours) is None


LINES = st.lists(st.sampled_from(["a", "b", "c", "", "# x", "- [ ] task"]), max_size=12)


@st.composite
def edited(draw: st.DrawFn, base: list[str], mark: str) -> list[str]:
    """The base with lines of our own put in, taken away and exchanged; each new line is a line of its own."""
    lines = []
    for number, line in enumerate(base):
        what = draw(st.sampled_from(["keep", "keep", "keep", "drop", "exchange", "before"]))
        if what in ("exchange", "before"):
            lines.append(f"{mark}{number}")
        if what in ("keep", "before"):
            lines.append(line)
    if draw(st.booleans()):
        lines.append(f"{mark}end")
    return lines


@given(st.data())
def test_no_line_that_either_side_wrote_is_lost(data: st.DataObject) -> None:
    base = [f"{line} {number}" for number, line in enumerate(data.draw(LINES))]
    ours, theirs = data.draw(edited(base, "+")), data.draw(edited(base, "*"))
    found = merged(*("\n".join(lines) for lines in (base, ours, theirs)))
    if found is None:
        return
    lines = found.split("\n")
    for line in (*ours, *theirs):
        if line not in base:
            assert lines.count(line) == 1
    for line in base:
        # A line is there exactly if neither side took it away.
        assert (line in lines) == (line in ours and line in theirs)
    for side in (ours, theirs):
        kept = [line for line in lines if line in side]
        assert kept == [line for line in side if line in kept]  # in the order in which it was written


@given(LINES, LINES)
def test_a_side_without_changes_takes_the_other(base: list[str], other: list[str]) -> None:
    before, after = "\n".join(base), "\n".join(other)
    assert merged(before, after, before) == after
    assert merged(before, before, after) == after
    assert merged(before, after, after) == after


def test_texts_that_would_take_too_long_are_a_conflict() -> None:
    base = "\n".join(f"{n % 97}" for n in range(3 * MAX_LINES))
    ours, theirs = base[::-1], base.replace("1", "x")
    assert merged(base, ours, theirs) is None
    assert merged(base, base + "\nmine", "yours\n" + base) == f"yours\n{base}\nmine"


def test_many_equal_lines_are_not_compared() -> None:
    """A text made for difflib, which looks for a minute at what each of some thousand lines may be."""
    base = [str(n // 50) for n in range(MAX_LINES)]
    ours = [line for n in range(MAX_LINES // 2) for line in (f"u{n}", str(n // 25))]
    assert merged("\n".join(base), "\n".join(ours), "\n".join(["x", *base])) is None
    many = [f"our {n}" if n % 20 == 0 else f"{n}" for n in range(MAX_LINES)]
    plain = [f"{n}" for n in range(MAX_LINES)]
    found = merged("\n".join(plain), "\n".join(many), "\n".join([*plain, "theirs"]))
    assert found == "\n".join([*many, "theirs"])
