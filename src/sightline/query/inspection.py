"""What is in a log, in numbers: one summary per run with one line per series.

Made for ``sightline inspect``: computed run by run, so that who writes them out one by one (``--json``) needs
the memory of one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import isnan, nan
from typing import Any

from sightline.model.kinds import Kind
from sightline.model.reports import FileFacts, TagInfo
from sightline.store.media import MediaSeries
from sightline.store.run import Run
from sightline.store.series import ScalarSeries
from sightline.store.story import Story


@dataclass(frozen=True, slots=True)
class SeriesSummary:
    """One tag in one of its kinds. Steps and times are those of the first and last visible point."""

    tag: str
    kind: Kind
    info: TagInfo
    points: int
    superseded: int
    first_step: int
    last_step: int
    first_wall_time: float
    last_wall_time: float
    size_bytes: int
    """Of the values in the files; 0 for scalars, whose bytes are not counted singly."""


@dataclass(frozen=True, slots=True)
class RunSummary:
    """One run: its series that were asked for, and all its files."""

    name: str
    series: tuple[SeriesSummary, ...]
    files: tuple[FileFacts, ...]
    stories: tuple[Story, ...] = ()
    """One for each start of the run, where they were asked for."""

    @property
    def points(self) -> int:
        return sum(series.points for series in self.series)

    @property
    def superseded(self) -> int:
        return sum(series.superseded for series in self.series)

    @property
    def size_bytes(self) -> int:
        return sum(file.size_bytes for file in self.files)

    @property
    def damage_count(self) -> int:
        """Damaged places and unreadable files."""
        return sum(file.damage_count + bool(file.error) for file in self.files)

    @property
    def first_wall_time(self) -> float:
        """NaN while unknown."""
        return min((f.first_wall_time for f in self.files if not isnan(f.first_wall_time)), default=nan)

    @property
    def last_wall_time(self) -> float:
        return max((f.last_wall_time for f in self.files if not isnan(f.last_wall_time)), default=nan)


def summarize_run(
    run: Run, *, has_tag: Callable[[str], bool] = lambda _: True, has_stories: bool = False
) -> RunSummary:
    """The run as it is now; only the series of matching tags. Its stories have to be read from the files."""
    found: list[SeriesSummary] = []
    for tag, info in run.tags.items():
        if not has_tag(tag):
            continue
        for kind in info.kinds:
            series = run.read_scalars(tag) if kind is Kind.scalar else run.media(kind).get(tag)
            if series is not None and (len(series) or series.superseded_count):
                found.append(_summarize_series(tag, kind, info, series))
    return RunSummary(run.name, tuple(found), tuple(run.files), tuple(run.stories) if has_stories else ())


def _summarize_series(
    tag: str, kind: Kind, info: TagInfo, series: ScalarSeries | MediaSeries[Any]
) -> SeriesSummary:
    # A restart can hide a whole series that was not logged again; then its hidden points are what there is.
    shown = series if len(series) else series.superseded
    return SeriesSummary(
        tag=tag,
        kind=kind,
        info=info,
        points=len(series),
        superseded=series.superseded_count,
        first_step=int(shown.step[0]),
        last_step=int(shown.step[-1]),
        first_wall_time=float(shown.wall_time[0]),
        last_wall_time=float(shown.wall_time[-1]),
        size_bytes=0 if isinstance(series, ScalarSeries) else int(series.size_bytes.sum()),
    )
