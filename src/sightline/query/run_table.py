"""One row per run: when it was written, how far it came, what is wrong with it. For all runs in one question.

A table of 10,000 runs cannot ask each run: the core answers for all of them at once, in columns. What needs a
look into the files (how the run ended) is in ``run_status``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from sightline.store.runs import RunStore
from sightline.store.story import SOURCE_WRITER

if TYPE_CHECKING:
    from sightline._core import RunColumns


class RunRow(NamedTuple):
    """What the run table knows of a run. None: unknown (yet)."""

    # A tuple and no dataclass: ten thousand are made for each question, and those take five times as long.
    name: str
    revision: int
    """Grows whenever anything of the run changes."""
    started_s: float | None
    """Wall time of the first event."""
    last_seen_s: float | None
    """Wall time of the latest event."""
    last_step: int | None
    """Of the scalars that were written last: greatest step in the last points of the newest file's series."""
    points: int
    """Scalar points, superseded ones included."""
    size_bytes: int
    read_fraction: float
    """Of the bytes; 1 when all is read."""
    damage_count: int
    """Damaged places and files that cannot be read."""
    usual_gap_s: float | None
    """Typical seconds between two writes: the median over the last points of the newest file's longest
    series."""
    is_ours: bool
    """Written by our own writer, at least in part: then there may be a story (``run_status.story_of``)."""


def run_rows(store: RunStore) -> list[RunRow]:
    """All runs, ordered by the time they began, then by name. ``store`` is ``log.store``."""
    return _rows(store.index.run_table(SOURCE_WRITER))


def run_rows_of(store: RunStore, names: Sequence[str]) -> list[RunRow]:
    """These runs, in the order of the names; those that do not exist (any more) are left out."""
    return _rows(store.index.run_facts(names, SOURCE_WRITER))


def _rows(columns: RunColumns) -> list[RunRow]:
    sizes = columns["size_bytes"].tolist()
    steps = zip(columns["last_step"].tolist(), columns["has_step"].tolist(), strict=True)
    read = zip(columns["read_bytes"].tolist(), sizes, strict=True)
    return list(
        map(
            RunRow._make,
            zip(
                columns["name"],
                columns["revision"].tolist(),
                _known(columns["first_wall_time"].tolist()),
                _known(columns["last_wall_time"].tolist()),
                [step if has_step else None for step, has_step in steps],
                columns["points"].tolist(),
                sizes,
                [done / size if size else 1.0 for done, size in read],
                columns["damage_count"].tolist(),
                _known(columns["usual_gap_s"].tolist()),
                columns["is_own"].astype(bool).tolist(),
                strict=True,
            ),
        )
    )


def _known(numbers: list[float]) -> list[float | None]:
    return [number if number == number else None for number in numbers]
