"""The layouts of all runs as one.

As in TensorBoard: of each run the layout that it logged last, by the names of the runs; a category whose
title is there already gives its charts to that one, without those that are there with every field the same.
One difference: TensorBoard loses the charts of a third run for a category that the second one brought.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import Any

from sightline.dashboards.context import Context
from sightline.dashboards.custom_scalars.schemas import (
    LayoutAnswer,
    LayoutCategory,
    LayoutChart,
    LayoutMargin,
)
from sightline.dashboards.kind_tags import kind_tags
from sightline.model.errors import DataError
from sightline.model.kinds import Kind
from sightline.query.media_items import FoundItem
from sightline.wire.structs import struct_of

TAG = "custom_scalars__config__"

Layout = Any
Category = Any
Chart = Any
"""Messages of ``formats.plugin_messages``, which dashboards do not know."""

MAX_LAYOUT_BYTES = 256 << 10
"""Of one run. Those that people write have a few thousand."""
MAX_CHARTS = 1_000
MAX_CATEGORIES = 1_000
MAX_BYTES = 1 << 20
"""Of all charts and titles of categories together, as they were logged."""
MAX_PROBLEMS = 20


@dataclass
class MergedCategory:
    title: str
    is_closed: bool
    charts: list[Chart] = field(default_factory=list)
    known: set[bytes] = field(default_factory=set)
    """The charts, encoded."""


@dataclass
class MergedLayout:
    version: int = 0
    runs: list[str] = field(default_factory=list)
    categories: list[MergedCategory] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def layout_of(context: Context, _: None) -> LayoutAnswer:
    merged = merged_layout(context)
    return LayoutAnswer(
        server_id=context.server_id,
        runs=context.run_numbers(merged.runs),
        categories=[
            LayoutCategory(one.title, one.is_closed, [_chart(chart) for chart in one.charts])
            for one in merged.categories
        ],
        problems=merged.problems,
    )


def _chart(chart: Chart) -> LayoutChart:
    return LayoutChart(
        title=chart.title,
        expressions=list(chart.multiline.tag) if chart.multiline else [],
        margins=[struct_of(LayoutMargin, one) for one in chart.margin.series] if chart.margin else [],
    )


def merged_layout(context: Context) -> MergedLayout:
    return context.keep((LayoutFiles,), LayoutFiles).merged(context)


class LayoutFiles:
    """Layouts as they were read, so that each is read once, and what they make together. May be asked from
    any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: dict[str, tuple[str, Layout | str]] = {}
        """Run → identity of the value, and the layout, or why there is none; in the order of putting
        together."""
        self._merged = MergedLayout()

    def merged(self, context: Context) -> MergedLayout:
        with self._lock:
            last = {
                run: _last_value(context, run)
                for run in kind_tags(context, Kind.custom_scalars).runs_with(TAG)
            }
            found = {run: value for run, value in sorted(last.items()) if value is not None}
            identities = {run: value.identity for run, value in found.items()}
            if identities != {run: identity for run, (identity, _) in self._known.items()}:
                self._known = {run: self._read(run, value) for run, value in found.items()}
                merging = Merging()
                for run, (_, layout) in self._known.items():
                    merging.add(run, layout)
                self._merged = merging.layout
            return self._merged

    def _read(self, run: str, value: FoundItem) -> tuple[str, Layout | str]:
        identity = value.identity
        if run in self._known and self._known[run][0] == identity:
            return self._known[run]
        if value.size_bytes > MAX_LAYOUT_BYTES:
            return identity, f"it has {value.size_bytes:,} bytes, and {MAX_LAYOUT_BYTES:,} is the limit"
        try:
            return identity, value.read().layout
        except DataError as error:
            return identity, str(error)


def _last_value(context: Context, run: str) -> FoundItem | None:
    """In the order in which they were written, as in TensorBoard."""
    stored = context.store.get(run)
    series = None if stored is None else stored.media(Kind.custom_scalars).get(TAG)
    return FoundItem(series, len(series) - 1) if series else None


class Merging:
    """Puts layouts together, one after the other."""

    def __init__(self) -> None:
        self.layout = MergedLayout()
        self._by_title: dict[str, MergedCategory] = {}
        self._charts = 0
        self._bytes = 0

    def add(self, run: str, layout: Layout) -> None:
        if isinstance(layout, str):
            self._tell(f"The layout of {run} cannot be read: {layout}")
            return
        merged = self.layout
        is_first = not merged.runs
        if is_first:
            merged.version = layout.version
        merged.runs.append(run)
        for category in layout.category:
            # Within the first layout nothing is put together, as in TensorBoard.
            target = None if is_first else self._by_title.get(category.title)
            if target is None:
                self._bytes += len(category.title.encode(errors="replace"))
                if len(merged.categories) >= MAX_CATEGORIES or self._bytes > MAX_BYTES:
                    self._tell(f"There are more categories than can be shown: some of {run} are left out")
                    return
                target = MergedCategory(category.title, category.closed)
                merged.categories.append(target)
                self._by_title[category.title] = target
            if not self._add_charts(target, category):
                self._tell(f"There are more charts than can be shown: some of {run} are left out")
                return

    def _add_charts(self, target: MergedCategory, category: Category) -> bool:
        """False: not all of them, as there are too many."""
        encoded = [(chart, chart.encode()) for chart in category.chart]
        before = frozenset(target.known)
        for chart, data in encoded:
            if data in before:
                continue
            self._charts += 1
            self._bytes += len(data)
            if self._charts > MAX_CHARTS or self._bytes > MAX_BYTES:
                return False
            target.charts.append(chart)
            target.known.add(data)
        return True

    def _tell(self, problem: str) -> None:
        if len(self.layout.problems) < MAX_PROBLEMS:
            self.layout.problems.append(problem)
