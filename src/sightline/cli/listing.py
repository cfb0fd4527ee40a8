"""The tables of ``inspect``: one row per series below a row for its run, or only one row per run.

Both look the same in a pipe and on a terminal, but for colours and for columns that a narrow terminal has no
room for. Every row carries its run, so that ``grep`` finds what it should.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from sightline.cli.columns import Column, Page, Row, shortened_in_the_middle, show_table
from sightline.cli.quantities import duration_text, size_text, time_text
from sightline.model.reports import quoted
from sightline.query.inspection import RunSummary, SeriesSummary

MOST_RUNS_WITH_SERIES = 10
"""Of more runs, and when nothing was chosen, only an overview is shown: nobody reads 50,000 lines."""

_MOST_NAME_CHARACTERS = 200
"""Tags of a megabyte exist. The JSON document has them whole."""

_SERIES_COLUMNS = (
    Column("RUN", is_name=True),
    Column("TAG", is_name=True),
    Column("KIND", goes=5),
    Column("POINTS", is_right=True),
    Column("FIRST STEP", is_right=True, goes=3),
    Column("LAST STEP", is_right=True),
    Column("STARTED", goes=2),
    Column("DURATION", is_right=True, goes=1),
    Column("SIZE", is_right=True, goes=4),
    Column("DAMAGE", is_right=True, is_shown_empty=False),
)

_RUN_COLUMNS = (
    Column("RUN", is_name=True),
    Column("SERIES", is_right=True),
    Column("POINTS", is_right=True),
    Column("LAST STEP", is_right=True),
    Column("STARTED", goes=2),
    Column("DURATION", is_right=True, goes=1),
    Column("SIZE", is_right=True, goes=3),
    Column("DAMAGE", is_right=True, is_shown_empty=False),
)

_DIM, _RUN_STYLE, _SCALAR_STYLE, _MEDIA_STYLE, _DAMAGE_STYLE = "2", "1;36", "32", "35", "1;31"


def show_series(page: Page, runs: Sequence[RunSummary]) -> None:
    """Every series, below a row with the totals of its run."""

    def rows() -> Iterator[Row]:
        for run in runs:
            name = _shown_name(run.name)
            yield _run_row(run, name=name)
            for series in run.series:
                yield _series_row(series, run=name)

    show_table(page, _SERIES_COLUMNS, rows)


def show_overview(page: Page, runs: Sequence[RunSummary]) -> None:
    """One row per run."""
    show_table(page, _RUN_COLUMNS, lambda: map(_overview_row, runs))


def listing_order(run: RunSummary) -> tuple[float, list[tuple[int, int | str]], str]:
    """By start to the second, so that jobs started together are ordered by name; then 2 before 10."""
    start_s = run.first_wall_time
    pieces = re.split(r"([0-9]+)", run.name)
    natural: list[tuple[int, int | str]] = [
        (0, int(piece)) if number % 2 and len(piece) < 20 else (1, piece)
        for number, piece in enumerate(pieces)
        if piece
    ]
    return round(start_s) if math.isfinite(start_s) else math.inf, natural, run.name


def points_text(summary: SeriesSummary | RunSummary) -> str:
    hidden = f" (+{summary.superseded:,})" if summary.superseded else ""
    return f"{summary.points:,}{hidden}"


def _run_row(run: RunSummary, *, name: str) -> Row:
    return Row(
        (
            name,
            "",
            "run",
            points_text(run),
            f"{min(series.first_step for series in run.series):,}" if run.series else "",
            _last_step(run),
            *_run_facts(run),
        ),
        (_RUN_STYLE, "", _DIM, "", "", "", "", "", "", _DAMAGE_STYLE),
    )


def _series_row(series: SeriesSummary, *, run: str) -> Row:
    return Row(
        (
            run,
            _shown_name(series.tag),
            series.kind.value,
            points_text(series),
            f"{series.first_step:,}",
            f"{series.last_step:,}",
            time_text(series.first_wall_time),
            duration_text(series.last_wall_time - series.first_wall_time),
            size_text(series.size_bytes) if series.size_bytes else "",
            "",
        ),
        _SCALAR_STYLES if series.kind == "scalar" else _MEDIA_STYLES,
    )


_SCALAR_STYLES = (_DIM, "", _SCALAR_STYLE, "", "", "", "", "", "", "")
_MEDIA_STYLES = (_DIM, "", _MEDIA_STYLE, "", "", "", "", "", "", "")


def _overview_row(run: RunSummary) -> Row:
    return Row(
        (
            _shown_name(run.name),
            f"{len(run.series):,}",
            points_text(run),
            _last_step(run),
            *_run_facts(run),
        ),
        (_RUN_STYLE, "", "", "", "", "", "", _DAMAGE_STYLE),
    )


def _run_facts(run: RunSummary) -> tuple[str, str, str, str]:
    """Started, duration, size and damage; unknown ones are empty."""
    return (
        time_text(run.first_wall_time),
        duration_text(run.last_wall_time - run.first_wall_time),
        size_text(run.size_bytes),
        f"{run.damage_count:,}" if run.damage_count else "",
    )


def _last_step(run: RunSummary) -> str:
    return f"{max(series.last_step for series in run.series):,}" if run.series else ""


@lru_cache(maxsize=4096)
def _shown_name(name: str) -> str:
    """Remembered: the same tags come again with every run."""
    return shortened_in_the_middle(quoted(name), width=_MOST_NAME_CHARACTERS)
