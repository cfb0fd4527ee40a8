"""What happened to the log since the server started: the numbers of runs, and a revision for each change.

Changes arrive on the reading thread, questions on worker threads, and batches are taken by the event loop; so
all of it is guarded by one lock that is only ever held for a moment. Memory is bounded by the number of runs:
the journal keeps when a run changed last, never a list of all changes.

A run keeps its number for as long as the server runs, also when it vanishes and comes back.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from sightline.model.reports import Change
from sightline.wire.schemas import ChangeEvent

MAX_NAMED_TAGS = 500
"""More changed tags than this are not named one by one: the page then looks at all its charts."""


@dataclass
class Batch:
    """Changes put together, as one event tells them. Merging keeps its size bounded, however slow the
    reader."""

    revision: int = 0
    runs: set[int] = field(default_factory=set)
    tags: set[str] | None = field(default_factory=set)
    reset: set[int] = field(default_factory=set)
    removed: set[int] = field(default_factory=set)
    has_new_series: bool = False
    workspace_version: int | None = None
    """Of what people added, when that is new, too."""

    @property
    def has_changes(self) -> bool:
        """Whether there is something of the log itself."""
        return bool(self.runs or self.removed or self.has_new_series)

    def add_run(self, number: int, tags: Iterable[str] = (), *, is_reset: bool = False) -> None:
        # Gone and back before anybody was told: what a page has of it is not the beginning of what is there.
        if is_reset or number in self.removed:
            self.reset.add(number)
        self.removed.discard(number)
        self.runs.add(number)
        self.add_tags(tags)

    def add_removed(self, number: int) -> None:
        self.runs.discard(number)
        self.reset.discard(number)
        self.removed.add(number)

    def merge(self, later: Batch) -> None:
        for number in later.removed:
            self.add_removed(number)
        for number in later.runs:
            self.add_run(number, is_reset=number in later.reset)
        if self.tags is None or later.tags is None:
            self.tags = None
        else:
            self.add_tags(later.tags)
        self.has_new_series |= later.has_new_series
        if later.workspace_version is not None:
            self.workspace_version = later.workspace_version
        self.revision = max(self.revision, later.revision)

    def add_tags(self, tags: Iterable[str]) -> None:
        if self.tags is not None:
            self.tags.update(tags)
            if len(self.tags) > MAX_NAMED_TAGS:
                self.tags = None

    def event(self) -> ChangeEvent:
        return ChangeEvent(
            revision=self.revision,
            runs=sorted(self.runs),
            tags=None if self.tags is None else sorted(self.tags),
            reset=sorted(self.reset),
            removed=sorted(self.removed),
            has_new_series=self.has_new_series,
        )


class Journal:
    """Numbers of runs, revisions, and the batch that nobody has been told of yet."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._numbers: dict[str, int] = {}
        self._names: list[str] = []
        self._changed_at: dict[int, int] = {}
        """By number: the revision at which the run last changed, the latest at the end."""
        self._removed_at: dict[int, int] = {}
        self._revision = 0
        self._series_revision = 0
        self._pending: Batch | None = None
        self._on_pending: Callable[[], None] = lambda: None

    @property
    def revision(self) -> int:
        return self._revision

    @property
    def series_revision(self) -> int:
        """The revision at which a series last appeared or vanished: the tags are the same since."""
        return self._series_revision

    # ── numbers ──────────────────────────────────────────────────────────────────────────────────────────

    def number(self, name: str) -> int:
        """The run's number; a new name gets one."""
        with self._lock:
            return self._number(name)

    def numbers(self, names: Iterable[str]) -> list[int]:
        with self._lock:
            return [self._number(name) for name in names]

    def name(self, number: int) -> str | None:
        """None for a number that was never given."""
        with self._lock:
            return self._names[number] if 0 <= number < len(self._names) else None

    def _number(self, name: str) -> int:
        number = self._numbers.get(name)
        if number is None:
            number = self._numbers[name] = len(self._names)
            self._names.append(name)
        return number

    # ── changes ──────────────────────────────────────────────────────────────────────────────────────────

    def note(self, change: Change) -> None:
        """Something of a run is new. Called on the reading thread, for each run."""
        with self._lock:
            number = self._number(change.run)
            is_first, batch = self._next_batch()
            if change.is_removed:
                self._removed_at[number] = self._revision
                batch.add_removed(number)
            else:
                self._mark(number)
                batch.add_run(number, change.tags, is_reset=change.is_reset)
            if change.is_removed or change.is_reset or change.has_new_series:
                self._series_revision = self._revision
                batch.has_new_series = True
        if is_first:
            self._on_pending()

    def note_runs(self, names: Iterable[str], *, has_new_series: bool = False) -> int | None:
        """These runs have to be looked at again, for a reason that is no new point: they were just found (in
        the cache), or their status is another now. Returns the revision of this; None for no runs."""
        names = list(names)
        if not names:
            return None
        with self._lock:
            is_first, batch = self._next_batch()
            revision = self._revision
            for name in names:
                number = self._number(name)
                self._mark(number)
                batch.add_run(number)
            if has_new_series:
                self._series_revision = self._revision
                batch.has_new_series = True
        if is_first:
            self._on_pending()
        return revision

    def note_workspace(self, version: int) -> None:
        """What people added is another now. No revision of the log: its runs are what they were."""
        with self._lock:
            is_first = self._pending is None
            if self._pending is None:
                self._pending = Batch(revision=self._revision)
            self._pending.workspace_version = version
        if is_first:
            self._on_pending()

    def changed_since(self, revision: int) -> tuple[int, list[str], list[int]]:
        """(revision now, names of runs that are new or changed since, numbers of those that are gone
        since)."""
        with self._lock:
            recent = itertools.takewhile(lambda item: item[1] > revision, reversed(self._changed_at.items()))
            changed = [self._names[number] for number in sorted(number for number, _ in recent)]
            removed = [number for number, at in self._removed_at.items() if at > revision]
            return self._revision, changed, removed

    def take_batch(self) -> Batch | None:
        """What is new since the last call; None for nothing."""
        with self._lock:
            batch, self._pending = self._pending, None
            return batch

    def call_when_pending(self, callback: Callable[[], None]) -> None:
        """``callback`` is called, on whatever thread, when there is something to take after there was
        nothing."""
        self._on_pending = callback

    def _next_batch(self) -> tuple[bool, Batch]:
        """(whether it is a new one, the batch that is filled now)"""
        self._revision += 1
        is_first = self._pending is None
        if self._pending is None:
            self._pending = Batch()
        self._pending.revision = self._revision
        return is_first, self._pending

    def _mark(self, number: int) -> None:
        self._changed_at.pop(number, None)  # to the end
        self._changed_at[number] = self._revision
        self._removed_at.pop(number, None)
