"""The hyper-parameters of all runs, kept as the bytes that travel: every page asks, and they are seldom
different."""

from __future__ import annotations

import math
import threading
from typing import TYPE_CHECKING

from sightline.log import Log
from sightline.server.journal import Journal
from sightline.wire.numbers import word_of
from sightline.wire.routes import Encoded
from sightline.wire.text import wire_json
from sightline.wire.workspace_schemas import RunField, RunFields

if TYPE_CHECKING:
    from sightline.query.run_fields import FieldValue, RunFieldReader


class RunFieldTables:
    """Answers ``GET runs/fields``; may be asked from any thread."""

    def __init__(self, log: Log, journal: Journal, *, server_id: str) -> None:
        self._log = log
        self._journal = journal
        self._server_id = server_id
        self._lock = threading.Lock()  # one table at a time; whoever waits for it needs that very table
        self._reader: RunFieldReader | None = None
        self._revision = -1
        self._answer = Encoded(b"")

    def encoded(self) -> Encoded:
        with self._lock:
            revision = self._journal.revision  # before the question: an answer is never older
            if revision != self._revision:
                body = wire_json(self._fields(revision))
                self._answer = Encoded(body, etag=f'"{self._server_id}-fields-{revision}"')
                self._revision = revision
            return self._answer

    def _fields(self, revision: int) -> RunFields:
        if self._reader is None:
            from sightline.query.run_fields import RunFieldReader  # brings NumPy: see app.warm_up

            self._reader = RunFieldReader(self._log.store)
        return RunFields(
            server_id=self._server_id,
            revision=revision,
            fields=[
                RunField(
                    name=field.name,
                    kind=field.kind,
                    run=self._journal.numbers(field.values),
                    value=[_wire_value(value) for value in field.values.values()],
                )
                for field in self._reader.fields()
            ],
        )


def _wire_value(value: FieldValue) -> float | str | bool:
    """JSON has no number for what is not finite: those travel as words."""
    return value if isinstance(value, str) or math.isfinite(value) else word_of(value)
