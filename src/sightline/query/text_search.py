"""A word looked for in every value of some text tags, a stretch at a time.

Values are read from the log's files, so a search over many of them takes a while. Each call looks at as much
as its bounds allow (at least one value) and says how many values it has got past; the next call skips these.
Values that arrive meanwhile move others towards the end, so one may be looked at twice; none is left out.

The search is literal. Without regard to case, both sides are case-folded ("STRASSE" finds "Straße"). Long
texts are folded and searched in pieces: other threads have their turn in between, and bounds of time hold.
"""

from __future__ import annotations

import math
import time
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sightline.model.errors import DataError
from sightline.query.media_items import FoundItem
from sightline.store.media import MediaSeries

CHARS_BEFORE = 60
CHARS_AFTER = 120
PIECE_CHARS = 1 << 14
"""Folded and searched at once, which takes well below a millisecond."""


@dataclass(frozen=True)
class SearchBounds:
    """Of one call; whichever is reached first ends it."""

    values: int = 20_000
    hits: int = 200
    size_bytes: int = 64 << 20
    time_s: float = 0.3
    first_text_s: float = 2.0
    """The first value may take longer, or a long text would never be got past. Beyond this the rest of it is
    left out, and told as a problem."""
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
    now: Callable[[], float] = time.monotonic,
) -> SearchResult:
    """Looks through the values one series after the other, each from its first step to its last."""
    bounds = bounds or SearchBounds()
    total = sum(map(len, series))
    needle = Needle(text, is_case_sensitive=is_case_sensitive)
    found: list[FoundText] = []
    problems: list[str] = []
    deadline = now() + bounds.time_s
    searched = min(skip, total)
    first = searched
    most_values = searched + bounds.values
    size_bytes = 0
    begin = 0
    """Values of the series before this one."""
    for position, one in enumerate(series):
        end = begin + len(one)
        while searched < end:
            index = searched - begin
            size_bytes += int(one.size_bytes[index])
            problem = ""
            try:
                cells = FoundItem(one, index).read().array.ravel().tolist()
            except DataError as error:
                problem = str(error)
            else:
                is_first = searched == first
                finding = needle.find(
                    cells, until=now() + bounds.first_text_s if is_first else deadline, now=now
                )
                if finding.is_cut and not is_first:
                    # The next call begins with it.
                    return SearchResult(found, searched, total, problems)
                if finding.is_cut:
                    problem = (
                        f"The text is too long to be searched in time: only its first {finding.chars:,} of "
                        f"{sum(map(len, cells)):,} characters were"
                    )
                if finding.excerpt is not None:
                    found.append(FoundText(position, index, finding.count, *finding.excerpt))
            if problem and len(problems) < bounds.problems:
                problems.append(f"{one.run}, {one.tag}, step {int(one.step[index])}: {problem}")
            searched += 1
            if (
                searched >= most_values
                or len(found) >= bounds.hits
                or size_bytes >= bounds.size_bytes
                or now() >= deadline
            ):
                return SearchResult(found, searched, total, problems)
        begin = end
    return SearchResult(found, searched, total, problems)


@dataclass(frozen=True)
class Finding:
    count: int
    excerpt: tuple[str, str, str] | None
    """The first place: before, match, after."""
    chars: int
    """That were looked at, over all cells."""
    is_cut: bool


class Needle:
    """What is looked for."""

    def __init__(self, text: str, *, is_case_sensitive: bool, piece_chars: int = PIECE_CHARS) -> None:
        self._is_case_sensitive = is_case_sensitive
        self._text = self._folded(text)
        self._piece_chars = piece_chars

    def find(
        self,
        cells: Sequence[str],
        *,
        until: float = math.inf,
        now: Callable[[], float] = time.monotonic,
    ) -> Finding:
        """How often it is in there, and the first place; as far as the time reaches."""
        count = 0
        chars = 0
        excerpt: tuple[str, str, str] | None = None
        for cell in cells:
            folded_chars = [0]
            """Before each piece, and behind the last."""
            tail = ""
            """What is folded already and may be the beginning of a match."""
            for begin in range(0, len(cell), self._piece_chars):
                if now() >= until:
                    return Finding(count, excerpt, chars, is_cut=True)
                piece = cell[begin : begin + self._piece_chars]
                folded = self._folded(piece)
                folded_chars.append(folded_chars[-1] + len(folded))
                between = (tail + folded).split(self._text)
                count += len(between) - 1
                chars += len(piece)
                if excerpt is None and len(between) > 1:
                    start = folded_chars[-2] - len(tail) + len(between[0])
                    excerpt = self._excerpt(cell, folded_chars, start)
                rest = between[-1]
                tail = rest[max(0, len(rest) - len(self._text) + 1) :]
        return Finding(count, excerpt, chars, is_cut=False)

    def _folded(self, text: str) -> str:
        return text if self._is_case_sensitive else text.casefold()

    def _excerpt(self, cell: str, folded_chars: Sequence[int], start: int) -> tuple[str, str, str]:
        """``start``: where the match begins in the folded text."""
        stop = self._unfolded(cell, folded_chars, start + len(self._text))
        # Folding makes some letters longer ("ß" is "ss"), and the match may begin within one.
        start = self._unfolded(cell, folded_chars, start + 1) - 1
        before = cell[max(0, start - CHARS_BEFORE) : start]
        after = cell[stop : stop + CHARS_AFTER]
        if start > CHARS_BEFORE:
            before = f"…{before}"
        if len(cell) > stop + CHARS_AFTER:
            after = f"{after}…"
        return before, cell[start:stop], after

    def _unfolded(self, cell: str, folded_chars: Sequence[int], length: int) -> int:
        """The shortest beginning of the text that is at least this long when folded."""
        number = bisect_left(folded_chars, length) - 1
        begin = number * self._piece_chars
        piece = cell[begin : begin + self._piece_chars]
        wanted = length - folded_chars[number]
        return begin + bisect_left(range(len(piece)), wanted, key=lambda end: len(self._folded(piece[:end])))
