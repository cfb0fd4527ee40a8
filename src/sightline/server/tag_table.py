"""The table of tags, as it travels. It can only become another when a series appears or vanishes; the journal
counts those moments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sightline.server.journal import Journal
from sightline.wire.schemas import TagEntry, TagTable
from sightline.wire.structs import struct_of

if TYPE_CHECKING:
    from sightline.query.stored_types import RunStore


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
