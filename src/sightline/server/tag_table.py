"""The table of tags, kept as the bytes that travel: it is large, asked for often and seldom different.

It can only become another when a series appears or vanishes; the journal counts those moments.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence

from sightline.log import Log
from sightline.server.journal import Journal
from sightline.wire.routes import Encoded
from sightline.wire.schemas import TagEntry, TagTable
from sightline.wire.text import wire_json


class TagTables:
    """Answers ``GET tags``; may be asked from any thread."""

    def __init__(self, log: Log, journal: Journal, *, server_id: str) -> None:
        self._log = log
        self._journal = journal
        self._server_id = server_id
        self._lock = threading.Lock()  # one table at a time; whoever waits for it needs that very table
        self._revision = -1
        self._answer = Encoded(b"")

    def encoded(self) -> Encoded:
        with self._lock:
            revision = self._journal.series_revision  # before the question: an answer is never older
            if revision != self._revision:
                body = wire_json(self._table(revision))
                self._answer = Encoded(body, etag=f'"{self._server_id}-{revision}"')
                self._revision = revision
            return self._answer

    def _table(self, revision: int) -> TagTable:
        from sightline.query.tag_table import tag_rows  # brings NumPy: see app.warm_up

        return TagTable(
            server_id=self._server_id,
            revision=revision,
            tags=[
                TagEntry(
                    tag=row.tag,
                    kind=row.kind,
                    display_name=row.display_name,
                    description=row.description,
                    runs=stretches(self._journal.numbers(row.runs)),
                )
                for row in tag_rows(self._log.store)
            ],
        )


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
