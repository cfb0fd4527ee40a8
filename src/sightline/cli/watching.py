"""``sightline inspect --watch``: a live table on a terminal, a line per change elsewhere.

Only runs that changed are looked at again, so following 10,000 runs costs no more than following one.
"""

from __future__ import annotations

import math
import sys
import threading
import time
from collections.abc import Callable, Iterable
from itertools import islice
from typing import TYPE_CHECKING

from sightline.cli.columns import is_dumb_terminal, shortened_in_the_middle
from sightline.cli.listing import points_text
from sightline.cli.quantities import count_text, duration_text, time_text
from sightline.log import Log
from sightline.model.errors import UnknownNameError
from sightline.model.reports import Change, one_line, quoted
from sightline.query.inspection import RunSummary, SeriesSummary, summarize_run

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

_REDRAW_INTERVAL_S = 0.25
_SIGNAL_INTERVAL_S = 0.5
_FRAME_LINES = 3
"""Lines of the screen that are neither series nor damage: heading, summary, and room for the prompt."""


def watch(log: Log, *, has_run: Callable[[str], bool], has_tag: Callable[[str], bool]) -> None:
    """Show changes until interrupted."""
    changes = _Changes()
    unsubscribe = log.on_change(changes.put)
    board = _Board(log, has_run=has_run, has_tag=has_tag)
    try:
        if sys.stdout.isatty() and not is_dumb_terminal():
            _show_live(board, changes)
        else:
            _print_changes(board, changes)
    finally:
        unsubscribe()


