"""Two people changed one text: what comes of both, by lines.

Each side's changes against the common base are stretches of base lines with what stands in their place.
Changes of different stretches go together. Where both changed the same lines, or put different lines into the
same place, nobody but the writers can tell what is meant: that is a conflict, and nothing is chosen.
"""

from __future__ import annotations

from typing import NamedTuple

MAX_LINES = 5000
MAX_DIFFERENCES = 500
"""Lines that one side put in or took away. Comparing takes the product of both at worst, which is less than a
second. What goes beyond is a conflict when both sides changed the text."""


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
    kept = _kept_lines(old, new) if max(len(old), len(new)) <= MAX_LINES else None
    if kept is None:
        return None
    changes = []
    begin = new_begin = 0
    for end, new_end in [*kept, (len(old), len(new))]:
        if end > begin or new_end > new_begin:
            changes.append(_Change(same + begin, same + end, new[new_begin:new_end]))
        begin, new_begin = end + 1, new_end + 1
    return changes


def _kept_lines(old: list[str], new: list[str]) -> list[tuple[int, int]] | None:
    """Places, in both, of a longest sequence of lines that they share; None for too many differences.

    The greedy algorithm of Myers (An O(ND) difference algorithm and its variations, 1986). A path goes from
    (0, 0) to both ends; on diagonal k, x - y = k. ``reach`` is the x of those that come furthest with so
    many lines taken away or put in, by diagonal; the list of earlier ones leads back. difflib has no bound:
    texts of 20 kB can take it a minute.
    """
    reach = {1: 0}
    earlier: list[dict[int, int]] = []
    for differences in range(min(len(old) + len(new), MAX_DIFFERENCES) + 1):
        earlier.append(reach)
        now: dict[int, int] = {}
        for k in range(-differences, differences + 1, 2):
            x = reach[k + 1] if _is_put_in(reach, k, differences) else reach[k - 1] + 1
            while x < len(old) and x - k < len(new) and old[x] == new[x - k]:
                x += 1
            now[k] = x
            if x >= len(old) and x - k >= len(new):
                return _way_back(earlier, len(old), len(new))
        reach = now
    return None


def _is_put_in(reach: dict[int, int], k: int, differences: int) -> bool:
    """Whether the last difference on the way to diagonal k is a line put in, and not one taken away."""
    return k == -differences or (k != differences and reach[k - 1] < reach[k + 1])


def _way_back(earlier: list[dict[int, int]], x: int, y: int) -> list[tuple[int, int]]:
    """The lines that are kept on the way to (x, y)."""
    kept: list[tuple[int, int]] = []
    for differences, reach in reversed(list(enumerate(earlier))):
        k = x - y
        is_put_in = _is_put_in(reach, k, differences)
        begin = reach[k + 1] if is_put_in else reach[k - 1] + 1
        while x > begin:
            x, y = x - 1, y - 1
            kept.append((x, y))
        x, y = (x, y - 1) if is_put_in else (x - 1, y)
    return kept[::-1]
