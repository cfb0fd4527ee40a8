"""Lines of a chart before they are reduced: a tag or a formula in some runs, over any x axis, compared with a
baseline.

Everything here works on full series, and joins them by step (joins.py). Where a line cannot be made, or not
as asked, a note says so in a sentence for people; the other runs keep theirs.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from sightline import _core
from sightline.model.choices import BaselineMode, SmoothingKind, XAxis
from sightline.model.errors import BadArgumentError, FormulaError, UnknownNameError
from sightline.query.active_time import active_time_s
from sightline.query.formulas import Formula, evaluate
from sightline.query.formulas.program import HistogramLeaf
from sightline.query.histograms import statistics_of_run
from sightline.query.joins import Points, at_steps, first_finite
from sightline.query.known_tags import read_formula
from sightline.query.line_notes import LineNote as LineNote
from sightline.query.line_notes import NoteBook, quoted
from sightline.store.run import Run, sessions_of

Smoothing = tuple[SmoothingKind, float]
Floats = NDArray[np.float64]


def check_smoothing(smoothing: Smoothing | None) -> None:
    """Raises BadArgumentError for what makes no sense."""
    if smoothing is None:
        return
    kind, amount = smoothing
    if kind not in get_args(SmoothingKind):
        raise BadArgumentError(f"Smoothing is one of {', '.join(get_args(SmoothingKind))}, not {kind!r}")
    if kind in ("ema", "time_ema") and not 0 <= amount < 1:
        raise BadArgumentError(f"The weight of {kind} is from 0 to below 1, not {amount}")
    if not 0 <= amount < math.inf:
        raise BadArgumentError(f"The amount of smoothing is 0 or more, not {amount}")


@dataclass(frozen=True, slots=True)
class LineSource:
    """Where the numbers of a line come from, and what they are drawn over. Raises BadArgumentError for
    smoothing that makes no sense."""

    tag: str = ""
    formula: str = ""
    """In place of a tag."""
    x: XAxis = "step"
    x_tag: str = ""
    baseline: tuple[str, BaselineMode] | None = None
    """(name of a run, mode)."""
    smoothing: Smoothing | None = None
    """As in ``WindowSpec``. Not applied by ``LineReader``: see ``Line.smoothed``."""

    def __post_init__(self) -> None:
        check_smoothing(self.smoothing)

    @property
    def is_plain(self) -> bool:
        """Only a tag over step or time: its points can be taken as they lie in the files."""
        return not self.formula and self.baseline is None and self.x not in ("active", "metric")

    @property
    def title(self) -> str:
        return quoted(self.formula or self.tag)


@dataclass(frozen=True, slots=True)
class Line:
    """All points of one run's line, before smoothing."""

    run: str
    step: NDArray[np.int64]
    wall: Floats
    value: Floats
    x: Floats | None
    """Never falling, all finite. None when it is the step, relative or wall time: see ``along``."""
    first_wall_s: float
    """The zero of relative time. NaN without a finite one."""
    total: int
    """Points of the line."""
    left_out: int = 0
    """Points of the series that the line has none for: another tag, x or the baseline has no value there."""

    def along(self, axis: XAxis) -> Floats:
        """x of each point. ``axis`` is the one that the line was read with."""
        if self.x is not None:
            return self.x
        if axis == "step":
            return self.step.astype(np.float64)
        return self.wall if axis == "wall" else self.wall - self.first_wall_s

    def smoothed(self, smoothing: Smoothing | None) -> Floats:
        """The line that is drawn on top: the values themselves without smoothing."""
        if smoothing is None or smoothing[0] == "none":
            return self.value
        kind, amount = smoothing
        return _core.smooth(kind, amount, np.ascontiguousarray(self.value), np.ascontiguousarray(self.wall))


