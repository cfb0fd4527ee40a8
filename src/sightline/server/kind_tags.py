"""The tags of one kind of every run, with names and descriptions run by run: what TensorBoard's routes
list.

Our own API lists tags once for all runs (``tag_table``). Kept, and made anew only when a series has appeared
or vanished.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import NamedTuple

from sightline.log import Log
from sightline.model.kinds import Kind
from sightline.server.journal import Journal


class KindTag(NamedTuple):
    """One tag of one run."""

    run: str
    tag: str
    display_name: str
    description: str
    """Markdown, as it was logged."""


class KindTags:
    """May be asked from any thread."""

    def __init__(self, log: Log, journal: Journal, kind: Kind, *, plugin: str) -> None:
        """``plugin`` is TensorBoard's name for the kind."""
        self._log = log
        self._kind = kind
        self._plugin = plugin
        self._journal = journal
        self._lock = threading.Lock()
        self._revision = -1
        self._tags: list[KindTag] = []
        self._runs_by_tag: dict[str, list[str]] = {}

    def all(self) -> list[KindTag]:
        """In the order in which runs started."""
        with self._lock:
            self._update()
            return self._tags

    def runs_with(self, tag: str) -> list[str]:
        """The runs that have this tag, in the order in which they started."""
        with self._lock:
            self._update()
            return self._runs_by_tag.get(tag, [])

    def _update(self) -> None:
        revision = self._journal.series_revision
        if revision != self._revision:
            self._tags = list(self._read())
            self._runs_by_tag = {}
            for one in self._tags:
                self._runs_by_tag.setdefault(one.tag, []).append(one.run)
            self._revision = revision

    def _read(self) -> Iterator[KindTag]:
        for run in self._log.store.runs():
            for tag, info in run.tags.items():
                if self._kind in info.kinds:
                    # Values of TensorFlow 1 and torch have no metadata: TensorBoard calls them by their tag.
                    name = info.display_name or ("" if info.plugin == self._plugin else tag)
                    yield KindTag(run.name, tag, name, info.description)
