"""The buckets of histograms of some tags in some runs, as one frame."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from sightline.dashboards.context import Context
from sightline.dashboards.decoded_parts import choice_of, decoded_parts
from sightline.dashboards.histograms.schemas import HistogramFrame, HistogramFrameHeader
from sightline.query.histograms import HistogramSeries, histograms_of
from sightline.query.stored_types import RunStore
from sightline.wire.frame import Body, Floats, framed, pieces_of
from sightline.wire.routes import FRAME_MEDIA_TYPE, Binary
from sightline.wire.value_frames import ValuePart, decoded_value_fields, number_columns
from sightline.wire.value_schemas import ChoiceQuery, ChoiceRequest


def series_of(context: Context, request: ChoiceRequest) -> Binary:
    revision = context.revision
    parts = decoded_parts(context, request, _read)
    body = encode_histogram_frame(parts, server_id=context.server_id, revision=revision)
    return Binary(body, FRAME_MEDIA_TYPE)


def _read(
    store: RunStore, runs: Sequence[str], query: ChoiceQuery, *, most_numbers: int
) -> Iterator[tuple[str, HistogramSeries]]:
    return histograms_of(store, runs, query.tag, choice=choice_of(query), most_numbers=most_numbers)


def encode_histogram_frame(
    parts: Sequence[ValuePart[HistogramSeries]], *, server_id: str, revision: int
) -> bytes:
    body = Body()
    pieces = pieces_of(parts, lambda part: len(part.series.right))
    series = [one for some in pieces for one in _histograms(some, body)]
    return framed(HistogramFrameHeader(server_id, revision, series), body)


def _histograms(parts: Sequence[ValuePart[HistogramSeries]], body: Body) -> Iterator[HistogramFrame]:
    firsts = [_first_edges(part.series) for part in parts]
    columns = zip(
        number_columns(
            [part.series.left if first is None else first for part, first in zip(parts, firsts, strict=True)],
            body,
        ),
        number_columns([part.series.right for part in parts], body),
        number_columns([part.series.counts for part in parts], body),
        strict=True,
    )
    for fields, first, (left, right, counts) in zip(
        decoded_value_fields(parts, body), firsts, columns, strict=True
    ):
        yield HistogramFrame(**fields, is_contiguous=first is not None, left=left, right=right, counts=counts)


def _first_edges(series: HistogramSeries) -> Floats | None:
    """The left edge of the first bucket of each value; None when the others are not the right edges before
    them. Compared by bits: a zero and a minus zero differ."""
    size = series.size.astype(np.int64)
    is_filled = size > 0
    starts = (np.cumsum(size) - size)[is_filled]
    is_inner = np.ones(len(series.left), np.bool_)
    is_inner[starts] = False
    left, right = series.left.view(np.int64), series.right.view(np.int64)
    if not np.array_equal(left[1:][is_inner[1:]], right[:-1][is_inner[1:]]):
        return None
    firsts = np.zeros(len(size))
    firsts[is_filled] = series.left[starts]
    return firsts
