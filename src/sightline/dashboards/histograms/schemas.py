"""What travels between the page and this dashboard."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from sightline.wire.schemas import Column, ServerId
from sightline.wire.value_schemas import MAX_SERIES_QUERIES, DecodedFrame, TagQuery, ValueCount, ValueFrame

MAX_ROWS = 512


class HistogramFrame(DecodedFrame, frozen=True, kw_only=True):
    """Buckets as they were logged; widths may be zero. Columns of ``size_sum`` elements."""

    is_contiguous: bool
    """Each bucket of a value begins where the one before it ends."""
    left: Column
    """Contiguous: ``count`` elements, the left edge of the first bucket of each value, 0 without buckets."""
    right: Column
    counts: Column


class HistogramFrameHeader(Struct, frozen=True):
    """The JSON at the beginning of a frame of ``POST histograms``."""

    server_id: str
    revision: int
    series: list[HistogramFrame]


class HistogramStatisticsFrame(ValueFrame, frozen=True, kw_only=True):
    """Of each value, computed from its buckets. NaN where there is nothing to compute it from."""

    state: Column
    """0: good. 1: damaged. 2: the file is gone or was replaced, ask again."""
    total: Column
    """Numbers that were counted."""
    min: Column
    max: Column
    mean: Column
    std: Column
    zeros: Column
    """Share of them in the bucket that holds 0."""
    quantiles: Column
    """Nine for each value, at 0, 6.68, 15.87, 30.85, 50, 69.15, 84.13, 93.32 and 100 %."""
    linear_width: float
    """Of a symmetric logarithm that suits these values, as in maps."""


class HistogramStatisticsHeader(Struct, frozen=True):
    """The JSON at the beginning of a frame of ``POST histograms/statistics``."""

    server_id: str
    revision: int
    series: list[HistogramStatisticsFrame]


class HistogramMapQuery(TagQuery, frozen=True, kw_only=True):
    """One tag in some runs, as maps with an axis of values."""

    rows: Annotated[int, Meta(ge=1, le=MAX_ROWS)]
    most_columns: ValueCount | None = None
    """Neighbouring values share a column when there are more. Missing: one column for each."""
    range: tuple[float, float] | None = None
    """Of the axis; missing: all values are on it."""
    scale: Literal["linear", "symlog"] = "linear"
    linear_width: float | None = None
    """Of a symlog axis; missing: one that suits the values."""


class HistogramMapRequest(Struct, frozen=True, kw_only=True):
    queries: Annotated[list[HistogramMapQuery], Meta(max_length=MAX_SERIES_QUERIES)]
    server_id: ServerId | None = None


class HistogramMapFrame(ValueFrame, frozen=True, kw_only=True):
    """``count`` columns, each with the step and time of its (first) value."""

    rows: int
    """May be fewer than were asked for, where doubles do not lie closer."""
    low: float
    high: float
    linear_width: float
    """Rows are of one height on the axis of ±log(1 + |value| / linear_width); 0: on a linear axis."""
    damaged_count: int
    """Values that could not be read."""
    total: Column
    """Numbers that each value counted."""
    shares: Column
    """``count`` × ``rows`` elements: the share of them in each row, column by column, the lowest first."""


class HistogramMapHeader(Struct, frozen=True):
    """The JSON at the beginning of a frame of ``POST histograms/maps``."""

    server_id: str
    revision: int
    series: list[HistogramMapFrame]
