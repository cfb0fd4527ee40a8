"""Runs put together: by folder, by what a regular expression captures in the name, by label, hyper-parameter
or status.

The page puts the same runs together (web/src/state/run-groups.ts); tests/fixtures/grouping.json holds both to
it. How it writes numbers and orders fractions in names is its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal, cast

from sightline.model.errors import BadArgumentError
from sightline.query.run_fields import FieldValue, text_of
from sightline.query.tag_table import natural_order

GroupKind = Literal["folder", "regex", "label", "field", "status"]

BY_HELP = "folder, folder:N, regex:PATTERN, label, field:NAME or status"

_BY = re.compile(r"(folder|label|status)|(folder):0*([1-9][0-9]*)|(regex|field):(.+)", re.DOTALL | re.ASCII)


@dataclass(frozen=True, slots=True)
class GroupBy:
    """What makes runs belong together. Made from a text: ``GroupBy.parse("folder:2")``."""

    kind: GroupKind
    detail: str = ""
    """folder: how many of the name's folders count, from the left. regex: its capture groups form the key,
    the whole match without any. field: the name of the hyper-parameter."""

    @classmethod
    def parse(cls, text: str, *, argument: str = "by") -> GroupBy:
        """Raises BadArgumentError, naming the argument, for anything that is no way to group."""
        match = _BY.fullmatch(text)
        if match is None:
            raise BadArgumentError(f"{argument} is {BY_HELP}, not {text!r}")
        kind, detail = [part for part in (*match.groups(), "") if part is not None][:2]
        try:
            re.compile(detail if kind == "regex" else "")
        except re.error as error:
            raise BadArgumentError(
                f"{argument} has no regular expression: {error.msg} at position {error.pos}: {detail!r}"
            ) from None
        return cls(cast("GroupKind", kind), detail)


@dataclass(frozen=True, slots=True)
class RunGroup:
    key: str
    runs: list[str]
    """In the order given."""


def group_runs(
    names: Iterable[str], by: GroupBy, *, value_of: Callable[[str], FieldValue | None] = lambda _: None
) -> list[RunGroup]:
    """Groups in the order of their values. ``value_of`` tells label, hyper-parameter or status of a run; one
    that has none is in no group."""
    find = _from_name(by) or value_of
    groups: dict[FieldValue, list[str]] = {}
    for name in names:
        value = find(name)
        if value is not None and (value != "" or by.kind == "field"):
            groups.setdefault(value, []).append(name)
    return [RunGroup(_key(value, by), groups[value]) for value in sorted(groups, key=_order)]


def _from_name(by: GroupBy) -> Callable[[str], FieldValue | None] | None:
    if by.kind == "folder":
        depth = int(by.detail or 1)
        return lambda name: "/".join(name.split("/")[:-1][:depth])
    if by.kind == "regex":
        expression = re.compile(by.detail)
        return lambda name: _captured(expression.search(name))
    return None


def _captured(match: re.Match[str] | None) -> str | None:
    if match is None or not match.re.groups:
        return match and match[0]
    return " · ".join(part for part in match.groups() if part is not None)


def _key(value: FieldValue, by: GroupBy) -> str:
    text = text_of(value)
    return f"{by.detail} = " + (text or '""') if by.kind == "field" else text


def _order(value: FieldValue) -> tuple[bool, float, object]:
    """Numbers by size, before texts."""
    return (True, 0.0, natural_order(value)) if isinstance(value, str) else (False, float(value), ())
