"""Hyper-parameters of all runs, by name: what runs can be grouped, filtered and sorted by.

The core's table of tags says which runs have any, so that a log of 10,000 runs without them costs nothing.
Values are read from the files once and kept by the run's revision.

torch's ``add_hparams`` writes them into a run of its own below the run they are about, named after the time
(``exp1/1770700000.123``). Such values count for both: the one they are about is the one people look for.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass

from sightline.model.choices import FieldKind
from sightline.model.errors import SightlineError
from sightline.model.kinds import Kind, kind_of
from sightline.store.runs import RunStore
from sightline.store.snapshot import is_offered
from sightline.store.story import SOURCE_WRITER

FieldValue = float | str | bool

MAX_FIELDS = 2000
"""More names are no table any more; those of the first runs count."""

MAX_TEXT_LENGTH = 2000

_OTHER_RECORDS = frozenset({"_hparams_/experiment", "_hparams_/session_end_info"})
_TIME_NAME = re.compile(r"(?P<parent>.+)/(?P<time>[0-9]{9,11}(?:\.[0-9]+)?)", re.DOTALL)


@dataclass(frozen=True)
class Field:
    """One hyper-parameter."""

    name: str
    kind: FieldKind
    """text when runs disagree; all values are texts then."""
    values: Mapping[str, FieldValue]
    """By run, in the order in which runs began."""


class RunFieldReader:
    """Keeps what it read. Not safe for threads."""

    def __init__(self, store: RunStore) -> None:
        self._store = store
        self._known: dict[str, tuple[int, dict[str, FieldValue]]] = {}

    def fields(self) -> list[Field]:
        """All hyper-parameters, in the order in which they first appear."""
        by_run = self._values_by_run()
        found: dict[str, dict[str, FieldValue]] = {}
        for run, values in by_run.items():
            for name, value in values.items():
                if name in found or len(found) < MAX_FIELDS:
                    found.setdefault(name, {})[run] = value
        return [_field(name, values) for name, values in found.items()]

    def _values_by_run(self) -> dict[str, dict[str, FieldValue]]:
        names, tags_of_run = self._runs_with_hparams()
        known: dict[str, tuple[int, dict[str, FieldValue]]] = {}
        for run, tags in tags_of_run.items():
            revision = self._store.index.revision(run)
            before = self._known.get(run)
            is_same = before is not None and before[0] == revision
            known[run] = before if before is not None and is_same else (revision, self._read(run, tags))
        self._known = known
        values = {run: dict(found) for run, (_, found) in known.items()}
        _give_to_parents(values, frozenset(names))
        return {run: values[run] for run in names if run in values}

    def _runs_with_hparams(self) -> tuple[list[str], dict[str, list[str]]]:
        """(all runs, those with hyper-parameters and the tags of these)"""
        names, groups = self._store.index.tag_table(SOURCE_WRITER)
        tags_of_run: dict[str, list[str]] = {}
        for tag, form, plugin, _metadata, runs in groups:
            is_ours = is_offered(form, plugin) and kind_of(form, plugin) is Kind.hparams
            if is_ours and tag not in _OTHER_RECORDS:
                for position in runs.tolist():
                    tags_of_run.setdefault(names[position], []).append(tag)
        return list(names), tags_of_run

    def _read(self, name: str, tags: list[str]) -> dict[str, FieldValue]:
        """Of the last start of the run; a value that cannot be read is none."""
        found: dict[str, FieldValue] = {}
        run = self._store.get(name)
        for tag in tags if run is not None else ():
            try:
                item = run.hparams[tag][-1] if run is not None else None
            except (SightlineError, IndexError):
                continue
            if item is not None and item.session_start is not None:
                plain = {key: plain_value(value) for key, value in item.hparams.items()}
                found.update({key: value for key, value in plain.items() if value is not None})
        return found


def _give_to_parents(values: dict[str, dict[str, FieldValue]], runs: frozenset[str]) -> None:
    """What a run has itself wins, then what was written last."""
    below: dict[str, dict[str, FieldValue]] = {}
    for name in sorted(values):  # by time: the numbers have the same length
        match = _TIME_NAME.fullmatch(name)
        if match is not None and match["parent"] in runs:
            below.setdefault(match["parent"], {}).update(values[name])
    for parent, found in below.items():
        values[parent] = {**found, **values.get(parent, {})}


def plain_value(value: object) -> FieldValue | None:
    """A number, a text or a truth; whatever is nested, as JSON. None: no value."""
    if value is None or isinstance(value, (bool, float)):
        return value
    if isinstance(value, int):
        return float(value)
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= MAX_TEXT_LENGTH else text[:MAX_TEXT_LENGTH] + "…"


def _field(name: str, values: dict[str, FieldValue]) -> Field:
    kinds = {_kind(value) for value in values.values()}
    if len(kinds) == 1:
        return Field(name, kinds.pop(), values)
    return Field(name, "text", {run: text_of(value) for run, value in values.items()})


def _kind(value: FieldValue) -> FieldKind:
    if isinstance(value, bool):
        return "boolean"
    return "text" if isinstance(value, str) else "number"


def text_of(value: FieldValue) -> str:
    """As people write it: whole numbers without a point.

    >>> [text_of(value) for value in (32.0, 0.001, True, "adam")]
    ['32', '0.001', 'true', 'adam']
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    is_whole = math.isfinite(value) and value.is_integer() and abs(value) < 1e15
    return str(int(value)) if is_whole else repr(value)