class _Changes:
    """Changes from the reading thread, gathered until this one looks."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._arrived = threading.Event()
        self._pending: list[Change] = []

    def put(self, change: Change) -> None:
        with self._lock:
            self._pending.append(change)
        self._arrived.set()

    def take(self, timeout_s: float | None) -> list[Change]:
        """Everything since the last call; waits for the first one."""
        # In slices: a signal that comes just before a wait without end begins is not noticed until it ends.
        while not self._arrived.wait(_SIGNAL_INTERVAL_S if timeout_s is None else timeout_s):
            if timeout_s is not None:
                break
        with self._lock:
            self._arrived.clear()
            pending, self._pending = self._pending, []
        return pending


class _Board:
    """The summaries of all runs, the last changed ones first."""

    def __init__(self, log: Log, *, has_run: Callable[[str], bool], has_tag: Callable[[str], bool]) -> None:
        self._log = log
        self._has_run = has_run
        self._has_tag = has_tag
        self._runs: dict[str, RunSummary] = {}  # the last changed one is at the end
        for name in log.runs:
            self._look_at(name)

    def apply(self, changes: Iterable[Change]) -> list[tuple[Change, RunSummary | None]]:
        """Look at the changed runs again; returns those that are shown, with None for removed ones."""
        shown = []
        for change in changes:
            if self._has_run(change.run):
                shown.append((change, self._look_at(change.run)))
        return shown

    def _look_at(self, name: str) -> RunSummary | None:
        self._runs.pop(name, None)
        if not self._has_run(name) or name not in self._log:
            return None
        try:
            run = self._log[name]
        except UnknownNameError:
            return None  # removed this very moment
        summary = self._runs[name] = summarize_run(run, has_tag=self._has_tag)
        return summary

    def rows(self, most: int) -> list[tuple[str, SeriesSummary]]:
        """The first lines of a screen: series of the last changed runs."""
        rows: list[tuple[str, SeriesSummary]] = []
        for run in reversed(self._runs.values()):
            for series in sorted(run.series, key=_recency, reverse=True):
                if len(rows) == most:
                    return rows
                rows.append((run.name, series))
        return rows

    def series_count(self) -> int:
        return sum(len(run.series) for run in self._runs.values())

    def damage_count(self) -> int:
        return sum(run.damage_count for run in self._runs.values())

    def damage_lines(self, most: int) -> list[str]:
        """The damage of the last changed runs; the last line counts what there is no line for."""
        count = self.damage_count()
        if not count or not most:
            return []
        told = (
            str(damage)
            for run in reversed(self._runs.values())
            if run.damage_count
            for file in run.files
            for damage in file.damage
        )
        lines = list(islice(told, most if count <= most else most - 1))
        rest = count - len(lines)
        return [*lines, f"… and {count_text(rest, 'more damaged place')}"] if rest else lines

    def summary(self) -> str:
        runs = self._runs.values()
        series = self.series_count()
        damage = self.damage_count()
        points = count_text(sum(run.points for run in runs), "point")
        told = f", {count_text(damage, 'damaged place')}" if damage else ""
        return f"{count_text(len(runs), 'run')}, {count_text(series, 'series', 'series')}, {points}{told}"


def _recency(series: SeriesSummary) -> float:
    return -math.inf if math.isnan(series.last_wall_time) else series.last_wall_time


def _show_live(board: _Board, changes: _Changes) -> None:
    from rich.console import Console
    from rich.live import Live

    console = Console(highlight=False, markup=False, emoji=False)
    with Live(_screen(board, console), console=console, auto_refresh=False) as live:
        while True:
            board.apply(changes.take(None))
            live.update(_screen(board, console), refresh=True)
            time.sleep(_REDRAW_INTERVAL_S)  # however fast the log grows, a person reads no faster


def _screen(board: _Board, console: Console) -> RenderableType:
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim", width=console.width)
    table.add_column("RUN", overflow="ellipsis", no_wrap=True, ratio=2)
    table.add_column("TAG", overflow="ellipsis", no_wrap=True, ratio=3)
    table.add_column("KIND", no_wrap=True)
    for heading in ("POINTS", "LAST STEP", "AGE"):
        table.add_column(heading, justify="right", no_wrap=True)
    now_s = time.time()
    series_count = board.series_count()
    row_count, damage_count = _shares(
        max(1, console.height - _FRAME_LINES), rows=series_count, damage=board.damage_count()
    )
    for run, series in board.rows(row_count):
        age = duration_text(max(0.0, now_s - series.last_wall_time))
        table.add_row(
            Text(one_line(run), style="cyan"),
            Text(one_line(series.tag)),
            series.kind.value,
            points_text(series),
            f"{series.last_step:,}",
            age,
        )
    below = []
    if row_count < series_count:
        below.append(Text(f"… and {series_count - row_count:,} more", style="dim"))
    for line in board.damage_lines(damage_count):
        below.append(Text(shortened_in_the_middle(line, width=console.width), style="red"))
    return Group(table, *below, Text(f"{board.summary()}; Ctrl+C ends", style="dim", no_wrap=True))


def _shares(room: int, *, rows: int, damage: int) -> tuple[int, int]:
    """How many lines of a screen are for series and for damage. Damage gets a third when both want more."""
    damage_lines = min(damage, max(room // 3, room - rows))
    row_lines = room - damage_lines
    # One line says that there are more.
    return (rows if rows <= row_lines else max(1, row_lines - 1)), damage_lines


def _print_changes(board: _Board, changes: _Changes) -> None:
    """One line per series that grew: time, run, tag, and how far it is."""
    print(board.summary(), flush=True)
    while True:
        for change, summary in board.apply(changes.take(None)):
            moment = time_text(time.time())
            if summary is None:
                print(f"{moment}  {quoted(change.run)}  removed", flush=True)
                continue
            if change.is_reset:
                print(f"{moment}  {quoted(change.run)}  a file was replaced or removed", flush=True)
            changed = set(change.tags)
            for series in summary.series:
                if series.tag in changed:
                    print(
                        f"{moment}  {quoted(change.run)}  {quoted(series.tag)}  "
                        f"{count_text(series.points, 'point')}, step {series.last_step:,}",
                        flush=True,
                    )
