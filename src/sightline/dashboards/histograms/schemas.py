"""What travels between the page and this dashboard."""

from __future__ import annotations

from msgspec import Struct

from sightline.wire.schemas import Column
from sightline.wire.value_schemas import DecodedFrame


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
