"""What travels between the page and this dashboard: windows for charts, groups of runs, statistics, files."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from sightline.model.choices import Band, BaselineMode, Center, SmoothingKind, XAxis
from sightline.wire.schemas import Column, Number, ServerId
from sightline.wire.value_schemas import MAX_RUNS_PER_QUERY, Tag

MAX_BUCKETS = 8192
MAX_QUERIES = 512
MAX_GROUPS = 10_000

Formula = Annotated[str, Meta(max_length=4_096)]


class Smoothing(Struct, frozen=True):
    """How the smoothed line is made, always from all points of the series.

    ema: TensorBoard's debiased moving average, ``amount`` is the weight, 0 to below 1. time_ema: the same,
    the weight raised to the power of the time since the last point over the series' usual time between
    points. gaussian: ``amount`` is the standard deviation in points. mean: the centred mean of ``amount``
    points.
    """

    kind: SmoothingKind
    amount: Annotated[float, Meta(ge=0, le=100_000)]


class Baseline(Struct, frozen=True):
    """What every run is compared with: the same line of this run, at the same step."""

    run: int
    mode: BaselineMode = "difference"


class LineSource(Struct, frozen=True, kw_only=True):
    """Where the numbers of a line come from, and what they are drawn over."""

    tag: Tag = ""
    """A scalar tag; empty with a formula."""
    formula: Formula = ""
    """Computed from tags of the same run, joined by step: ``train/loss - val/loss``. docs/formulas.md."""
    x: XAxis = "step"
    x_tag: Tag = ""
    """The tag whose values are x, with x = metric."""
    baseline: Baseline | None = None
    smoothing: Smoothing | None = None


class ScalarQuery(LineSource, frozen=True, kw_only=True):
    """One line of a chart: a tag or a formula in some runs, a stretch of the x axis, as many columns as the
    chart has pixels."""

    runs: Annotated[list[int], Meta(max_length=MAX_RUNS_PER_QUERY)]
    x_range: tuple[float, float] | None = None
    """In units of x (relative, active: seconds since the series' first point); None: everything."""
    is_log_x: bool = False
    """Columns are equally wide in the logarithm of x."""
    buckets: Annotated[int, Meta(ge=1, le=MAX_BUCKETS)] = 512
    superseded: bool = False
    """Also the points that a restarted job wrote again, as series of their own. Not with a formula, a
    baseline, or x = active or metric: those know only the points that count."""


class ScalarRequest(Struct, frozen=True):
    """All charts that need data now; answered by one frame."""

    queries: Annotated[list[ScalarQuery], Meta(max_length=MAX_QUERIES)]


class SeriesFrame(Struct, frozen=True):
    """One series of the answer: what lies behind the header, and facts about all its points in the x
    range."""

    query: int
    """Which of the queries it answers."""
    run: int
    is_superseded: bool
    count: int
    """Points in this frame."""
    total: int
    """Points of the whole series."""
    superseded_count: int
    """Points that a restarted job wrote again, asked for or not; 0 in a superseded series."""
    is_exact: bool
    """True: every point of the x range is here, nothing was reduced."""
    first_wall_s: float
    """Wall time of the series' first point: the zero of relative time."""
    y_range: tuple[float, float] | None
    """Least and greatest finite value in the x range; None without any."""
    y_core: tuple[float, float] | None
    """5th and 95th percentile of the line that is drawn on top (smoothed if asked for)."""
    step: Column
    wall: Column
    value: Column
    smoothed: Column | None
    x: Column | None = None
    """Of each point, never falling, when it is neither step nor wall time (active, metric)."""


class QueryNote(Struct, frozen=True):
    """What went differently than asked, in a sentence for people: shown in the chart it is about."""

    query: int
    run: int | None
    """None: about all runs of the query."""
    is_error: bool
    """True: there is no line because of it."""
    text: str


class FrameHeader(Struct, frozen=True):
    """The JSON at the beginning of a frame; see frame.py."""

    server_id: str
    revision: int
    series: list[SeriesFrame]
    notes: list[QueryNote] = []


class GroupQuery(LineSource, frozen=True, kw_only=True):
    """One line of a chart for groups of runs: their centre and a band around it, on one grid of x."""

    groups: Annotated[list[list[int]], Meta(max_length=MAX_GROUPS)]
    """Runs of each group; at most MAX_RUNS_PER_QUERY together. A run may be in several."""
    x_range: tuple[float, float] | None = None
    is_log_x: bool = False
    buckets: Annotated[int, Meta(ge=1, le=MAX_BUCKETS)] = 512
    """Most places of the grid. Where the members have no more different x than this, the grid is those."""
    center: Center = "mean"
    band: Band = "std"
    """std: one standard deviation (n - 1) to each side; sem: of the mean; minmax: of the members' own points,
    not only of those on the grid; quartiles: 25 % to 75 %; ci: 95 % by bootstrap over members."""


class GroupRequest(Struct, frozen=True):
    queries: Annotated[list[GroupQuery], Meta(max_length=MAX_QUERIES)]


class GroupFrame(Struct, frozen=True):
    """One group of the answer."""

    query: int
    group: int
    """Its position in the query."""
    count: int
    """Places of the grid at which any member has a value."""
    runs: int
    """Members that have any point in the range."""
    is_exact: bool
    """The grid holds every x of every member."""
    y_range: tuple[float, float] | None
    """Least and greatest of centre and band."""
    x: Column
    center: Column
    low: Column | None
    """None without a band. NaN where there is none: one member has no deviation."""
    high: Column | None
    members: Column
    """How many runs the centre is made from, at each x."""
    breaks: list[int]
    """Places before which the line ends, because no member goes on from the place before. Ascending."""


class GroupFrameHeader(Struct, frozen=True):
    server_id: str
    revision: int
    groups: list[GroupFrame]
    notes: list[QueryNote] = []


class StatisticsQuery(LineSource, frozen=True, kw_only=True):
    """Numbers about a stretch of lines, from all their points, or values at one place, or both."""

    runs: Annotated[list[int], Meta(max_length=MAX_RUNS_PER_QUERY)]
    x_range: tuple[float, float] | None = None
    """Both ends belong to it; None: everything."""
    at: float | None = None
    """Also the values at the point nearest to this x."""


class StatisticsRequest(Struct, frozen=True):
    queries: Annotated[list[StatisticsQuery], Meta(max_length=MAX_QUERIES)]


class Statistics(Struct, frozen=True):
    """Of the values in the range (of the smoothed line, if one is asked for): element i of each list is about
    the same run. Points that are not finite are counted and left out of everything else."""

    run: list[int]
    count: list[int]
    nonfinite_count: list[int]
    start: list[Number | None]
    start_step: list[int | None]
    end: list[Number | None]
    end_step: list[int | None]
    change: list[Number | None]
    percent: list[Number | None]
    """100 × change / |start|; None when start is 0."""
    min: list[Number | None]
    min_step: list[int | None]
    max: list[Number | None]
    max_step: list[int | None]
    mean: list[Number | None]
    std: list[Number | None]
    """With n - 1; None for a single value."""
    median: list[Number | None]
    slope: list[Number | None]
    """Of the least-squares line, per unit of x; None for fewer than two different x."""


class ValuesAt(Struct, frozen=True):
    """The point of each run that is nearest to an x; runs without any are not here."""

    run: list[int]
    x: list[Number]
    step: list[int]
    wall_s: list[Number]
    relative_s: list[Number]
    value: list[Number]
    smoothed: list[Number] | None


class StatisticsOfQuery(Struct, frozen=True):
    query: int
    statistics: Statistics
    at: ValuesAt | None


class StatisticsAnswer(Struct, frozen=True):
    server_id: str
    revision: int
    queries: list[StatisticsOfQuery]
    notes: list[QueryNote]


class LastValuesRequest(Struct, frozen=True):
    """The last value of some metrics in every run, for columns of the run table."""

    tags: Annotated[list[str], Meta(max_length=100)]


class LastValues(Struct, frozen=True):
    """One tag: element i of each list is about the same run."""

    tag: str
    run: list[int]
    step: list[int]
    value: list[Number]


class LastValuesAnswer(Struct, frozen=True):
    server_id: str
    revision: int
    tags: list[LastValues]


class ExportRequest(Struct, frozen=True):
    """Every point of some series as a file. Runs by number; None: all."""

    tags: Annotated[list[str], Meta(max_length=10_000)]
    runs: Annotated[list[int], Meta(max_length=MAX_RUNS_PER_QUERY)] | None = None
    format: Literal["csv", "json"] = "csv"
    superseded: bool = False
    server_id: ServerId | None = None
    """Where the numbers are from: those of an earlier start are refused (409), not taken for other runs."""


class ExportParameters(Struct, frozen=True):
    """The same in a URL, by the names of runs, so that it can be written by hand and kept. No run: all of
    them."""

    tag: Annotated[list[str], Meta(min_length=1, max_length=10_000)]
    run: Annotated[list[str], Meta(max_length=10_000)] = []
    format: Literal["csv", "json"] = "csv"
    superseded: bool = False
