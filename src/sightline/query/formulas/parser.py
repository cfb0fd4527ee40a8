"""Reads a formula. The hard part is that tags are named as people like: ``train/loss``, ``val-acc``,
``accuracy (%)`` all hold what could be an operator.

    sum      = product (("+" | "-") product)*
    product  = signed (("*" | "/") signed)*
    signed   = ("+" | "-")* power
    power    = operand (("**" | "^") signed)?
    operand  = number | "(" sum ")" | function "(" sum ("," sum)* ")" | "step" | "time" | tag
             | histogram function "(" tag ("," number)? ")"

A tag in backticks or double quotes is always a tag. Otherwise, where an operand is expected, the longest tag
is taken that the log has and behind which something may follow: with a tag ``a/b``, ``a/b`` is that tag;
without, it is ``a`` divided by ``b``. A word that is no tag is read as far as letters, digits and ``_ . / :``
reach, so that whoever misspelled it is told what was not found.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np

from sightline.model.errors import FormulaError
from sightline.query.formulas.functions import (
    FUNCTION_NAMES,
    HISTOGRAM,
    LINEWISE,
    NEGATIVE,
    OPERATORS,
    POINTWISE,
)
from sightline.query.formulas.program import (
    MAX_DEPTH,
    MAX_LENGTH,
    MAX_OPERATIONS,
    Apply,
    Formula,
    HistogramLeaf,
    Leaf,
    LineLeaf,
    Linewise,
    Load,
    Name,
    Operation,
    Pointwise,
    Stretch,
    TagLeaf,
)

_SPACE = re.compile(r"\s*")
_NUMBER = re.compile(r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_WORD = re.compile(r"[\w.:/]+")
_CALL = re.compile(r"([\w.:]+)\s*\(")
_QUOTES = '`"'
_BEHIND_TAGS = frozenset("+-*/^),")
"""Besides spaces and the end. Not "(": a word before it is a function."""
_NAMES = {name.value: name for name in Name}


_MOST_LOOKS = 256
"""At tags, to find the one that stands at a place. Only tags that were made for a formula need more."""


class KnownTags:
    """The tags that a formula may name without quotes."""

    def __init__(self, tags: Iterable[str]) -> None:
        # What can only be a number is one: a tag that is called 2 has to be quoted.
        self._sorted = sorted(tag for tag in tags if len(tag) <= MAX_LENGTH and not _NUMBER.fullmatch(tag))

    def longest_at(self, text: str, begin: int) -> str:
        """The longest of them that begins here and ends where an operand may end; empty without any."""
        rest = text[begin:]
        for _ in range(_MOST_LOOKS):
            # All tags that the rest begins with come before it, and so does what lies between them and the
            # rest, which begins like them.
            place = bisect_right(self._sorted, rest)
            if not place or not rest:
                break
            tag = self._sorted[place - 1]
            if not rest.startswith(tag):
                rest = rest[: _shared_length(rest, tag)]
            elif _may_end(text, begin + len(tag)):
                return tag
            else:
                rest = tag[:-1]
        return ""


def _shared_length(one: str, other: str) -> int:
    """Characters at the beginning that are the same in both."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[:middle] == other[:middle] else (low, middle - 1)
    return low


def _may_end(text: str, end: int) -> bool:
    return end == len(text) or text[end] in _BEHIND_TAGS or text[end].isspace()


def parse_formula(text: str, tags: KnownTags) -> Formula:
    """Raises FormulaError. A tag that nobody knows is no error yet: see ``Formula.tags``."""
    if len(text) > MAX_LENGTH:
        raise FormulaError(f"A formula has at most {MAX_LENGTH:,} characters", MAX_LENGTH)
    parser = _Parser(text, tags)
    whole = parser.whole()
    if not parser.tags and not parser.histograms:
        raise FormulaError("A formula needs at least one tag", 0)
    return Formula(text, whole, parser.tags, tuple(parser.histograms))


@dataclass
class _Building:
    """A stretch while it is read."""

    operations: list[Operation] = field(default_factory=list)
    leaves: dict[Leaf, int] = field(default_factory=dict)

    def finished(self) -> Stretch:
        return Stretch(tuple(self.leaves), tuple(self.operations))


Constant = float | None
"""The value of what was just read, when it is made of numbers alone."""


