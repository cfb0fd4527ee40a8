"""Two people changed one text: what comes of both, by lines.

Each side's changes against the common base are stretches of base lines with what stands in their place.
Changes of different stretches go together. Where both changed the same lines, or put different lines into the
same place, nobody but the writers can tell what is meant: that is a conflict, and nothing is chosen.
"""

from __future__ import annotations

from collections import Counter
from difflib import SequenceMatcher
from typing import NamedTuple

MAX_LINES = 1000
MAX_EQUAL_PAIRS = 20_000
"""Of the lines from the first to the last change of one side: how many there are, and how many pairs of equal
ones. Comparing takes the product of both at worst, a second or two. What goes beyond is a conflict when both
sides changed the text."""


class _Change(NamedTuple):
    """Base lines ``begin`` to ``end`` (without it) became ``lines``. None of them: lines were put in."""

    begin: int
    end: int
    lines: list[str]


def merged(base: str, ours: str, theirs: str) -> str | None:
    """The text with the changes of both sides; None when they contradict each other.

    >>> merged("a\\nb\\nc", "a\\nb\\nC", "A\\nb\\nc")
    'A\\nb\\nC'
    >>> merged("a", "b", "c") is None
    True
    """
    if ours == theirs or theirs == base:
        return ours
    if ours == base:
        return theirs
    base_lines, our_lines, their_lines = (text.split("\n") for text in (base, ours, theirs))
    our_changes = _changes(base_lines, our_lines)
    their_changes = _changes(base_lines, their_lines)
    if our_changes is None or their_changes is None:
        return None
    return _put_together(base_lines, our_changes, their_changes)


def _put_together(base: list[str], ours: list[_Change], theirs: list[_Change]) -> str | None:
    # The same change by both sides is one change.
    changes = {(change.begin, change.end, tuple(change.lines)): change for change in (*theirs, *ours)}
    found: list[str] = []
    at = 0
    previous = None
    for change in sorted(changes.values(), key=lambda change: (change.begin, change.end)):
        is_same_place = previous is not None and (change.begin, change.end) == (previous.begin, previous.end)
        if change.begin < at or is_same_place:
            return None
        found += base[at : change.begin]
        found += change.lines
        at, previous = change.end, change
    return "\n".join([*found, *base[at:]])


def _changes(base: list[str], lines: list[str]) -> list[_Change] | None:
    """What one side did; None when that would take too long to find out."""
    same = 0
    while same < min(len(base), len(lines)) and base[same] == lines[same]:
        same += 1
    same_at_end = 0
    while (
        same_at_end < min(len(base), len(lines)) - same and base[-1 - same_at_end] == lines[-1 - same_at_end]
    ):
        same_at_end += 1
    old, new = base[same : len(base) - same_at_end], lines[same : len(lines) - same_at_end]
    if max(len(old), len(new)) > MAX_LINES or _equal_pairs(old, new) > MAX_EQUAL_PAIRS:
        return None
    blocks = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [
        _Change(same + begin, same + end, new[new_begin:new_end])
        for kind, begin, end, new_begin, new_end in blocks
        if kind != "equal"
    ]


def _equal_pairs(old: list[str], new: list[str]) -> int:
    counts = Counter(new)
    return sum(counts[line] for line in old)
