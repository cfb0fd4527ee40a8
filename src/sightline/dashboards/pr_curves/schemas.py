"""What travels between the page and this dashboard."""

from __future__ import annotations

from msgspec import Struct

from sightline.wire.schemas import Column
from sightline.wire.value_schemas import DecodedFrame


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
