"""A word looked for in every value of some text tags, a stretch at a time.

Values are read from the log's files, so a search over many of them takes a while. Each call looks at as much
as its bounds allow (at least one value) and says how many values it has got past; the next call skips these.
Values that arrive meanwhile move others towards the end, so one may be looked at twice; none is left out.

The search is literal. Without regard to case, both sides are case-folded ("STRASSE" finds "Straße").
"""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sightline.model.errors import DataError
from sightline.query.media_items import FoundItem
from sightline.store.media import MediaSeries

CHARS_BEFORE = 60
CHARS_AFTER = 120


@dataclass(frozen=True)
class SearchBounds:
    """Of one call; whichever is reached first ends it."""

    values: int = 20_000
    hits: int = 200
    size_bytes: int = 64 << 20
    time_s: float = 0.3
    problems: int = 20


@dataclass(frozen=True)
class FoundText:
    series: int
    """Position in the sequence that was given."""
    index: int
    count: int
    before: str
    match: str
    after: str


@dataclass(frozen=True)
class SearchResult:
    found: list[FoundText]
    searched: int
    """Values got past so far, those that were skipped included."""
    total: int
    problems: list[str]


def search_texts(
    series: Sequence[MediaSeries[Any]],
    text: str,
    *,
    is_case_sensitive: bool,
    skip: int,
    bounds: SearchBounds | None = None,
) -> SearchResult:
    """Looks through the values one series after the other, each from its first step to its last."""
    bounds = bounds or SearchBounds()
    total = sum(map(len, series))
    needle = Needle(text, is_case_sensitive=is_case_sensitive)
    found: list[FoundText] = []
    problems: list[str] = []
    deadline = time.monotonic() + bounds.time_s
    searched = min(skip, total)
    most_values = searched + bounds.values
    size_bytes = 0
    begin = 0
    """Values of the series before this one."""
    for position, one in enumerate(series):
        end = begin + len(one)
        while searched < end:
            index = searched - begin
            size_bytes += int(one.size_bytes[index])
            try:
                cells = FoundItem(one, index).read().array.ravel().tolist()
            except DataError as error:
                if len(problems) < bounds.problems:
                    problems.append(f"{one.run}, {one.tag}, step {int(one.step[index])}: {error}")
            else:
                count, excerpt = needle.find(cells)
                if excerpt is not None:
                    found.append(FoundText(position, index, count, *excerpt))
            searched += 1
            if (
                searched >= most_values
                or len(found) >= bounds.hits
                or size_bytes >= bounds.size_bytes
                or time.monotonic() >= deadline
            ):
                return SearchResult(found, searched, total, problems)
        begin = end
    return SearchResult(found, searched, total, problems)


class Needle:
    """What is looked for."""

    def __init__(self, text: str, *, is_case_sensitive: bool) -> None:
        self._is_case_sensitive = is_case_sensitive
        self._text = self._folded(text)

    def find(self, cells: Sequence[str]) -> tuple[int, tuple[str, str, str] | None]:
        """How often it is in there, and the first place: before, match, after."""
        count = 0
        excerpt: tuple[str, str, str] | None = None
        for cell in cells:
            folded = self._folded(cell)
            here = folded.count(self._text)
            if here and excerpt is None:
                excerpt = self._excerpt(cell, folded)
            count += here
        return count, excerpt

    def _folded(self, text: str) -> str:
        return text if self._is_case_sensitive else text.casefold()

    def _excerpt(self, cell: str, folded: str) -> tuple[str, str, str]:
        begin = folded.index(self._text)
        stop = self._unfolded(cell, folded, begin + len(self._text))
        # Folding makes some letters longer ("ß" is "ss"), and the match may begin within one.
        start = self._unfolded(cell, folded, begin + 1) - 1
        before = cell[max(0, start - CHARS_BEFORE) : start]
        after = cell[stop : stop + CHARS_AFTER]
        if start > CHARS_BEFORE:
            before = f"…{before}"
        if len(cell) > stop + CHARS_AFTER:
            after = f"{after}…"
        return before, cell[start:stop], after

    def _unfolded(self, cell: str, folded: str, length: int) -> int:
        """The shortest beginning of the text that is at least this long when folded."""
        if len(cell) == len(folded):  # no letter becomes shorter, so none became longer
            return length
        return bisect_left(range(length), length, key=lambda end: len(self._folded(cell[:end])))
