"""Looking for a word in texts, and the bounds of a call."""

from __future__ import annotations

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


@given(st.text(LETTERS, max_size=40), st.text(LETTERS, min_size=1, max_size=6))
@example("xxsßsx", "sss")
@example("ﬃ", "f")
def test_the_excerpt_has_the_letters_that_were_logged(text: str, wanted: str) -> None:
    assert Needle(wanted, is_case_sensitive=False).find([text]) == found_in_whole(text, wanted)


@given(st.text("ab", max_size=40), st.text("ab", min_size=1, max_size=5))
def test_counts_are_those_of_python(text: str, wanted: str) -> None:
    count, _ = Needle(wanted, is_case_sensitive=True).find([text, "b", text])
    assert count == 2 * text.count(wanted) + "b".count(wanted)


@given(st.text(min_size=1, max_size=30))
def test_letters_are_folded_one_by_one(text: str) -> None:
    """What finding the way back relies on."""
    assert "".join(map(str.casefold, text)) == text.casefold()


def test_long_texts_are_shown_in_excerpts() -> None:
    _, excerpt = Needle("needle", is_case_sensitive=False).find(["x" * 1000 + " needle " + "y" * 1000])
    assert excerpt is not None
    before, match, after = excerpt
    assert before.startswith("…x")
    assert len(before) < 70
    assert (match, after[-1]) == ("needle", "…")


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
