"""The hyper-parameters of all runs, as they travel."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from sightline.server.journal import Journal
from sightline.wire.numbers import word_of
from sightline.wire.workspace_schemas import RunField, RunFields

if TYPE_CHECKING:
    from sightline.query.run_fields import FieldValue, RunFieldReader
    from sightline.query.stored_types import RunStore


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
