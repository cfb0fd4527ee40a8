"""One log as the server sees it: its runs by number, its tables kept up to date, and the options it runs
with.

Handlers get this as their ``wire.routes.Context``; everything in it may be asked from any worker thread.
"""

from __future__ import annotations

import secrets
import sys
import time
from collections.abc import Callable
from typing import Any

from sightline.log import Log
from sightline.media.thumbnail_cache import ThumbnailCache
from sightline.model.kinds import Kind
from sightline.model.reports import Progress
from sightline.server.journal import Journal
from sightline.server.kind_tags import KindTags
from sightline.server.options import ServerOptions
from sightline.server.run_fields import RunFieldTables
from sightline.server.run_table import RunTables
from sightline.server.tag_table import TagTables
from sightline.wire.schemas import ReadProgress
from sightline.workspace import Workspace


class ServerContext:
    """Everything that requests have in common."""

    def __init__(self, log: Log, options: ServerOptions, *, now: Callable[[], float] = time.time) -> None:
        self.log = log
        self.options = options
        self.server_id = secrets.token_hex(8)
        self.journal = Journal()
        self.run_tables = RunTables(log, self.journal, now=now)
        self.tag_tables = TagTables(log, self.journal, server_id=self.server_id)
        self.scalar_tags = KindTags(log, self.journal, Kind.scalar, plugin="scalars")
        self.image_tags = KindTags(log, self.journal, Kind.image, plugin="images")
        self.audio_tags = KindTags(log, self.journal, Kind.audio, plugin="audio")
        self.text_tags = KindTags(log, self.journal, Kind.text, plugin="text")
        self.run_fields = RunFieldTables(log, self.journal, server_id=self.server_id)
        self.thumbnails = ThumbnailCache(log.thumbnail_place)
        self.workspace = Workspace(log.roots, on_change=self.journal.note_workspace)
        self._known_names: frozenset[str] = frozenset()
        # From the first moment on: what is read before the first question is then part of its answer.
        self.stop_listening = log.on_change(self.journal.note)

    @property
    def store(self) -> Any:
        """The RunStore. The server does not know that layer: it hands it from the log to the queries."""
        return self.log.store

    @property
    def version(self) -> str:
        """Of this package; its root module is not for the layers below it to import."""
        return str(sys.modules["sightline"].__version__)

    @property
    def revision(self) -> int:
        return self.journal.revision

    def run_number(self, name: str) -> int:
        return self.journal.number(name)

    def run_numbers(self, names: list[str]) -> list[int]:
        return self.journal.numbers(names)

    def run_name(self, number: int) -> str | None:
        return self.journal.name(number)

    def progress(self) -> ReadProgress:
        return read_progress(self.log.progress)

    def notice_runs(self) -> None:
        """Find runs that no change told of: those that the cache knew are there without one."""
        names = frozenset(self.store.names())
        if names != self._known_names:
            self.journal.note_runs(sorted(names - self._known_names), has_new_series=True)
            self._known_names = names


def read_progress(progress: Progress) -> ReadProgress:
    return ReadProgress(
        files_done=progress.files_done,
        files_total=progress.files_total,
        bytes_done=progress.bytes_done,
        bytes_total=progress.bytes_total,
        is_done=progress.is_done,
    )
