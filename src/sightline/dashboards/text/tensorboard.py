"""``/data/plugin/text``: texts as HTML, tables of texts as tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sightline.dashboards.context import Context
from sightline.dashboards.descriptions import MAX_CHARS, plain_html, safe_html
from sightline.dashboards.kind_tags import kind_tags
from sightline.model.errors import DataError
from sightline.model.kinds import Kind
from sightline.query.media_items import FoundItem, find_series
from sightline.query.stored_types import MediaSeries
from sightline.wire.tensorboard import Fields, Pieces, list_pieces

_TOO_MANY_DIMENSIONS = (
    "**Warning:** This text summary contained data of dimensionality {}, but only   2d tables are supported. "
    "Showing a 2d slice of the data instead."
)
"""As TensorBoard says it, to the blank."""


def tags(context: Context, _: Fields) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for one in kind_tags(context, Kind.text).all():
        found.setdefault(one.run, []).append(one.tag)
    return found


def text(context: Context, fields: Fields) -> Pieces:
    """Of every step; an empty list when there is no such run or tag. What cannot be read is left out."""
    series = find_series(context.store, fields.first("run") or "", Kind.text, fields.first("tag") or "")
    is_markdown = fields.first("markdown") != "false"
    return Pieces(list_pieces(_entries(series, is_markdown=is_markdown), per_piece=1))


def _entries(series: MediaSeries[Any] | None, *, is_markdown: bool) -> Iterator[dict[str, Any]]:
    if series is None:
        return
    for position in range(len(series)):
        try:
            item = FoundItem(series, position).read()
        except DataError:
            continue
        html = html_of(item.array, is_markdown=is_markdown)
        yield {"wall_time": item.wall_time, "step": item.step, "text": html}


def html_of(array: Any, *, is_markdown: bool) -> str:
    """One text as its own HTML; more as a table, of which only two dimensions can be shown."""
    # The limit of a text holds for all cells of a table together.
    is_short = sum(map(len, array.ravel().tolist())) <= MAX_CHARS
    render = safe_html if is_markdown and (is_short or array.ndim == 0) else plain_html
    if array.ndim == 0:
        return render(array.item())
    note = safe_html(_TOO_MANY_DIMENSIONS.format(array.ndim)) if array.ndim > 2 else ""
    if array.size == 0:
        return note + _table([])  # whatever its shape says: a billion rows of no columns are none
    while array.ndim > 2:
        array = array[0]
    rows = [[cell] for cell in array.tolist()] if array.ndim == 1 else array.tolist()
    return note + _table([[render(cell) for cell in row] for row in rows])


def _table(rows: Sequence[Sequence[str]]) -> str:
    lines = ["<table>", "<tbody>"]
    for row in rows:
        lines += ["<tr>", *(f"<td>{cell}</td>" for cell in row), "</tr>"]
    return "\n".join([*lines, "</tbody>", "</table>"])
