"""Text in columns: measured once over all rows, fitted to the width of a terminal, one line per row.

Rich's tables wrap cells, look different in a pipe, and take minutes for 500,000 rows. Here a row is one line
everywhere. When a terminal is too narrow, whole columns go, in an order that each column
knows; then names are shortened in their middle, because their ends are what tells them apart.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import IO

GAP = "  "

_WANTED_NAME_WIDTH = 40
"""Columns go to show this much of a name; for the rest of a long one they do not."""

_LEAST_NAMES_WIDTH = 20
"""When even less is left for all names together, the last columns go, too."""


@dataclass(frozen=True)
class Column:
    heading: str
    is_right: bool = False
    is_name: bool = False
    """May be shortened, and never goes."""
    goes: int = 0
    """When there is no room, columns go in this order; 0 goes only when the names have no room at all."""
    is_shown_empty: bool = True
    """On a terminal: also when no row has anything in it."""


@dataclass(frozen=True)
class Row:
    cells: tuple[str, ...]
    styles: tuple[str, ...] = ()
    """Terminal codes ("1;36" is bold cyan) for the cells; "" for none."""


@dataclass(frozen=True)
class Page:
    """Where lines go, and what can be shown there."""

    out: IO[str]
    width: int | None
    """Columns of the terminal; None for a pipe or a file, which take any."""
    has_styles: bool

    def show_line(self, line: str) -> None:
        """A line of prose. The terminal may break it: then a path at its end can be copied in one piece."""
        self.out.write(line + "\n")


def page_on(out: IO[str]) -> Page:
    if not out.isatty():
        return Page(out, width=None, has_styles=False)
    is_plain = is_dumb_terminal() or bool(os.environ.get("NO_COLOR"))
    return Page(out, width=shutil.get_terminal_size().columns, has_styles=not is_plain)


def is_dumb_terminal() -> bool:
    """One that cannot move its cursor, such as that of an editor."""
    return os.environ.get("TERM", "dumb") in ("dumb", "unknown", "")


def show_table(page: Page, columns: Sequence[Column], rows: Callable[[], Iterable[Row]]) -> None:
    """Write a heading and all rows. ``rows`` is called twice: to measure, and to write."""
    widths = [len(column.heading) for column in columns]
    is_empty = [True] * len(columns)
    for row in rows():
        for number, cell in enumerate(row.cells):
            if cell:
                is_empty[number] = False
                widths[number] = max(widths[number], display_width(cell))
    shown = list(range(len(columns)))
    if page.width is not None:
        shown = [n for n in shown if columns[n].is_shown_empty or not is_empty[n]]
        shown = _fit(columns, widths, shown, width=page.width)
    heading = Row(tuple(column.heading for column in columns), ("2",) * len(columns))
    page.out.write(_line(page, heading, columns, widths, shown))
    for row in rows():
        page.out.write(_line(page, row, columns, widths, shown))


def _fit(columns: Sequence[Column], widths: list[int], shown: list[int], *, width: int) -> list[int]:
    """Which columns stay; narrows ``widths`` of names."""
    names = [n for n in shown if columns[n].is_name]

    def room_for_names() -> int:
        others = sum(widths[n] for n in shown if n not in names)
        return width - others - len(GAP) * (len(shown) - 1)

    wanted = sum(min(widths[n], _WANTED_NAME_WIDTH) for n in names)
    for number in sorted((n for n in shown if columns[n].goes), key=lambda n: columns[n].goes):
        if room_for_names() >= wanted:
            break
        shown = [n for n in shown if n != number]
    for number in [n for n in reversed(shown) if n not in names]:
        if room_for_names() >= min(wanted, _LEAST_NAMES_WIDTH):
            break
        shown = [n for n in shown if n != number]
    room = max(room_for_names(), len(names))
    for position, number in enumerate(names):
        # A name gets its share, and what the shorter ones after it do not need.
        rest = names[position + 1 :]
        share = room // (len(rest) + 1)
        widths[number] = min(widths[number], max(share, room - sum(widths[n] for n in rest)))
        room -= widths[number]
    return shown


def _line(
    page: Page, row: Row, columns: Sequence[Column], widths: Sequence[int], shown: Sequence[int]
) -> str:
    # In a pipe empty cells are marked, so that the fields of a line can be counted.
    blank = "-" if page.width is None else ""
    last = max((n for n in shown if row.cells[n]), default=0)
    parts = []
    for number in shown:
        if number > last:
            break
        column, width = columns[number], widths[number]
        text = row.cells[number] or blank
        if column.is_name:
            text = shortened_in_the_middle(text, width=width)
        padding = " " * (width - display_width(text))
        if page.has_styles and row.styles and row.styles[number] and text:
            text = f"\x1b[{row.styles[number]}m{text}\x1b[0m"
        if column.is_right:
            parts.append(padding + text)
        else:
            parts.append(text + padding if number != last else text)
    return GAP.join(parts) + "\n"


def display_width(text: str) -> int:
    """How many columns of a terminal the text takes: two for each Chinese character."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def shortened_in_the_middle(text: str, *, width: int) -> str:
    """``validation/…/accuracy``: both ends of a text that is too wide."""
    if display_width(text) <= width:
        return text
    head_width = width // 2
    head = _beginning(text, width=head_width)
    tail = _beginning(text[::-1], width=width - 1 - head_width)[::-1]
    return f"{head}…{tail}" if width > 0 else ""


def _beginning(text: str, *, width: int) -> str:
    taken = text[: max(0, width)]
    while display_width(taken) > width:
        taken = taken[:-1]
    return taken
