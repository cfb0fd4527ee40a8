"""Runs put together: by folder, by what a regular expression captures in the name, by label, hyper-parameter
or status.

The page groups by the same rules (web/src/state/run-groups.ts); tests/fixtures/grouping.json holds both to
them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from sightline.model.errors import BadArgumentError
from sightline.query.tag_table import natural_order

GroupKind = Literal["folder", "regex", "label", "field", "status"]
FieldValue = float | str | bool

BY_HELP = "folder, folder:N, regex:PATTERN, label, field:NAME or status"

_CAPTURE_SEPARATOR = " · "
_FIELD_SEPARATOR = " = "
_FRACTION = re.compile(r"(?<![0-9.])0\.([0-9]+)\Z")
_VERSION = re.compile(r"v(er(sion)?)?[ ._-]?\Z", re.IGNORECASE)
# No digits, so that they are compared from the left, and behind everything else that may follow the point.
_FRACTION_SIGNS = {ord(digit): chr(0xE000 + int(digit)) for digit in "0123456789"}


@dataclass(frozen=True, slots=True)
class GroupBy:
    """What makes runs belong together. Made from a text: ``GroupBy.parse("folder:2")``."""

    kind: GroupKind
    depth: int = 1
    """folder: so many of the name's folders, from the left."""
    pattern: str = ""
    """regex: its capture groups form the key, the whole match without any."""
    name: str = ""
    """field: of the hyper-parameter."""

    @classmethod
    def parse(cls, text: str, *, argument: str = "by") -> GroupBy:
        """Raises BadArgumentError, naming the argument, for anything that is no way to group."""
        kind, colon, rest = text.partition(":")
        if kind == "folder":
            if not colon:
                return cls("folder")
            if rest.isascii() and rest.isdigit() and int(rest) > 0:
                return cls("folder", depth=int(rest))
        elif kind == "regex" and rest:
            try:
                re.compile(rest)
            except re.error as error:
                raise BadArgumentError(
                    f"{argument} has no regular expression: {error.msg} at position {error.pos}: {rest!r}"
                ) from None
            return cls("regex", pattern=rest)
        elif kind == "field" and rest:
            return cls("field", name=rest)
        elif kind in ("label", "status") and not colon:
            return cls("label" if kind == "label" else "status")
        raise BadArgumentError(f"{argument} is {BY_HELP}, not {text!r}")


@dataclass(frozen=True, slots=True)
class RunFacts:
    """What is known of a run beside its name; who groups by none of it need not ask for it."""

    labels: Sequence[str] = ()
    status: str = ""
    fields: dict[str, FieldValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RunGroup:
    key: str
    runs: list[str]
    """In the order given."""


def group_runs(
    names: Iterable[str], by: GroupBy, *, facts_of: Callable[[str], RunFacts] = lambda _: RunFacts()
) -> list[RunGroup]:
    """Groups by natural order of their keys. A run that has no key is in none of them."""
    key_of = _key_maker(by, facts_of)
    groups: dict[str, list[str]] = {}
    for name in names:
        key = key_of(name)
        if key:
            groups.setdefault(key, []).append(name)
    return [RunGroup(key, groups[key]) for key in sorted(groups, key=_group_order)]


def _group_order(key: str) -> tuple[object, ...]:
    """``lr = 3e-4`` before ``lr = 0.01``: behind the name of a field, numbers count as such. So do fractions
    at the end, as in ``lr0.25`` before ``lr0.5``."""
    name, separator, value = key.rpartition(_FIELD_SEPARATOR)
    try:
        number = float(value) if separator else math.nan
    except ValueError:
        number = math.nan
    is_number = number == number
    return (
        natural_order(name if separator else _with_fraction(key)),
        not is_number,
        number if is_number else 0.0,
        natural_order(_with_fraction(key)),
    )


def _with_fraction(key: str) -> str:
    """The same in signs that sort by its value: digits behind ``0.`` at the end count as a fraction, unless
    it is a version. Above one, ``py3.10`` cannot be told from a version, and is taken for one.

    >>> sorted(["lr0.5", "lr0.25", "lr0.01", "v0.10", "v0.9", "py3.10", "py3.9"], key=_group_order)
    ['lr0.01', 'lr0.25', 'lr0.5', 'py3.9', 'py3.10', 'v0.9', 'v0.10']
    """
    match = _FRACTION.search(key)
    if match is None or _VERSION.search(key, 0, match.start()):
        return key
    return key[: match.start(1)] + match[1].translate(_FRACTION_SIGNS)


def _key_maker(by: GroupBy, facts_of: Callable[[str], RunFacts]) -> Callable[[str], str]:
    if by.kind == "folder":
        return lambda name: "/".join(name.split("/")[:-1][: by.depth])
    if by.kind == "regex":
        expression = re.compile(by.pattern)
        return lambda name: _captured(expression.search(name))
    if by.kind == "label":
        return lambda name: ", ".join(sorted(set(facts_of(name).labels), key=natural_order))
    if by.kind == "status":
        return lambda name: facts_of(name).status
    return lambda name: _field_key(by.name, facts_of(name).fields.get(by.name))


def _captured(match: re.Match[str] | None) -> str:
    if match is None:
        return ""
    if not match.re.groups:
        return match[0]
    return _CAPTURE_SEPARATOR.join(part for part in match.groups() if part is not None)


def _field_key(name: str, value: FieldValue | None) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        text = "true" if value else "false"
    else:
        text = (value or '""') if isinstance(value, str) else _number_text(float(value))
    return f"{name}{_FIELD_SEPARATOR}{text}"


def _number_text(number: float) -> str:
    """As the page writes it: with four digits where that is the very number, else with all of them.

    >>> [_number_text(number) for number in (32.0, 0.001, 1e-05, 1234567.0, 0.1 + 0.2)]
    ['32', '0.001', '1e-5', '1234567', '0.30000000000000004']
    """
    if not math.isfinite(number):
        return "NaN" if math.isnan(number) else "Infinity" if number > 0 else "-Infinity"
    if number == 0:
        return "0"
    digits, _, exponent = f"{number:.3e}".partition("e")
    if -4 <= int(exponent) < 6:
        short = _trimmed(f"{number:.{max(0, 3 - int(exponent))}f}")
    else:
        short = f"{_trimmed(digits)}e{int(exponent)}"
    if float(short) == number:
        return short
    if 1e-6 <= abs(number) < 1e21:
        return np.format_float_positional(number, trim="-")
    digits, _, exponent = repr(number).partition("e")
    return f"{digits}e{int(exponent):+d}"


def _trimmed(digits: str) -> str:
    return digits.rstrip("0").rstrip(".") if "." in digits else digits