class _Parser:
    """One pass over the text. Every method that reads an operand adds its operations to ``stretch``."""

    def __init__(self, text: str, known: KnownTags) -> None:
        self.text = text
        self.known = known
        self.tags: dict[str, int] = {}
        self.histograms: dict[HistogramLeaf, None] = {}
        self.position = 0
        self.depth = 0
        self.size = 0
        self.stretch = _Building()

    def whole(self) -> Stretch:
        if not self.text.strip():
            raise FormulaError("The formula is empty", 0)
        self.sum()
        if self.position < len(self.text):
            if self.text[self.position] == ")":
                raise FormulaError("This parenthesis closes nothing", self.position)
            raise FormulaError("An operator is missing here", self.position)
        return self.stretch.finished()

    # ── the grammar ──────────────────────────────────────────────────────────────────────────────────────

    def sum(self) -> Constant:
        return self.chain(self.product, ("+", "-"))

    def product(self) -> Constant:
        return self.chain(self.signed, ("*", "/"))

    def chain(self, part: Callable[[], Constant], operators: tuple[str, ...]) -> Constant:
        constant = part()
        while (operator := self.peek()) in operators and not self.text.startswith("**", self.position):
            self.position += 1
            constant = self.apply(OPERATORS[operator], constant, part())
        return constant

    def signed(self) -> Constant:
        sign = self.peek()
        if sign not in ("+", "-"):
            return self.power()
        with self.deeper():
            self.position += 1
            constant = self.signed()
        return self.apply(NEGATIVE, constant) if sign == "-" else constant

    def power(self) -> Constant:
        base = self.operand()
        length = 2 if self.peek() == "*" and self.text.startswith("**", self.position) else 1
        if length == 1 and self.peek() != "^":
            return base
        with self.deeper():
            self.position += length
            exponent = self.signed()
        return self.apply(OPERATORS["**"], base, exponent)

    def operand(self) -> Constant:
        character = self.peek()
        begin = self.position
        if character and character in _QUOTES:
            return self.load(TagLeaf(self.quoted(character)), begin)
        if tag := self.known.longest_at(self.text, begin):
            self.position += len(tag)
            return self.load(TagLeaf(tag), begin)
        if character == "(":
            with self.deeper():
                self.position += 1
                constant = self.sum()
                self.close(begin)
            return constant
        if number := _NUMBER.match(self.text, begin):
            return self.number(number)
        if call := _CALL.match(self.text, begin):
            self.position = call.end()
            with self.deeper():
                return self.call(call[1], begin)
        if word := _WORD.match(self.text, begin):
            return self.word(word)
        if not character:
            raise FormulaError("The formula ends where a tag or a number is expected", len(self.text))
        raise FormulaError(f"A tag or a number is expected here, not {character!r}", begin)

    def number(self, text: re.Match[str]) -> Constant:
        number = float(text[0])
        if not math.isfinite(number):
            raise FormulaError("This number is too large", text.start())
        self.position = text.end()
        self.add(number)
        return number

    def word(self, word: re.Match[str]) -> Constant:
        begin = word.start()
        for text, name in _NAMES.items():
            if word[0].startswith(text) and _may_end(self.text, begin + len(text)):
                self.position = begin + len(text)
                self.add(name)
                return None
        end = word.end()
        if self.text[end : end + 1] == "(" and "/" in word[0]:
            end = begin + word[0].rindex("/")  # los/log(x): the function is none of the tag
        if end == begin:
            raise FormulaError("A tag or a number is expected here, not '/'", begin)
        self.position = end
        return self.load(TagLeaf(self.text[begin:end]), begin)

    def quoted(self, quote: str) -> str:
        """A quote inside is written twice."""
        begin = self.position
        at = begin + 1
        while (end := self.text.find(quote, at)) >= 0:
            if not self.text.startswith(quote, end + 1):
                self.position = end + 1
                return self.text[begin + 1 : end].replace(quote * 2, quote)
            at = end + 2
        raise FormulaError("This quote is not closed", begin)

    def call(self, name: str, begin: int) -> Constant:
        if name in POINTWISE:
            return self.pointwise_call(POINTWISE[name], begin)
        if name in LINEWISE:
            return self.linewise_call(LINEWISE[name], begin)
        if name in HISTOGRAM:
            return self.histogram_call(name, begin)
        raise FormulaError(f"There is no function `{name}`: there are {', '.join(FUNCTION_NAMES)}", begin)

    def pointwise_call(self, function: Pointwise, begin: int) -> Constant:
        constants = [self.sum()]
        while self.peek() == ",":
            self.position += 1
            constants.append(self.sum())
        least, most = function.least_arguments, function.most_arguments
        if not least <= len(constants) <= most:
            wanted = str(least) if least == most else f"{least} or more"
            running = f"; the {function.name} so far is cum{function.name}" if least < most else ""
            raise FormulaError(f"{function.name} takes {wanted} values, not {len(constants)}{running}", begin)
        self.close(begin)
        return self.apply(function, *constants)

    def linewise_call(self, function: Linewise, begin: int) -> Constant:
        outer, self.stretch = self.stretch, _Building()
        self.sum()
        inner, self.stretch = self.stretch, outer
        if not inner.leaves:
            raise FormulaError(f"{function.name} needs a tag to work on", begin)
        setting = self.setting(function, begin) if function.setting else 0.0
        if self.peek() == ",":
            raise FormulaError(f"{function.name} takes no more than this", self.position)
        self.close(begin)
        return self.load(LineLeaf(function, inner.finished(), setting), begin)

    def histogram_call(self, name: str, begin: int) -> Constant:
        quote = self.peek()
        word = _WORD.match(self.text, self.position)
        if quote and quote in _QUOTES:
            tag = self.quoted(quote)
        elif word:
            tag, self.position = word[0], word.end()
        else:
            raise FormulaError(f"{name} takes the name of a histogram tag", self.position)
        share = self.quantile_share(name) if name == "hist_quantile" else 0.0
        if self.peek() == ",":
            raise FormulaError(f"{name} takes no more than this", self.position)
        self.close(begin)
        leaf = HistogramLeaf(HISTOGRAM[name], tag, share)
        self.histograms[leaf] = None
        return self.load(leaf, begin)

    def quantile_share(self, name: str) -> float:
        number = None
        if self.peek() == ",":
            self.position += 1
            self.peek()
            number = _NUMBER.match(self.text, self.position)
        if number is None or float(number[0]) > 1:
            raise FormulaError(f"{name} also takes a share from 0 to 1: 0.5 is the median", self.position)
        self.position = number.end()
        return float(number[0])

    def setting(self, function: Linewise, begin: int) -> float:
        if self.peek() != ",":
            example = f"{function.name}(loss, {'0.9' if function.limit <= 1 else '10'})"
            raise FormulaError(f"{function.name} also takes the {function.setting}: {example}", begin)
        self.position += 1
        self.peek()
        begin = self.position
        outer, self.stretch = self.stretch, _Building()
        number = self.sum()
        self.stretch = outer
        if number is None:
            raise FormulaError(f"The {function.setting} of {function.name} is a number, not a line", begin)
        is_fit = function.least <= number < function.limit
        if not is_fit or (function.is_whole and not number.is_integer()):
            wanted = (
                f"a whole number from {function.least:.0f} to {function.limit - 1:,.0f}"
                if function.is_whole
                else f"from {function.least:g} to below {function.limit:g}"
            )
            raise FormulaError(
                f"The {function.setting} of {function.name} is {wanted}, not {number:g}", begin
            )
        return number

    def close(self, begin: int) -> None:
        found = self.peek()
        if found == ")":
            self.position += 1
        elif found:
            raise FormulaError("An operator or a closing parenthesis is missing here", self.position)
        else:
            raise FormulaError("This parenthesis is not closed", self.text.index("(", begin))

    @contextmanager
    def deeper(self) -> Iterator[None]:
        """One level further down, for as long as it lasts."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise FormulaError("The formula is nested too deeply", self.position)
        yield
        self.depth -= 1

    # ── what comes of it ─────────────────────────────────────────────────────────────────────────────────

    def peek(self) -> str:
        """The next character that is no space; empty at the end."""
        space = _SPACE.match(self.text, self.position)
        self.position = self.position if space is None else space.end()
        return self.text[self.position : self.position + 1]

    def add(self, operation: Operation) -> None:
        self.size += 1
        if self.size > MAX_OPERATIONS:
            raise FormulaError(f"A formula has at most {MAX_OPERATIONS} parts", self.position)
        self.stretch.operations.append(operation)

    def load(self, leaf: Leaf, begin: int) -> Constant:
        if isinstance(leaf, TagLeaf):
            self.tags.setdefault(leaf.tag, begin)
        self.add(Load(self.stretch.leaves.setdefault(leaf, len(self.stretch.leaves))))
        return None

    def apply(self, what: Pointwise, *constants: Constant) -> Constant:
        self.add(Apply(what, len(constants)))
        numbers = [constant for constant in constants if constant is not None]
        if len(numbers) < len(constants):
            return None
        with np.errstate(all="ignore"):
            return float(what.compute(*numbers))
