"""Headers of the frames about values that are no scalars, and the questions about histograms and curves. Like
scalar_schemas.py a part of schemas.py, whose words and rules hold here too; value_frames.py writes the
frames."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from sightline.wire.media_schemas import MAX_SERIES_QUERIES, RunNumber
from sightline.wire.scalar_schemas import MAX_RUNS_PER_QUERY, Column, Tag
from sightline.wire.schemas import ServerId


class TagQuery(Struct, frozen=True):
    """One tag in some runs."""

    tag: Tag
    runs: Annotated[list[RunNumber], Meta(max_length=MAX_RUNS_PER_QUERY)]


class TagRequest(Struct, frozen=True, kw_only=True):
    """Every value of some tags. Runs without the tag are left out of the answer."""

    queries: Annotated[list[TagQuery], Meta(max_length=MAX_SERIES_QUERIES)]
    server_id: ServerId | None = None


class ValueFrame(Struct, frozen=True, kw_only=True):
    """Every value of one tag in one run; columns have ``count`` elements unless they say otherwise."""

    query: int
    """Which of the queries it answers."""
    run: int
    count: int
    """Values; a value's index is its place."""
    superseded_count: int
    """Values that a restarted job wrote again, which are not here."""
    step: Column
    """Never falling."""
    wall: Column


class MediaFrame(ValueFrame, frozen=True, kw_only=True):
    samples: int
    """Pictures or sounds at one step: the greater number of the first and the last value, 0 when neither
    could be read. 1 for other kinds."""


class MediaFrameHeader(Struct, frozen=True):
    """The JSON at the beginning of a frame of ``POST media/series``."""

    server_id: str
    revision: int
    series: list[MediaFrame]


class StepsFrameHeader(Struct, frozen=True):
    """The JSON at the beginning of a frame of ``POST media/steps``."""

    server_id: str
    revision: int
    count: int
    steps: Column
    """At which any of the series has a value; ascending, each once."""


class DecodedFrame(ValueFrame, frozen=True, kw_only=True):
    """Values that are columns of numbers themselves, which are laid end to end."""

    state: Column
    """0: good. 1: damaged. 2: the file is gone or was replaced, ask again. Those have a size of 0."""
    size: Column
    """Buckets or thresholds of each value."""
    size_sum: int
    """Of all values together."""


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


class PrCurveFrame(DecodedFrame, frozen=True, kw_only=True):
    """Precision-recall curves: column j of n belongs to threshold j / (n - 1). Columns of ``size_sum``
    elements."""

    true_positives: Column
    false_positives: Column
    true_negatives: Column
    false_negatives: Column
    precision: Column
    recall: Column


class PrCurveFrameHeader(Struct, frozen=True):
    """The JSON at the beginning of a frame of ``POST pr_curves``."""

    server_id: str
    revision: int
    series: list[PrCurveFrame]
