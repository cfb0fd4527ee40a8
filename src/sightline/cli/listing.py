"""The table of ``inspect``, run by run: with colours on a terminal, as plain aligned text otherwise.

Rich measures every cell, which is a pleasure for a screenful and minutes for 500,000 series; so long listings
and pipes get plain lines. There every line carries its run, so that ``grep`` finds what it should.
"""

from __future__ import annotations

import sys
from functools import lru_cache
from typing import IO, TYPE_CHECKING, Protocol

from sightline.cli.quantities import count_text, duration_text, shortened, size_text, time_text
from sightline.model.reports import one_line, quoted
from sightline.query.inspection import RunSummary, SeriesSummary

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

MOST_RICH_ROWS = 2_000
"""More rows than this are written plainly: rich takes about a millisecond for each."""

_WIDTH_FOR_START_COLUMN = 104
"""On narrower terminals the start of each series makes room for its tag; the run's own start is shown."""

_WIDTH_FOR_SIZE_COLUMN = 120

_MOST_TABLE_WIDTH = 140
"""Wider tables would only put more space between a tag and its numbers."""


class Listing(Protocol):
    def show_run(self, run: RunSummary) -> None: ...
    def show_line(self, line: str) -> None: ...


def make_listing(rows: int) -> Listing:
    """The listing that suits standard output and this many rows."""
    if not sys.stdout.isatty() or rows > MOST_RICH_ROWS:
        return PlainListing(sys.stdout)
    from rich.console import Console

    return RichListing(Console(highlight=False, markup=False, emoji=False))


def points_text(series: SeriesSummary) -> str:
    hidden = f" (+{series.superseded:,})" if series.superseded else ""
    return f"{series.points:,}{hidden}"


def run_facts(run: RunSummary) -> list[str]:
    """What is said about a run as a whole; unknown facts are left out."""
    start = time_text(run.first_wall_time)
    duration = duration_text(run.last_wall_time - run.first_wall_time)
    damage = count_text(run.damage_count, "damaged place") if run.damage_count else ""
    facts = [
        f"started {start}" if start else "",
        duration,
        f"{count_text(run.points, 'point')}" if run.series else "no points",
        f"{count_text(len(run.files), 'file')}, {size_text(run.size_bytes)}",
    ]
    return [*filter(None, facts), *([damage] if damage else [])]


# ── plain ────────────────────────────────────────────────────────────────────────────────────────────────

_HEADINGS = ("RUN", "TAG", "KIND", "POINTS", "FIRST STEP", "LAST STEP", "STARTED", "DURATION")
_IS_RIGHT = (False, False, False, True, True, True, False, True)
# Wide enough for most. Longer cells widen their column from there on, very long ones only push their line.
_LEAST_WIDTHS = (12, 24, 9, 10, 10, 10, 19, 11)
_MOST_WIDTH = 60
_MOST_TAG_CHARACTERS = 200


class PlainListing:
    """Aligned text without colours, written as it comes."""

    def __init__(self, out: IO[str]) -> None:
        self._out = out
        self._has_heading = False
        self._widths = list(_LEAST_WIDTHS)

    def show_run(self, run: RunSummary) -> None:
        name = quoted(run.name)
        rows = [(name, *_plain_cells(series)) for series in run.series]
        for row in rows:
            for column, cell in enumerate(row):
                if self._widths[column] < len(cell) <= _MOST_WIDTH:
                    self._widths[column] = len(cell)
        if not self._has_heading:
            self._has_heading = True
            self._out.write(self._line(_HEADINGS))
        self._out.write("".join([f"{name}: {', '.join(run_facts(run))}\n", *map(self._line, rows)]))

    def show_line(self, line: str) -> None:
        self._out.write(line + "\n")

    def _line(self, cells: tuple[str, ...]) -> str:
        padded = [
            cell.rjust(width) if is_right else cell.ljust(width)
            for cell, width, is_right in zip(cells, self._widths, _IS_RIGHT, strict=True)
        ]
        return "  ".join(padded).rstrip() + "\n"


def _plain_cells(series: SeriesSummary) -> tuple[str, ...]:
    return (
        _plain_tag(series.tag),
        series.kind.value,
        points_text(series),
        f"{series.first_step:,}",
        f"{series.last_step:,}",
        time_text(series.first_wall_time),
        duration_text(series.last_wall_time - series.first_wall_time),
    )


@lru_cache(maxsize=4096)
def _plain_tag(tag: str) -> str:
    """Remembered: the same tags come again with every run."""
    return shortened(quoted(tag), most=_MOST_TAG_CHARACTERS)


# ── rich ─────────────────────────────────────────────────────────────────────────────────────────────────


class RichListing:
    """One small table per run."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def show_run(self, run: RunSummary) -> None:
        self._console.print(run_heading(run))
        if run.series:
            self._console.print(series_table(run.series, width=self._console.width))
        self._console.print()

    def show_line(self, line: str) -> None:
        # Lines that end in a path are left to the terminal, so that it can be copied in one piece.
        self._console.print(line, soft_wrap=True)


def run_heading(run: RunSummary) -> Text:
    from rich.text import Text

    heading = Text(one_line(run.name), style="bold cyan")
    for fact in run_facts(run):
        heading.append("  ")
        heading.append(fact, style="bold red" if "damaged" in fact else "dim")
    return heading


def series_table(series: tuple[SeriesSummary, ...], *, width: int) -> Table:
    from rich.table import Table
    from rich.text import Text

    table = Table(
        box=None, pad_edge=True, padding=(0, 2, 0, 0), header_style="dim", width=min(width, _MOST_TABLE_WIDTH)
    )
    table.add_column("  tag", overflow="fold", ratio=1)
    has_start = width >= _WIDTH_FOR_START_COLUMN
    # Where there is room the columns of all runs stand below each other.
    least = 10 if has_start else None
    table.add_column("kind", no_wrap=True, min_width=least)
    for heading in ("points", "first step", "last step"):
        table.add_column(heading, justify="right", no_wrap=True, min_width=least)
    has_size = width >= _WIDTH_FOR_SIZE_COLUMN
    if has_start:
        table.add_column("started", no_wrap=True)
    table.add_column("duration", justify="right", no_wrap=True, min_width=least)
    if has_size:
        table.add_column("size", justify="right", no_wrap=True, min_width=8)
    for one in series:
        cells: list[str | Text] = [
            Text("  " + shortened(one_line(one.tag), most=_MOST_TAG_CHARACTERS)),
            Text(one.kind.value, style="green" if one.kind == "scalar" else "magenta"),
            points_text(one),
            f"{one.first_step:,}",
            f"{one.last_step:,}",
        ]
        if has_start:
            cells.append(time_text(one.first_wall_time))
        cells.append(duration_text(one.last_wall_time - one.first_wall_time))
        if has_size:
            cells.append(size_text(one.size_bytes) if one.size_bytes else "")
        table.add_row(*cells)
    return table
