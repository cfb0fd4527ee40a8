"""The run table, kept: a change costs what changed, not 10,000 runs.

Rows come from the core in bulk. How a run ended is in its files, and reading thousands of those would keep
the first page waiting; so stories are read for a moment at a time, the newest runs first, and the rest when
the table is looked at again, which the live hub does every few seconds. Until then a status is what the clock
says.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sightline.log import Log
from sightline.model.choices import RunStatus
from sightline.query.run_status import status_of, story_of
from sightline.query.run_table import RunRow, run_rows, run_rows_of
from sightline.server.journal import Journal
from sightline.wire.numbers import finite_or_none
from sightline.wire.schemas import ReadProgress, RunTable

if TYPE_CHECKING:
    from sightline.query.stored_types import Story

REVIEW_INTERVAL_S = 5.0
"""How often the statuses of runs that did not change are looked at again, when the table is asked for."""

STORY_BUDGET_S = 0.2
"""How long one look at the table may read stories: what a person waits for a page without noticing."""

_NO_STORY_YET = -1


@dataclass(slots=True)
class _Entry:
    """What is known of one run."""

    row: RunRow
    status: RunStatus | None = None
    """None: not looked at yet."""
    is_known: bool = False
    story: Story | None = None
    story_revision: int = _NO_STORY_YET
    """Of the run, when its story was read."""

    @property
    def has_old_story(self) -> bool:
        return self.row.is_ours and self.story_revision != self.row.revision


class RunTables:
    """Answers ``GET runs``; may be asked from any thread."""

    def __init__(
        self,
        log: Log,
        journal: Journal,
        *,
        now: Callable[[], float] = time.time,
        story_budget_s: float = STORY_BUDGET_S,
    ) -> None:
        self._log = log
        self._journal = journal
        self._now = now
        self._story_budget_s = story_budget_s
        self._lock = threading.Lock()  # one update at a time; whoever waits for it needs its outcome
        self._entries: dict[str, _Entry] = {}
        self._with_old_story: set[str] = set()
        self._revision = -1
        """The table has every change up to this one."""
        self._reviewed_s = -math.inf  # monotonic

    def table(self, *, since: int | None, server_id: str, progress: ReadProgress) -> RunTable:
        """All runs, or those that changed since a revision."""
        with self._lock:
            is_due = time.monotonic() - self._reviewed_s > REVIEW_INTERVAL_S
            names = self._update()
            self._review(None if is_due else names)
            # Not the journal's: what has changed since the rows were read would never be asked for.
            revision = self._revision
            is_complete = since is None or since > revision
            removed: list[int] = []
            if since is None or is_complete:
                entries: Iterable[_Entry] = self._entries.values()
            else:
                _, changed, removed = self._journal.changed_since(since)
                gone = {self._journal.name(number) for number in removed}
                entries = [
                    self._entries[name] for name in changed if name in self._entries and name not in gone
                ]
            return self._table(entries, removed, server_id, revision, is_complete, progress)

    def review(self) -> None:
        """Look at the statuses again, as time passes; what is different now becomes a change."""
        with self._lock:
            self._update()
            self._review(None)

    # ── keeping up ───────────────────────────────────────────────────────────────────────────────────────

    def _update(self) -> list[str]:
        """Rows of runs that changed since the last time; returns the runs."""
        is_first = self._revision < 0
        revision, changed, _ = self._journal.changed_since(self._revision)
        if is_first:
            rows = run_rows(self._log.store)
            # In order of their start, so that the numbers of one program's runs are neighbours.
            self._journal.numbers(row.name for row in rows)
        else:
            rows = run_rows_of(self._log.store, changed) if changed else []
        found = {row.name for row in rows}
        for name in changed:
            if name not in found:
                self._entries.pop(name, None)
        for row in rows:
            entry = self._entries.get(row.name)
            if entry is None:
                entry = self._entries[row.name] = _Entry(row)
            entry.row = row
            if entry.has_old_story:
                self._with_old_story.add(row.name)
        if not is_first:
            for name in self._names_removed_since(self._revision):
                self._entries.pop(name, None)
        self._revision = revision
        return list(found)

    def _names_removed_since(self, revision: int) -> list[str]:
        _, _, removed = self._journal.changed_since(revision)
        return [name for number in removed if (name := self._journal.name(number)) is not None]

    def _review(self, names: list[str] | None) -> None:
        """Statuses of these runs (None: of all), and the stories that decide them, as far as the budget
        reaches."""
        told = self._read_stories()
        if names is None:
            self._reviewed_s = time.monotonic()
            entries: Iterable[_Entry] = self._entries.values()
        else:
            entries = [self._entries[name] for name in {*names, *told} if name in self._entries]
        now_s = self._now()
        different = []
        for entry in entries:
            status, is_known = status_of(entry.row, entry.story, now_s)
            if (status, is_known) != (entry.status, entry.is_known):
                if entry.status is not None:
                    different.append(entry.row.name)
                entry.status, entry.is_known = status, is_known
        noted_at = self._journal.note_runs(different)
        if noted_at is not None and noted_at == self._revision + 1:
            self._revision = noted_at  # nothing else came in between: the table has all of it

    def _read_stories(self) -> list[str]:
        """Returns the runs whose stories were read."""
        waiting = [self._entries[name] for name in self._with_old_story if name in self._entries]
        self._with_old_story.intersection_update(self._entries)
        told = []
        # First those of which nothing is known at all, and of them the newest.
        waiting.sort(key=lambda one: (one.story is not None, -(one.row.started_s or 0.0)))
        end_s = time.monotonic() + self._story_budget_s
        for entry in waiting:
            entry.story = story_of(self._log.store, entry.row)
            entry.story_revision = entry.row.revision
            self._with_old_story.discard(entry.row.name)
            told.append(entry.row.name)
            if time.monotonic() > end_s:
                break
        return told

    # ── the answer ───────────────────────────────────────────────────────────────────────────────────────

    def _table(
        self,
        entries: Iterable[_Entry],
        removed: list[int],
        server_id: str,
        revision: int,
        is_complete: bool,
        progress: ReadProgress,
    ) -> RunTable:
        ordered = sorted(entries, key=lambda one: _start_order(one.row))
        rows = [entry.row for entry in ordered]
        columns: dict[str, Any] = {
            "id": self._journal.numbers(row.name for row in rows),
            "status": [entry.status or "running" for entry in ordered],
            "is_status_known": [entry.is_known for entry in ordered],
            "started_s": [finite_or_none(row.started_s) for row in rows],
            "last_seen_s": [finite_or_none(row.last_seen_s) for row in rows],
        }
        facts: dict[str, Any] = {
            "server_id": server_id,
            "revision": revision,
            "is_complete": is_complete,
            "removed": sorted(removed),
            "progress": progress,
        }
        # All others are those of the rows, under the same names.
        for name in {*RunTable.__struct_fields__} - {*columns, *facts}:
            columns[name] = [getattr(row, name) for row in rows]
        return RunTable(**facts, **columns)


def _start_order(row: RunRow) -> tuple[bool, float, str]:
    started_s = finite_or_none(row.started_s)
    return started_s is None, started_s or 0.0, row.name
