"""JSON that is read a piece at a time.

``json.loads`` keeps all other threads waiting until it is done: with a table of a million cells a server
answers nobody for half a second. Here the text is looked through for brackets once, from the beginning to the
end, and as many members of a list or object as fit into some thousand characters are left to the standard
library at a time; between two pieces other threads get their turn. However deep the brackets are, each
character is looked at a few times at most. What comes out, and what is refused, is the same as there, but for
depth: a few hundred lists in each other are too many.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

# The standard library needs a millisecond or two for as much.
_SHORT_CHARS = 16_384
# The standard library gives up at about twice as many.
_MAX_DEPTH = 400

_QUOTE, _COMMA = ord('"'), ord(",")
# What a character does to the depth. Those beyond ASCII do nothing.
_STEPS = np.zeros(128, np.int64)
_STEPS[[ord("["), ord("{")]] = 1
_STEPS[[ord("]"), ord("}")]] = -1
_IS_MARK = _STEPS != 0
_IS_MARK[[_QUOTE, _COMMA]] = True
_SPACE = re.compile(r"[ \t\n\r]*")


def loads_patiently(text: str, *, parse_constant: Callable[[str], Any]) -> Any:
    """As ``json.loads``. Raises ValueError for what is no JSON, RecursionError for what is nested too
    deep."""
    decode = json.JSONDecoder(parse_constant=parse_constant).raw_decode
    at = _behind_space(text, 0)
    value, at = _Reader(text, decode).read(at) if text[at : at + 1] in _CLOSING else decode(text, at)
    at = _behind_space(text, at)
    if at < len(text):
        raise json.JSONDecodeError("Extra data", text, at)
    return value


_CLOSING = {"[": "]", "{": "}"}


def _behind_space(text: str, at: int) -> int:
    space = _SPACE.match(text, at)
    return at if space is None else space.end()


class _Marks(NamedTuple):
    """Brackets and commas outside of texts, in order."""

    signs: NDArray[np.uint32]
    places: NDArray[np.intp]
    end: int
    """Where a text begins that does not end; the end of the piece otherwise."""


def _marks_in(piece: str) -> _Marks:
    if "\\" in piece:  # a quote behind one, or behind three, ends no text
        piece = piece.replace("\\\\", "__").replace('\\"', "__")
    codes = np.frombuffer(piece.encode("utf-32-le", "surrogatepass"), np.uint32)
    places = np.flatnonzero(_IS_MARK[np.minimum(codes, 127)])
    signs = codes[places]
    are_quotes = signs == _QUOTE
    quotes = np.cumsum(are_quotes)
    is_open = bool(quotes.size) and quotes[-1] % 2 == 1
    end = int(places[are_quotes][-1]) if is_open else len(piece)
    are_outside = (quotes % 2 == 0) & ~are_quotes
    return _Marks(signs[are_outside], places[are_outside], end)


class _Level:
    """A list or object that has begun and not ended, and is too long for one piece."""

    def __init__(self, opening: str, name: str) -> None:
        self.opening = opening
        self.closing = _CLOSING[opening]
        self.name = name
        """In the object around it."""
        self.values: Any = [] if opening == "[" else {}
        self.has_comma = False
        """Behind its last value: another one has to follow."""

    def add(self, some: Any) -> None:
        if self.opening == "[":
            self.values.extend(some)
        else:
            self.values.update(some)

    def named(self, name: str, value: Any) -> Any:
        """One value, as ``add`` wants it."""
        return [value] if self.opening == "[" else {name: value}


class _Reader:
    def __init__(self, text: str, decode: Callable[..., tuple[Any, int]]) -> None:
        self._text = text
        self._decode = decode
        self._levels: list[_Level] = []
        # Members of the last level from here on are not read yet …
        self._start = 0
        # … and as far as here they are looked through: these brackets in them are open, and behind their last
        # commas (0: there is none yet) begin new members; first of the level itself, then of each bracket.
        self._seen = 0
        self._opened: list[int] = []
        self._commas = [0]

    def read(self, at: int) -> tuple[Any, int]:
        """The list or object that begins here, and the place behind it."""
        self._enter(at, "")
        while True:
            seen = self._seen
            found = self._look_through()
            if found in ("]", "}"):
                level, at = self._leave()
                if not self._levels:
                    return level.values, at
                continue
            # Nothing new is seen where a long text begins. And where much is seen that is not read, it has to
            # be read first: to look at it again for each bracket would take long.
            is_stuck = self._seen == seen
            self._read_some(found)
            while (self._commas[0] or self._opened) and (is_stuck or not self._has_room()):
                self._read_some(found)

    def _has_room(self) -> bool:
        return self._seen - self._start < _SHORT_CHARS / 2

    def _read_some(self, found: str) -> None:
        if self._commas[0]:
            self._read_members()
        elif self._opened:
            self._enter(self._opened[0], self._name_of_bracket())
            del self._opened[0], self._commas[0]
        elif found == '"':
            self._seen = self._end_of_text()
        elif self._seen == len(self._text):
            raise self._error(self._seen)

    def _look_through(self) -> str:
        """As far as a piece may reach: "" then, a quote where a text begins that ends later, or the bracket
        that ends the level."""
        is_short = self._seen < self._start + _SHORT_CHARS
        limit = (self._start if is_short else self._seen) + _SHORT_CHARS
        piece = self._text[self._seen : limit]
        signs, places, end = _marks_in(piece)
        depths = len(self._opened) + np.cumsum(_STEPS[signs])
        if depths.size:
            lowest, highest = int(depths.min()), int(depths.max())
            if lowest < 0:
                self._seen += int(places[np.argmax(depths < 0)]) + 1
                return self._text[self._seen - 1]
            if highest + len(self._levels) > _MAX_DEPTH:
                raise RecursionError("JSON is nested too deep")
            self._note(signs, places + self._seen, depths, lowest)
        self._seen += end
        return '"' if end < len(piece) else ""

    def _note(
        self,
        signs: NDArray[np.uint32],
        places: NDArray[np.intp],
        depths: NDArray[np.int64],
        lowest: int,
    ) -> None:
        """Which brackets are open behind these marks, and where the last comma of each is."""
        # Of several at one depth the last one stays.
        last_comma = np.zeros(_MAX_DEPTH + 1, np.int64)
        are_commas = signs == _COMMA
        last_comma[depths[are_commas]] = places[are_commas] + 1
        last_opening = np.zeros(_MAX_DEPTH + 1, np.int64)
        are_openings = _STEPS[signs] > 0
        last_opening[depths[are_openings] - 1] = places[are_openings]
        # A bracket that was open before and is open no more was closed where the depth was lowest.
        lowest = min(lowest, len(self._opened))
        del self._opened[lowest:], self._commas[lowest + 1 :]
        self._commas[lowest] = int(last_comma[lowest]) or self._commas[lowest]
        for depth in range(lowest, int(depths[-1])):
            self._opened.append(int(last_opening[depth]))
            comma = int(last_comma[depth + 1])
            self._commas.append(comma if comma > self._opened[-1] else 0)

    def _end_of_text(self) -> int:
        """Of a text that is longer than a piece."""
        try:
            return self._decode(self._text, self._seen)[1]
        except json.JSONDecodeError:
            raise self._error(len(self._text)) from None

    def _enter(self, at: int, name: str) -> None:
        self._levels.append(_Level(self._text[at], name))
        self._start = at + 1
        self._seen = max(self._seen, self._start)

    def _name_of_bracket(self) -> str:
        """What stands before a long list or object: nothing in a list, its name in an object."""
        level, end = self._levels[-1], self._opened[0]
        some = self._decoded(end, "null")
        (name,) = some if level.opening == "{" else ("",)
        return name

    def _read_members(self) -> None:
        """Those before the last comma."""
        level, behind = self._levels[-1], self._commas[0]
        level.add(self._decoded(behind - 1))
        level.has_comma = True
        self._start = behind
        self._commas[0] = 0

    def _leave(self) -> tuple[_Level, int]:
        """The level that has just ended, with its last members, and the place behind it; so is every level
        that ends right behind it."""
        text, levels = self._text, self._levels
        at = self._seen - 1
        level = levels[-1]
        if text[at] != level.closing:
            raise self._error(at)
        if level.has_comma or _behind_space(text, self._start) < at:
            level.add(self._decoded(at))
        while True:
            at += 1
            levels.pop()
            if not levels:
                return level, at
            around = levels[-1]
            around.add(around.named(level.name, level.values))
            level = around
            at = _behind_space(text, at)
            if text[at : at + 1] != level.closing:
                break
        if text[at : at + 1] != ",":
            raise json.JSONDecodeError("Expecting ',' delimiter", text, at)
        level.has_comma = True
        self._start = self._seen = at + 1
        self._opened, self._commas = [], [0]
        return level, at + 1

    def _decoded(self, end: int, more: str = "") -> Any:
        """The members that are not read yet, as far as here."""
        level = self._levels[-1]
        piece = f"{level.opening}{self._text[self._start : end]}{more}{level.closing}"
        try:
            some, length = self._decode(piece)
        except json.JSONDecodeError:
            raise self._error(end) from None
        if not some or length < len(piece):
            raise self._error(end)
        return some

    def _error(self, end: int) -> ValueError:
        """What the standard library says of the members that are not read yet and the sign behind them: in
        the same words, with the place in the whole text."""
        level = self._levels[-1]
        before = level.opening if not level.has_comma else "[0," if level.opening == "[" else '{"":0,'
        try:
            self._decode(before + self._text[self._start : end + 1])
        except json.JSONDecodeError as error:
            return json.JSONDecodeError(error.msg, self._text, self._start + error.pos - len(before))
        return json.JSONDecodeError("Expecting value", self._text, end)