class LineReader:
    """The lines of runs of one log, one after another. ``baseline_run`` is the run that the source's baseline
    names; None when there is none of that name. Never raises for what a formula says: that is a note."""

    def __init__(self, runs: Sequence[Run], source: LineSource, *, baseline_run: Run | None = None) -> None:
        self._runs = runs
        self._source = source
        self._book = NoteBook()
        self._formula: Formula | None = None
        self._baseline: Points | None = None
        self._can_read = bool(runs) and self._prepare(baseline_run)

    def lines(self) -> Iterator[Line]:
        """In the order of the runs; read anew each time."""
        if not self._can_read:
            return
        self._book = NoteBook()
        for run in self._runs:
            self._book.asked += 1
            line = self._line(run)
            if line is not None:
                self._book.made += 1
                yield line

    def notes(self) -> list[LineNote]:
        """What is to be said of the lines that were read last."""
        return self._book.notes()

    # ── before the first run ─────────────────────────────────────────────────────────────────────────────

    def _prepare(self, baseline_run: Run | None) -> bool:
        """False: there can be no line at all, and a note says why."""
        source = self._source
        if source.formula:
            formula, tags = read_formula(source.formula, self._runs[0])
            if isinstance(formula, FormulaError):
                self._book.fail(str(formula))
                return False
            for tag in formula.tags:
                if tag not in tags.names:
                    self._book.fail(_unknown_tag(tag, tags.names))
                    return False
            self._formula = formula
        if source.x == "metric" and not source.x_tag:
            self._book.fail("Choose the tag whose values are to be the x axis")
            return False
        return source.baseline is None or self._prepare_baseline(source.baseline[0], baseline_run)

    def _prepare_baseline(self, name: str, run: Run | None) -> bool:
        if run is None:
            what = f"The baseline {quoted(name)}" if name else "The baseline"
            self._book.fail(f"{what} is not there any more: choose another run")
            return False
        missing, points, _ = self._computed(run, NoteBook())
        if points is None or not len(points):
            what = quoted(missing) if missing else self._source.title
            self._book.fail(f"The baseline {quoted(run.name)} has no {what}")
            return False
        self._baseline = points
        return True

    # ── one run ──────────────────────────────────────────────────────────────────────────────────────────

    def _line(self, run: Run) -> Line | None:
        source, book = self._source, self._book
        missing, points, left_out = self._computed(run, book)
        if points is None:
            if self._formula is not None:  # that some runs do not have a chart's tag is nothing to speak of
                book.miss(run.name, missing)
            return None
        if not len(points):
            self._say_why_empty(run, left_out)
            return None
        if source.baseline is not None:
            points, outside = self._compared(run, points, source.baseline[1])
            left_out += outside
            if not len(points):
                book.share_nothing(run.name, [source.title, f"the baseline {quoted(source.baseline[0])}"])
                return None
        if source.x not in ("active", "metric"):
            return _line_of(run, points, None, left_out)
        x = self._x(run, points)
        if x is None:
            book.miss(run.name, source.x_tag)
            return None
        order = _rising_rows(x)
        if order is None:
            return _line_of(run, points, x, left_out)
        if not len(order) and source.x == "metric":
            book.share_nothing(run.name, [source.title, quoted(source.x_tag)])
            return None
        gone = len(x) - len(order)
        book.leave_out(gone, f"no {quoted(source.x_tag)} there" if source.x == "metric" else "no wall time")
        return _line_of(run, points.chosen(order), x[order], left_out + gone) if len(order) else None

    def _say_why_empty(self, run: Run, left_out: int) -> None:
        if self._formula is None:
            return
        if left_out and len(self._formula.tags) > 1:
            self._book.share_nothing(run.name, [quoted(tag) for tag in self._formula.tags])
        else:
            self._book.too_short(run.name)

    def _computed(self, run: Run, book: NoteBook) -> tuple[str, Points | None, int]:
        """(the tag that the run lacks, its points before the baseline, how many of them were left out)."""
        formula = self._formula
        if formula is None:
            return self._source.tag, _read(run, self._source.tag), 0
        series: dict[str | HistogramLeaf, Points] = {}
        for tag in formula.tags:
            points = _read(run, tag)
            if points is None:
                return tag, None, 0
            series[tag] = points
        for leaf in formula.histograms:
            points = _read_histograms(run, leaf)
            if points is None:
                return leaf.tag, None, 0
            series[leaf] = points
        evaluated = evaluate(formula, series)
        book.trouble(evaluated.trouble)
        return "", evaluated.points, evaluated.left_out

    def _compared(self, run: Run, points: Points, mode: BaselineMode) -> tuple[Points, int]:
        """(the points that the baseline reaches to, compared with it; how many it does not reach)."""
        if self._baseline is None or self._source.baseline is None:
            return points, 0
        if run.name == self._source.baseline[0]:
            same = 1.0 if mode == "ratio" else 0.0
            return points.with_values(np.where(np.isfinite(points.value), same, np.nan)), 0
        with_what = at_steps(self._baseline, points.step)
        base, count = with_what.value, len(points)
        if with_what.is_inside is not None:
            points, base = points.chosen(with_what.is_inside), base[with_what.is_inside]
        with np.errstate(all="ignore"):
            if mode == "difference":
                value = points.value - base
            else:
                value = points.value / base
                is_odd = (base == 0) & np.isfinite(points.value)
                self._book.trouble({"the baseline is 0 there": int(np.count_nonzero(is_odd))})
                if mode == "percent":
                    value = 100.0 * (value - 1.0)
        return points.with_values(value), count - len(points)

    def _x(self, run: Run, points: Points) -> Floats | None:
        """None: the run has no such tag. NaN where a point has no x."""
        if self._source.x == "active":
            return active_time_s(points.wall, points.first_wall_s, sessions_of(run))
        metric = _read(run, self._source.x_tag)
        return None if metric is None else at_steps(metric, points.step).value


def _read(run: Run, tag: str) -> Points | None:
    series = run.read_scalars(tag)
    if series is None:
        return None
    return Points(series.step, series.wall_time, series.value, first_finite(series.wall_time))


def _read_histograms(run: Run, leaf: HistogramLeaf) -> Points | None:
    found = statistics_of_run(run, leaf.tag)
    if found is None:
        return None
    values = found.at_quantile(leaf.share) if leaf.statistic == "quantile" else found.column(leaf.statistic)
    return Points(found.step, found.wall_time, values, first_finite(found.wall_time))


def _line_of(run: Run, points: Points, x: Floats | None, left_out: int) -> Line:
    return Line(
        run.name, points.step, points.wall, points.value, x, points.first_wall_s, len(points), left_out
    )


def _rising_rows(x: Floats) -> NDArray[np.intp] | None:
    """Rows that have an x, by it; those at the same x in the order they came in. None: all, as they are."""
    if np.isfinite(x[0]) and np.isfinite(x[-1]) and np.all(x[:-1] <= x[1:]):
        return None  # NaN is never less: with finite ends everything between is finite
    rows = np.flatnonzero(np.isfinite(x))
    x = x[rows]
    return rows if np.all(x[:-1] <= x[1:]) else rows[np.argsort(x, kind="stable")]


def _unknown_tag(tag: str, known: Iterable[str]) -> str:
    # Only so many are compared: those of a similar length first.
    likely = sorted(known, key=lambda name: (abs(len(name) - len(tag)), name))
    near = UnknownNameError("tag", tag, likely).near_misses
    offer = f"; did you mean {quoted(near[0])}?" if near else ""
    return f"There is no tag {quoted(tag)} in these runs{offer}"
