"""The tables of tags and of hyper-parameters, kept as the bytes that travel: they are large, asked for often
and seldom different."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING

from msgspec import Struct

from sightline.server.journal import Journal
from sightline.wire.numbers import word_of
from sightline.wire.routes import Encoded
from sightline.wire.schemas import TagEntry, TagTable
from sightline.wire.structs import struct_of
from sightline.wire.text import wire_json
from sightline.wire.workspace_schemas import RunField, RunFields

if TYPE_CHECKING:
    from sightline.query.run_fields import FieldValue, RunFieldReader
    from sightline.query.stored_types import RunStore


class KeptAnswer:
    """One table; made anew when its revision is another. May be asked from any thread."""

    def __init__(self, word: str, revision: Callable[[], int], make: Callable[[int], Struct]) -> None:
        """``word`` tells its ETag from those of others."""
        self._word = word
        self._ask_revision = revision
        self._make = make
        self._lock = threading.Lock()  # one table at a time; whoever waits for it needs that very table
        self._revision = -1
        self._answer = Encoded(b"")

    def encoded(self) -> Encoded:
        with self._lock:
            revision = self._ask_revision()  # before the question: an answer is never older
            if revision != self._revision:
                self._answer = Encoded(wire_json(self._make(revision)), etag=f'"{self._word}-{revision}"')
                self._revision = revision
            return self._answer


def tag_table(store: RunStore, journal: Journal, *, server_id: str, revision: int) -> TagTable:
    from sightline.query.tag_table import tag_rows  # brings NumPy: see app.warm_up

    tags = [struct_of(TagEntry, row, runs=stretches(journal.numbers(row.runs))) for row in tag_rows(store)]
    return TagTable(server_id, revision, tags)


def stretches(numbers: Sequence[int]) -> list[int]:
    """First and last of each stretch of neighbours.

    >>> stretches([7, 0, 1, 2])
    [0, 2, 7, 7]
    """
    import numpy as np

    if not numbers:
        return []
    ordered = np.unique(np.array(numbers, np.int64))
    is_first = np.ones(len(ordered), np.bool_)
    np.not_equal(np.diff(ordered), 1, out=is_first[1:])
    is_last = np.roll(is_first, -1)
    found: list[int] = np.column_stack([ordered[is_first], ordered[is_last]]).ravel().tolist()
    return found


def run_fields_of(store: RunStore, journal: Journal, *, server_id: str) -> Callable[[int], RunFields]:
    """The table at a revision. Not safe for threads."""

    @cache
    def reader() -> RunFieldReader:
        from sightline.query.run_fields import RunFieldReader  # brings NumPy: see app.warm_up

        return RunFieldReader(store)

    def table(revision: int) -> RunFields:
        fields = [
            RunField(
                name=field.name,
                kind=field.kind,
                run=journal.numbers(field.values),
                value=[_wire_value(value) for value in field.values.values()],
            )
            for field in reader().fields()
        ]
        return RunFields(server_id, revision, fields)

    return table


def _wire_value(value: FieldValue) -> float | str | bool:
    """JSON has no number for what is not finite: those travel as words."""
    return value if isinstance(value, str) or math.isfinite(value) else word_of(value)
