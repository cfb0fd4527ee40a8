"""Layouts of charts that show several scalars together: lines, or a line with a margin around it.

A run has one layout, and readers take the last. torch's short forms for one chart therefore replace each
other; here they add to the layout of the writer, so that two calls give two charts. A chart with the title
and category of an earlier one replaces it, and ``add_custom_scalars`` replaces everything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sightline.formats.messages import Value
from sightline.formats.plugin_messages import (
    Category,
    Chart,
    Layout,
    MarginChartContent,
    MarginSeries,
    MultilineChartContent,
)
from sightline.formats.tensors import tensor_from_array
from sightline.model.errors import BadArgumentError
from sightline.writer.engine.arguments import checked_text
from sightline.writer.engine.base import WriterBase, plugin_value

_TAG = "custom_scalars__config__"

# category → title of a chart → the chart
_Charts = dict[str, dict[str, Chart]]


class CustomScalarsMethods(WriterBase):
    _charts: _Charts | None = None

    def add_custom_scalars(self, layout: Mapping[str, Mapping[str, Sequence[Any]]]) -> None:
        """Sets the charts of the run.

        `layout` is ``{category: {title: [kind, tags]}}`` with the kind "Multiline" or "Margin". The tags of
        "Multiline" are regular expressions; "Margin" takes three tags: value, lower bound, upper bound.
        """
        self._show_charts(charts_from(layout))

    def add_custom_scalars_multilinechart(
        self, tags: Sequence[str], category: str = "default", title: str = "untitled"
    ) -> None:
        """Adds a chart of all scalars whose tag matches one of `tags`, which are regular expressions."""
        self._add_chart(["Multiline", tags], category, title)

    def add_custom_scalars_marginchart(
        self, tags: Sequence[str], category: str = "default", title: str = "untitled"
    ) -> None:
        """Adds a chart of one line with a margin: three tags, of the value, the lower and the upper bound."""
        self._add_chart(["Margin", tags], category, title)

    def _add_chart(self, chart: Sequence[Any], category: str, title: str) -> None:
        added = charts_from({category: {title: chart}})
        charts = {name: dict(group) for name, group in (self._charts or {}).items()}
        for name, group in added.items():
            charts.setdefault(name, {}).update(group)
        self._show_charts(charts)

    def _show_charts(self, charts: _Charts) -> None:
        self._write([layout_value(charts)])
        self._charts = charts


def layout_value(charts: _Charts) -> Value:
    categories = [Category(title=name, chart=list(group.values())) for name, group in charts.items()]
    tensor = tensor_from_array(Layout(category=categories).encode())
    return plugin_value(_TAG, "custom_scalars", tensor=tensor)


def charts_from(layout: Any) -> _Charts:
    """The charts of a layout as users write it.

    Raises BadArgumentError with the name of the chart at fault.
    """
    if not isinstance(layout, Mapping) or not all(isinstance(group, Mapping) for group in layout.values()):
        raise BadArgumentError("A layout is a dict of categories, each a dict {title: [kind, tags]}")
    return {
        checked_text(category, "The category of a chart"): {
            checked_text(title, "The title of a chart"): _chart(title, entry)
            for title, entry in group.items()
        }
        for category, group in layout.items()
    }


def _chart(title: str, entry: Sequence[Any]) -> Chart:
    if not isinstance(entry, (list, tuple)) or len(entry) != 2:
        raise BadArgumentError(f"Chart {title!r} is a list of a kind and its tags, not {entry!r}")
    kind, tags = entry
    if not isinstance(tags, (list, tuple)) or not all(isinstance(tag, str) for tag in tags):
        raise BadArgumentError(f"Chart {title!r} needs a list of tags, not {tags!r}")
    if kind == "Multiline":
        return Chart(title=title, multiline=MultilineChartContent(tag=list(tags)))
    if kind != "Margin":
        raise BadArgumentError(f'Chart {title!r} is either "Multiline" or "Margin", not {kind!r}')
    if len(tags) != 3:
        raise BadArgumentError(
            f"Chart {title!r} needs three tags: value, lower, upper bound; not {len(tags)}"
        )
    value, lower, upper = tags
    return Chart(
        title=title, margin=MarginChartContent(series=[MarginSeries(value=value, lower=lower, upper=upper)])
    )
