"""Regular expressions that come in a request, matched in a time that is known beforehand.

Python's own matcher tries one way after the other, which an expression like ``(a+)+$`` makes so many that the
server would stand still, as it holds the interpreter meanwhile. Here the expression is read by Python's
parser, and all ways are followed at once: per letter of a tag as many steps as the expression has parts. What
needs the other way (references to what was matched before, looking around) is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from sightline.wire.routes import ApiError

parser: Any = getattr(re, "_parser", None) or vars(re)["sre_parse"]
"""Python's own; under its older name in 3.10."""

MAX_CHARS = 1_000
MAX_PARTS = 4_000
MAX_STEPS = 5_000_000
"""Of one question, over all tags: a few seconds, in which other threads get their turn."""

Takes = Callable[[str], bool]
"""Whether a part takes this letter."""
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
            following = set()
            for part in now:
                takes = self._parts[part][1]
                if takes(letter):
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
                self._append("take", self._takes(name, what))
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

    def _takes(self, name: str, what: Any) -> Takes:
        is_any_case = bool(self._flags & re.IGNORECASE)
        if name == "ANY":
            return (lambda _: True) if self._flags & re.DOTALL else (lambda letter: letter != "\n")
        if name == "IN":
            items = [(str(kind), value) for kind, value in what]
            is_negated = items[0][0] == "NEGATE"
            tests = [_test(kind, value, self._flags) for kind, value in items[is_negated:]]

            def among(letter: str) -> bool:
                letters = {letter, letter.lower(), letter.upper()} if is_any_case else {letter}
                return is_negated != any(test(one) for test in tests for one in letters)

            return among
        wanted = chr(what)
        if is_any_case:
            wanted = wanted.lower()
            is_wanted: Takes = lambda letter: letter.lower() == wanted  # noqa: E731
        else:
            is_wanted = lambda letter: letter == wanted  # noqa: E731
        return is_wanted if name == "LITERAL" else lambda letter: not is_wanted(letter)


def _not_understood(what: str) -> ApiError:
    return ApiError(400, f"The expression has what is not understood here ({what}): make it simpler")


def _test(kind: str, value: Any, flags: int) -> Takes:
    if kind == "LITERAL":
        return lambda letter: ord(letter) == value
    if kind == "RANGE":
        low, high = value
        return lambda letter: len(letter) == 1 and low <= ord(letter) <= high
    if kind == "CATEGORY":
        return _category(str(value), flags)
    raise _not_understood(kind.lower())


def _category(name: str, flags: int) -> Takes:
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
