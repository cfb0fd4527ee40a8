"""Looking for a word in texts: pieces of a long text against the whole of it, and the bounds of a call."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sightline import SummaryWriter
from sightline.log import open_log
from sightline.model.kinds import Kind
from sightline.query.media_items import find_series
from sightline.query.text_search import (
    CHARS_AFTER,
    CHARS_BEFORE,
    PIECE_CHARS,
    Finding,
    Needle,
    SearchBounds,
    search_texts,
)

LETTERS = "aAßsSİiﬃfﬁΣς b"
"""Among them those that are two or three letters when folded."""


@pytest.fixture(scope="module")
def series(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return series_of(tmp_path_factory.mktemp("log"), *(f"Step {step}" for step in range(5)))


def series_of(root: Path, *texts: str) -> Any:
    with SummaryWriter(str(root / "run")) as writer:
        for step, text in enumerate(texts):
            writer.add_text("note", text, step)
    log = open_log(root, watch=False, cache=False).wait()
    found = find_series(log._store, "run", Kind.text, "note/text_summary")
    assert found is not None
    return found


def clock(tick_s: float = 1.0) -> Callable[[], float]:
    """Goes on with each look at it."""
    ticks = count()
    return lambda: next(ticks) * tick_s


def found_in_whole(text: str, wanted: str) -> tuple[int, tuple[str, str, str] | None]:
    """The simple way: all of the text folded, letter by letter to know where each came from."""
    owners = [place for place, letter in enumerate(text) for _ in letter.casefold()]
    folded, wanted = text.casefold(), wanted.casefold()
    at = folded.find(wanted)
    if at < 0:
        return 0, None
    start, stop = owners[at], owners[at + len(wanted) - 1] + 1
    before = ("…" if start > CHARS_BEFORE else "") + text[max(0, start - CHARS_BEFORE) : start]
    after = text[stop : stop + CHARS_AFTER] + ("…" if len(text) > stop + CHARS_AFTER else "")
    return folded.count(wanted), (before, text[start:stop], after)


# ── one text ─────────────────────────────────────────────────────────────────────────────────────────────


@given(st.text(LETTERS, max_size=40), st.text(LETTERS, min_size=1, max_size=6), st.integers(1, 9))
@example("xxsßsx", "sss", 2)
@example("aaaaaaa", "aa", 3)
@example("ﬃ", "f", 1)
def test_pieces_find_what_the_whole_has(text: str, wanted: str, piece_chars: int) -> None:
    finding = Needle(wanted, is_case_sensitive=False, piece_chars=piece_chars).find([text])
    assert (finding.count, finding.excerpt) == found_in_whole(text, wanted)
    assert (finding.chars, finding.is_cut) == (len(text), False)


@given(st.text("ab", max_size=40), st.text("ab", min_size=1, max_size=5), st.integers(1, 9))
def test_counts_are_those_of_python(text: str, wanted: str, piece_chars: int) -> None:
    finding = Needle(wanted, is_case_sensitive=True, piece_chars=piece_chars).find([text, "b", text])
    assert finding.count == 2 * text.count(wanted) + "b".count(wanted)


@given(st.text(min_size=1, max_size=30))
def test_letters_are_folded_one_by_one(text: str) -> None:
    """What pieces rely on."""
    assert "".join(map(str.casefold, text)) == text.casefold()


def test_long_texts_are_shown_in_excerpts() -> None:
    excerpt = Needle("needle", is_case_sensitive=False).find(["x" * 1000 + " needle " + "y" * 1000]).excerpt
    assert excerpt is not None
    before, match, after = excerpt
    assert before.startswith("…x")
    assert len(before) < 70
    assert (match, after[-1]) == ("needle", "…")


@pytest.mark.parametrize("is_case_sensitive", [True, False])
def test_the_time_is_heeded_within_a_long_text(*, is_case_sensitive: bool) -> None:
    text = "ß" + "word " * 200_000 + "needle"
    needle = Needle("needle", is_case_sensitive=is_case_sensitive)
    whole = needle.find([text])
    assert whole.excerpt == ("…" + text[-6 - CHARS_BEFORE : -6], "needle", "")
    cut = needle.find([text], until=3, now=clock())
    assert cut == Finding(count=0, excerpt=None, chars=3 * PIECE_CHARS, is_cut=True)


def test_what_was_found_before_the_time_was_up_stays() -> None:
    cells = ["needle", "x" * 10, "needle"]
    cut = Needle("needle", is_case_sensitive=True).find(cells, until=2, now=clock())
    assert cut == Finding(count=1, excerpt=("", "needle", ""), chars=16, is_cut=True)


# ── many texts ───────────────────────────────────────────────────────────────────────────────────────────


def test_a_search_goes_on_where_it_stopped(series: Any) -> None:
    found, skip, calls = [], 0, 0
    while calls < 20:
        result = search_texts(
            [series],
            "step",
            is_case_sensitive=False,
            skip=skip,
            bounds=SearchBounds(values=2),
        )
        found += [hit.index for hit in result.found]
        skip = result.searched
        calls += 1
        if skip == result.total:
            break
    assert (found, calls) == ([0, 1, 2, 3, 4], 3)


@pytest.mark.parametrize(
    "bounds", [SearchBounds(hits=1), SearchBounds(size_bytes=1), SearchBounds(time_s=-1.0)]
)
def test_one_value_is_searched_whatever_the_bounds(series: Any, bounds: SearchBounds) -> None:
    result = search_texts([series], "step", is_case_sensitive=False, skip=3, bounds=bounds)
    assert ([hit.index for hit in result.found], result.searched) == ([3], 4)


def test_a_long_text_that_the_time_does_not_reach_is_left_to_the_next_call(tmp_path: Path) -> None:
    """The clock goes on by one with each piece, and twenty pieces are as much as a call may take."""
    series = series_of(tmp_path, "needle", "x" * (30 * PIECE_CHARS) + "needle", "needle")
    bounds = SearchBounds(time_s=20, first_text_s=40)
    found, searched = [], [0]
    while searched[-1] < 3 and len(searched) < 9:
        result = search_texts(
            [series], "needle", is_case_sensitive=False, skip=searched[-1], bounds=bounds, now=clock()
        )
        found += [hit.index for hit in result.found]
        searched.append(result.searched)
        assert result.problems == []
    assert found == [0, 1, 2]
    assert searched == [0, 1, 2, 3]


def test_a_text_that_is_too_long_for_a_call_of_its_own_is_told_and_got_past(tmp_path: Path) -> None:
    series = series_of(tmp_path, "needle" + "x" * (30 * PIECE_CHARS), "needle")
    bounds = SearchBounds(time_s=5, first_text_s=10)
    result = search_texts([series], "needle", is_case_sensitive=False, skip=0, bounds=bounds, now=clock())
    assert result.searched == 1
    assert [(hit.index, hit.count) for hit in result.found] == [(0, 1)]
    (problem,) = result.problems
    assert "run, note/text_summary, step 0: The text is too long to be searched in time" in problem
    assert "of 491,526 characters" in problem
