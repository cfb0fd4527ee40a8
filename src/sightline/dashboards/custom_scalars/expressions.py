"""Regular expressions that come in a request, matched in a time that is known beforehand.

Python's own matcher tries one way after the other, which an expression like ``(a+)+$`` makes so many that the
server would stand still, as it holds the interpreter meanwhile. Here the expression is read by Python's
parser, and all ways are followed at once: per letter of a tag as many steps as the expression has parts. What
needs the other way (references to what was matched before, looking around) is refused.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from sightline.wire.routes import ApiError

parser: Any = getattr(re, "_parser", None) or vars(re)["sre_parse"]
"""Python's own; under its older name in 3.10."""

MAX_CHARS = 1_000
MAX_PARTS = 4_000
MAX_STEPS = 5_000_000
"""Of one question, over all tags: a few seconds, in which other threads get their turn."""

IsAt = Callable[[str, int], bool]
"""Whether a place in the text is one of that kind."""


class BadExpressionError(ValueError):
    """The text is no expression."""


class Expression:
    """Raises BadExpressionError, or ApiError 400 for one that is not understood here."""

    def __init__(self, source: str) -> None:
        if not source:
            raise BadExpressionError("The expression is empty")
        if len(source) > MAX_CHARS:
            raise ApiError(400, f"The expression is too long: {MAX_CHARS:,} characters are the limit")
        try:
            parsed = parser.parse(source)
        except (re.error, RecursionError, OverflowError) as error:
            raise BadExpressionError(str(error)) from None
        self._flags = parsed.state.flags
        self._parts: list[tuple[str, Any]] = []
        """take (a letter), at (a place), go (to one of several parts), end"""
        self._classes: dict[Any, LetterClass] = {}
        try:
            self._add(parsed)
        except RecursionError:
            raise ApiError(400, "The expression has too many brackets within brackets") from None
        self._parts.append(("end", None))
        self._steps_left = MAX_STEPS

    def matching(self, texts: Iterable[str]) -> Iterator[str]:
        """Those that match from their beginning on. Raises ApiError 400 when that takes too long."""
        return (text for text in texts if self.matches(text))

    def matches(self, text: str) -> bool:
        now = self._reached({0}, text, 0)
        for position, letter in enumerate(text):
            if self._is_end(now) or not now:
                break
            cases = _cases(letter, self._flags)
            # Repetitions share a class, so that it is asked once.
            taken: dict[LetterClass, bool] = {}
            following = set()
            for part in now:
                letters = self._parts[part][1]
                if letters not in taken:
                    taken[letters] = letters.takes(letter, cases)
                if taken[letters]:
                    following.add(part + 1)
            now = self._reached(following, text, position + 1)
        return self._is_end(now)

    def _is_end(self, parts: set[int]) -> bool:
        return len(self._parts) - 1 in parts

    def _reached(self, parts: set[int], text: str, position: int) -> set[int]:
        """The parts that take a letter, and the end, that can be come to without one."""
        waiting, seen, found = list(parts), set(parts), set()
        while waiting:
            part = waiting.pop()
            kind, what = self._parts[part]
            if kind in ("take", "end"):
                found.add(part)
                continue
            following = what if kind == "go" else [part + 1] if what(text, position) else []
            for one in following:
                if one not in seen:
                    seen.add(one)
                    waiting.append(one)
        self._steps_left -= len(seen) + 1
        if self._steps_left < 0:
            raise ApiError(400, "The expression takes too long: make it simpler, or ask for single tags")
        return found

    # ── from the parser's tree to parts ──────────────────────────────────────────────────────────────────

    def _add(self, tree: Any) -> None:
        for operation, what in tree:
            name = str(operation)
            if name == "SUBPATTERN":
                _group, more, fewer, inner = what
                if more or fewer:
                    raise _not_understood("flags of a part")
                self._add(inner)
            elif name == "BRANCH":
                self._add_branches(what[1])
            elif name in ("MAX_REPEAT", "MIN_REPEAT"):
                self._add_repeat(*what)
            elif name == "AT":
                self._append("at", _place(str(what), self._flags))
            elif name in ("LITERAL", "NOT_LITERAL", "ANY", "IN"):
                self._append("take", self._class(name, what))
            else:
                raise _not_understood(name.lower().replace("_", " "))

    def _append(self, kind: str, what: Any) -> int:
        if len(self._parts) >= MAX_PARTS:
            raise ApiError(400, "The expression repeats too much: make it simpler")
        self._parts.append((kind, what))
        return len(self._parts) - 1

    def _add_branches(self, branches: Iterable[Any]) -> None:
        choices: list[int] = []
        self._append("go", choices)
        ends: list[list[int]] = []
        for branch in branches:
            choices.append(len(self._parts))
            self._add(branch)
            ends.append([])
            self._append("go", ends[-1])
        for end in ends:
            end.append(len(self._parts))

    def _add_repeat(self, least: int, most: Any, inner: Any) -> None:
        for _ in range(least):
            # One that takes nothing does not count, and would be gone round in for ever.
            before = len(self._parts)
            self._add(inner)
            if len(self._parts) == before:
                return
        if most == parser.MAXREPEAT:
            ways: list[int] = []
            start = self._append("go", ways)
            self._add(inner)
            self._append("go", [start])
            ways += [start + 1, len(self._parts)]
            return
        skips: list[list[int]] = []
        for _ in range(int(most) - least):
            before = len(self._parts)
            ways = []
            start = self._append("go", ways)
            ways.append(start + 1)
            skips.append(ways)
            self._add(inner)
            if len(self._parts) == before + 1:
                break
        for ways in skips:
            ways.append(len(self._parts))

    def _class(self, name: str, what: Any) -> LetterClass:
        """Made once of each place in the expression, however often that is repeated."""
        key = (name, id(what) if name == "IN" else what)
        if key not in self._classes:
            if name == "ANY":
                items = [] if self._flags & re.DOTALL else [("LITERAL", ord("\n"))]
                made = LetterClass(items, self._flags, is_negated=True)
            elif name == "IN":
                items = [(str(kind), value) for kind, value in what]
                is_negated = items[0][0] == "NEGATE"
                made = LetterClass(items[is_negated:], self._flags, is_negated=is_negated)
            else:
                made = LetterClass([("LITERAL", what)], self._flags, is_negated=name == "NOT_LITERAL")
            self._classes[key] = made
        return self._classes[key]


