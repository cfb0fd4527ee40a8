"""One log as the server sees it: its runs by number, its tables kept up to date, and the options it runs
with.

Handlers of dashboards get this as their ``Context``; everything in it may be asked from any worker thread.
"""

from __future__ import annotations

import secrets
import sys
import threading
import time
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any, TypeVar

from sightline.log import Log
from sightline.server.journal import Journal
from sightline.server.kept_tables import KeptAnswer, run_fields_of, tag_table
from sightline.server.options import ServerOptions
from sightline.server.run_table import RunTables
from sightline.wire.schemas import ReadProgress
from sightline.wire.structs import struct_of
from sightline.workspace import Workspace

if TYPE_CHECKING:
    from sightline.query.stored_types import RunStore

Kept = TypeVar("Kept")


class ServerContext:
    """Everything that requests have in common."""

    def __init__(self, log: Log, options: ServerOptions, *, now: Callable[[], float] = time.time) -> None:
        self.log = log
        self.options = options
        self.server_id = secrets.token_hex(8)
        self.journal = Journal()
        self.run_tables = RunTables(log, self.journal, now=now)
        self.tags = KeptAnswer(
            f"{self.server_id}-tags",
            lambda: self.journal.series_revision,
            lambda revision: tag_table(log.store, self.journal, server_id=self.server_id, revision=revision),
        )
        self.run_fields = KeptAnswer(
            f"{self.server_id}-fields",
            lambda: self.journal.revision,
            run_fields_of(log.store, self.journal, server_id=self.server_id),
        )
        self.thumbnail_place = log.thumbnail_place
        self.workspace = Workspace(log.roots, on_change=self.journal.note_workspace)
        self._known_names: frozenset[str] = frozenset()
        self._kept: dict[Hashable, Any] = {}
        self._keeping = threading.Lock()
        # From the first moment on: what is read before the first question is then part of its answer.
        self.stop_listening = log.on_change(self.journal.note)

    @property
    def store(self) -> RunStore:
        return self.log.store

    @property
    def version(self) -> str:
        """Of this package; its root module is not for the layers below it to import."""
        return str(sys.modules["sightline"].__version__)

    @property
    def revision(self) -> int:
        return self.journal.revision

    @property
    def series_revision(self) -> int:
        return self.journal.series_revision

    def run_numbers(self, names: list[str]) -> list[int]:
        return self.journal.numbers(names)

    def run_name(self, number: int) -> str | None:
        return self.journal.name(number)

    def keep(self, key: Hashable, make: Callable[[], Kept]) -> Kept:
        with self._keeping:
            if key not in self._kept:
                self._kept[key] = make()
            kept: Kept = self._kept[key]
            return kept

    def progress(self) -> ReadProgress:
        return struct_of(ReadProgress, self.log.progress)

    def notice_runs(self) -> None:
        """Find runs that no change told of: those that the cache knew are there without one."""
        names = frozenset(self.store.names())
        if names != self._known_names:
            self.journal.note_runs(sorted(names - self._known_names), has_new_series=True)
            self._known_names = names
