"""What travels between the page and this dashboard."""

from __future__ import annotations

from msgspec import Struct

from sightline.wire.schemas import Column
from sightline.wire.value_schemas import DecodedFrame, ValueFrame


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


class PrCurveStatisticsFrame(ValueFrame, frozen=True, kw_only=True):
    """Of each curve, computed from its counts. NaN where there is nothing to compute it from."""

    state: Column
    """0: good. 1: damaged. 2: the file is gone or was replaced, ask again."""
    positives: Column
    """Examples of either class, or their weights."""
    negatives: Column
    average_precision: Column
    pr_area: Column
    """With straight lines between the points."""
    roc_area: Column
    best_f1: Column
    best_threshold: Column
    """Of the best F1; the lowest of several."""


class PrCurveStatisticsHeader(Struct, frozen=True):
    """The JSON at the beginning of a frame of ``POST pr_curves/statistics``."""

    server_id: str
    revision: int
    series: list[PrCurveStatisticsFrame]