class LetterClass:
    """Letters that a part takes. To ask about one takes as long for a thousand items as for one."""

    def __init__(self, items: Iterable[tuple[str, Any]], flags: int, *, is_negated: bool) -> None:
        self._is_negated = is_negated
        ranges: list[tuple[int, int]] = []
        categories: set[str] = set()
        for kind, value in items:
            if kind == "LITERAL":
                ranges.append((value, value))
            elif kind == "RANGE":
                ranges.append(value)
            elif kind == "CATEGORY":
                categories.add(str(value))
            else:
                raise _not_understood(kind.lower())
        self._categories = [_category(name, flags) for name in sorted(categories)]
        self._lows: list[int] = []
        self._highs: list[int] = []
        """Of ranges that do not overlap, ascending."""
        for low, high in sorted(ranges):
            if self._highs and low <= self._highs[-1]:
                self._highs[-1] = max(high, self._highs[-1])
            else:
                self._lows.append(low)
                self._highs.append(high)

    def takes(self, letter: str, cases: Sequence[int]) -> bool:
        """``cases``: the letter and those that count as the same."""
        is_in = any(map(self._has, cases)) or any(test(letter) for test in self._categories)
        return is_in != self._is_negated

    def _has(self, code: int) -> bool:
        place = bisect_right(self._lows, code) - 1
        return place >= 0 and code <= self._highs[place]


def _cases(letter: str, flags: int) -> Sequence[int]:
    if not flags & re.IGNORECASE:
        return (ord(letter),)
    if flags & re.ASCII:
        return (ord(letter.lower()), ord(letter.upper())) if letter.isascii() else (ord(letter),)
    return _letters_by_case().get(_without_case(letter)) or (ord(letter),)


@cache
def _letters_by_case() -> Mapping[str, Sequence[int]]:
    """Those that Python's matcher takes for each other where case is ignored: "k", "K" and the sign of
    kelvin."""
    found: dict[str, list[int]] = defaultdict(list)
    for code in range(sys.maxunicode + 1):
        letter = chr(code)
        if letter.lower() != letter.upper():
            found[_without_case(letter)].append(code)
    return dict(found)


def _without_case(letter: str) -> str:
    # Only one letter becomes two when it is made small ("İ"), and the matcher drops the second.
    return letter.lower()[0].upper()


def _not_understood(what: str) -> ApiError:
    return ApiError(400, f"The expression has what is not understood here ({what}): make it simpler")


def _category(name: str, flags: int) -> Callable[[str], bool]:
    """``\\d``, ``\\w``, ``\\s`` and their opposites; Python's matcher is asked about the one letter."""
    letter_of = {"DIGIT": "d", "SPACE": "s", "WORD": "w"}
    name = name.removeprefix("CATEGORY_")
    is_negated = name.startswith("NOT_")
    fits = re.compile(f"\\{letter_of[name.removeprefix('NOT_')]}", flags & re.ASCII).match
    return lambda letter: (fits(letter) is not None) != is_negated


def _place(name: str, flags: int) -> IsAt:
    """``^``, ``$``, ``\\b`` …; Python's matcher is asked about the two letters around the place."""
    name = name.removeprefix("AT_")
    if name in ("BEGINNING", "BEGINNING_STRING"):
        is_line = name == "BEGINNING" and bool(flags & re.MULTILINE)
        return lambda text, at: at == 0 or (is_line and text[at - 1] == "\n")
    if name == "END_STRING":
        return lambda text, at: at == len(text)
    if name == "END":
        is_line = bool(flags & re.MULTILINE)
        return lambda text, at: at == len(text) or (text[at] == "\n" and (is_line or at == len(text) - 1))
    is_negated = name == "NON_BOUNDARY"
    is_word = re.compile(r"\w", flags & re.ASCII).match

    def at_boundary(text: str, at: int) -> bool:
        before = at > 0 and is_word(text[at - 1]) is not None
        after = at < len(text) and is_word(text[at]) is not None
        return (before != after) != is_negated

    return at_boundary
