"""The tags of one kind of every run, with names and descriptions run by run: what TensorBoard's routes
list.

Our own API lists tags once for all runs (``server/kept_tables.py``). Kept, and made anew only when a series
has appeared or vanished.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import NamedTuple

from sightline.dashboards.context import Context
from sightline.dashboards.descriptions import safe_html
from sightline.model.kinds import Kind, plugin_of


class KindTag(NamedTuple):
    """One tag of one run."""

    run: str
    tag: str
    display_name: str
    description: str
    """Markdown, as it was logged."""


def kind_tags(context: Context, kind: Kind) -> KindTags:
    return context.keep((KindTags, kind), lambda: KindTags(context, kind))


def tag_facts(context: Context, kind: Kind) -> dict[str, dict[str, dict[str, str]]]:
    """Names and descriptions by run and tag, as TensorBoard gives them."""
    found: dict[str, dict[str, dict[str, str]]] = {}
    for one in kind_tags(context, kind).all():
        facts = {"displayName": one.display_name, "description": safe_html(one.description)}
        found.setdefault(one.run, {})[one.tag] = facts
    return found


class KindTags:
    """May be asked from any thread."""

    def __init__(self, context: Context, kind: Kind) -> None:
        self._context = context
        self._kind = kind
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
        revision = self._context.series_revision
        if revision != self._revision:
            self._tags = list(self._read())
            self._runs_by_tag = {}
            for one in self._tags:
                self._runs_by_tag.setdefault(one.tag, []).append(one.run)
            self._revision = revision

    def _read(self) -> Iterator[KindTag]:
        plugin = plugin_of(self._kind)
        for run in self._context.store.runs():
            for tag, info in run.tags.items():
                if self._kind in info.kinds:
                    # Values of TensorFlow 1 and torch have no metadata: TensorBoard calls them by their tag.
                    name = info.display_name or ("" if info.plugin == plugin else tag)
                    yield KindTag(run.name, tag, name, info.description)
