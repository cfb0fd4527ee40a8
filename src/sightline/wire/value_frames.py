"""Frames about values that are no scalars: steps of media, histograms, precision-recall curves. The layout is
that of frame.py, and so are the columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from sightline.wire.frame import (
    Body,
    Floats,
    Lengthwise,
    exact_columns,
    framed,
    pieces_of,
    step_columns,
    wall_columns,
)
from sightline.wire.scalar_schemas import Column
from sightline.wire.value_frame_schemas import (
    HistogramFrame,
    HistogramFrameHeader,
    MediaFrame,
    MediaFrameHeader,
    PrCurveFrame,
    PrCurveFrameHeader,
    StepsFrameHeader,
)


class ValueSeries(Protocol):
    """What ``sightline.store.media.MediaSeries`` is to a frame."""

    @property
    def step(self) -> NDArray[np.int64]: ...
    @property
    def wall_time(self) -> Floats: ...
    @property
    def superseded_count(self) -> int: ...


class DecodedSeries(ValueSeries, Protocol):
    """What the series of ``sightline.query.decoded_series`` have in common."""

    @property
    def size(self) -> NDArray[np.uint32]: ...
    @property
    def state(self) -> NDArray[np.uint8]: ...


class HistogramSeries(DecodedSeries, Protocol):
    @property
    def left(self) -> Floats: ...
    @property
    def right(self) -> Floats: ...
    @property
    def counts(self) -> Floats: ...


class PrCurveSeries(DecodedSeries, Protocol):
    @property
    def true_positives(self) -> Floats: ...
    @property
    def false_positives(self) -> Floats: ...
    @property
    def true_negatives(self) -> Floats: ...
    @property
    def false_negatives(self) -> Floats: ...
    @property
    def precision(self) -> Floats: ...
    @property
    def recall(self) -> Floats: ...


AnySeries = TypeVar("AnySeries", bound=ValueSeries, covariant=True)


class ValuePart(NamedTuple, Generic[AnySeries]):
    """One series of an answer: which query it answers, the run's number, and the values."""

    query: int
    run: int
    series: AnySeries


def encode_media_frame(
    parts: Sequence[ValuePart[Any]], samples: Sequence[int], *, server_id: str, revision: int
) -> bytes:
    """Steps and times of values. ``samples``: one number for each part."""
    body = Body()
    encoded = [one for some in pieces_of(parts, _value_count) for one in _value_fields(some, body)]
    series = [MediaFrame(**fields, samples=count) for fields, count in zip(encoded, samples, strict=True)]
    return framed(MediaFrameHeader(server_id, revision, series), body)


def encode_steps_frame(steps: NDArray[np.int64], *, server_id: str, revision: int) -> bytes:
    body = Body()
    (column,) = step_columns(Lengthwise([steps], np.int64), body)
    return framed(StepsFrameHeader(server_id, revision, len(steps), column), body)


def encode_histogram_frame(
    parts: Sequence[ValuePart[HistogramSeries]], *, server_id: str, revision: int
) -> bytes:
    body = Body()
    pieces = pieces_of(parts, lambda part: len(part.series.right))
    series = [one for some in pieces for one in _histograms(some, body)]
    return framed(HistogramFrameHeader(server_id, revision, series), body)


def encode_pr_curve_frame(
    parts: Sequence[ValuePart[PrCurveSeries]], *, server_id: str, revision: int
) -> bytes:
    body = Body()
    pieces = pieces_of(parts, lambda part: len(part.series.recall))
    series = [one for some in pieces for one in _pr_curves(some, body)]
    return framed(PrCurveFrameHeader(server_id, revision, series), body)


def _value_count(part: ValuePart[Any]) -> int:
    return len(part.series.step)


def _value_fields(parts: Sequence[ValuePart[Any]], body: Body) -> Iterator[dict[str, Any]]:
    """The fields of a ValueFrame, for each part."""
    columns = zip(
        step_columns(Lengthwise([part.series.step for part in parts], np.int64), body),
        wall_columns(Lengthwise([part.series.wall_time for part in parts], np.float64), body),
        strict=True,
    )
    for (query, run, series), (step, wall) in zip(parts, columns, strict=True):
        yield {
            "query": query,
            "run": run,
            "count": len(series.step),
            "superseded_count": series.superseded_count,
            "step": step,
            "wall": wall,
        }


def _decoded_fields(parts: Sequence[ValuePart[Any]], body: Body) -> Iterator[dict[str, Any]]:
    """The fields of a DecodedFrame, for each part."""
    columns = zip(
        step_columns(Lengthwise([part.series.state for part in parts], np.int64), body),
        step_columns(Lengthwise([part.series.size for part in parts], np.int64), body),
        strict=True,
    )
    fields = _value_fields(parts, body)
    for part, (state, size), common in zip(parts, columns, fields, strict=True):
        yield {**common, "state": state, "size": size, "size_sum": int(part.series.size.sum())}


def _histograms(parts: Sequence[ValuePart[HistogramSeries]], body: Body) -> Iterator[HistogramFrame]:
    firsts = [_first_edges(part.series) for part in parts]
    columns = zip(
        _numbers(
            [part.series.left if first is None else first for part, first in zip(parts, firsts, strict=True)],
            body,
        ),
        _numbers([part.series.right for part in parts], body),
        _numbers([part.series.counts for part in parts], body),
        strict=True,
    )
    for fields, first, (left, right, counts) in zip(
        _decoded_fields(parts, body), firsts, columns, strict=True
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


def _pr_curves(parts: Sequence[ValuePart[PrCurveSeries]], body: Body) -> Iterator[PrCurveFrame]:
    columns = [_numbers([getattr(part.series, name) for part in parts], body) for name in _CURVE_ROWS]
    for fields, rows in zip(_decoded_fields(parts, body), zip(*columns, strict=True), strict=True):
        yield PrCurveFrame(**fields, **dict(zip(_CURVE_ROWS, rows, strict=True)))


_CURVE_ROWS = (
    "true_positives",
    "false_positives",
    "true_negatives",
    "false_negatives",
    "precision",
    "recall",
)


def _numbers(columns: Sequence[Floats], body: Body) -> list[Column]:
    return exact_columns(Lengthwise(columns, np.float64), body)
