"""JSON that is read a piece at a time.

``json.loads`` keeps all other threads waiting until it is done: with a table of a million cells a server
answers nobody for half a second. Here long lists and objects are read in pieces of some thousand characters,
between which other threads get their turn; each piece is left to the standard library. What comes out, and
what is refused, is the same, but for depth: a few hundred lists in each other are too many.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

# The standard library needs a fraction of a millisecond for as much.
_SHORT_CHARS = 8_192

# A list or object without others in it: the first bracket outside of its texts is its own. And members of a
# longer one, as far as the last comma, with lists and objects of that kind among them. Each character is
# looked at a few times at most, because no two parts can begin with the same one.
_TEXT = r'"[^"\\]*(?:\\.[^"\\]*)*"'
_PLAIN = rf'[^\[\]{{}}"]*(?:{_TEXT}[^\[\]{{}}"]*)*'
_SHORT = {
    "[": re.compile(rf"\[{_PLAIN}\]", re.DOTALL),
    "{": re.compile(rf"\{{{_PLAIN}\}}", re.DOTALL),
}
_MEMBERS = re.compile(rf"{_PLAIN}(?:(?:\[{_PLAIN}\]|\{{{_PLAIN}\}}){_PLAIN})*,", re.DOTALL)
_SPACE = re.compile(r"[ \t\n\r]*")


def loads_patiently(text: str, *, parse_constant: Callable[[str], Any]) -> Any:
    """As ``json.loads``. Raises ValueError for what is no JSON, RecursionError for what is nested too
    deep."""
    reader = _Reader(text, json.JSONDecoder(parse_constant=parse_constant))
    value, at = reader.value(reader.behind_space(0))
    at = reader.behind_space(at)
    if at < len(text):
        raise reader.error("Extra data", at)
    return value


class _Reader:
    """Each method takes where something begins, and gives it with the place behind it."""

    def __init__(self, text: str, decoder: json.JSONDecoder) -> None:
        self._text = text
        self._decode = decoder.raw_decode

    def value(self, at: int) -> tuple[Any, int]:
        opening = self._text[at : at + 1]
        short = _SHORT.get(opening)
        if short is None or short.match(self._text, at, at + _SHORT_CHARS):
            return self._decode(self._text, at)
        return self._list(at + 1) if opening == "[" else self._object(at + 1)

    def behind_space(self, at: int) -> int:
        space = _SPACE.match(self._text, at)
        return at if space is None else space.end()

    def error(self, message: str, at: int) -> ValueError:
        return json.JSONDecodeError(message, self._text, at)

    def _list(self, at: int) -> tuple[list[Any], int]:
        values: list[Any] = []
        at = self.behind_space(at)
        if self._text[at : at + 1] == "]":
            return values, at + 1
        is_more = True
        while is_more:
            some, at = self._members(at, "[", "]")
            values.extend(some)
            value, at = self.value(at)
            values.append(value)
            is_more, at = self._behind_comma(at, "]")
        return values, at

    def _object(self, at: int) -> tuple[dict[str, Any], int]:
        values: dict[str, Any] = {}
        at = self.behind_space(at)
        if self._text[at : at + 1] == "}":
            return values, at + 1
        is_more = True
        while is_more:
            some, at = self._members(at, "{", "}")
            values.update(some)
            if self._text[at : at + 1] != '"':
                raise self.error("Expecting property name enclosed in double quotes", at)
            name, at = self._decode(self._text, at)
            at = self.behind_space(at)
            if self._text[at : at + 1] != ":":
                raise self.error("Expecting ':' delimiter", at)
            values[name], at = self.value(self.behind_space(at + 1))
            is_more, at = self._behind_comma(at, "}")
        return values, at

    def _members(self, at: int, opening: str, closing: str) -> tuple[Any, int]:
        """As many as one piece holds, and the comma behind them; none when they are long, or wrong: who reads
        them one by one finds the mistake."""
        piece = _MEMBERS.match(self._text, at, at + _SHORT_CHARS)
        if piece is None:
            return (), at
        members = f"{opening}{piece.group()[:-1]}{closing}"
        try:
            some, end = self._decode(members)
        except ValueError:
            return (), at
        if not some or end < len(members):
            return (), at
        return some, self.behind_space(piece.end())

    def _behind_comma(self, at: int, closing: str) -> tuple[bool, int]:
        """Whether another value follows, and where it begins; otherwise the place behind the bracket."""
        text = self._text
        if text[at : at + 1] not in (",", closing):
            at = self.behind_space(at)
        found = text[at : at + 1]
        if found == closing:
            return False, at + 1
        if found != ",":
            raise self.error("Expecting ',' delimiter", at)
        at += 1
        return True, self.behind_space(at) if text[at : at + 1] in (" ", "\t", "\n", "\r") else at
