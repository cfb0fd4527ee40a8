"""Precision-recall curves of some tags in some runs, and their statistics, as frames."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sightline.dashboards.context import Context
from sightline.dashboards.decoded_parts import choice_of, decoded_parts
from sightline.dashboards.pr_curves.schemas import (
    PrCurveFrame,
    PrCurveFrameHeader,
    PrCurveStatisticsFrame,
    PrCurveStatisticsHeader,
)
from sightline.query.pr_curves import PrCurveSeries, PrCurveStatistics, pr_curves_of, statistics_of
from sightline.query.stored_types import RunStore
from sightline.wire.frame import Body, framed, pieces_of
from sightline.wire.routes import FRAME_MEDIA_TYPE, Binary
from sightline.wire.value_frames import (
    ValuePart,
    decoded_value_fields,
    number_columns,
    value_fields,
    whole_columns,
)
from sightline.wire.value_schemas import ChoiceQuery, ChoiceRequest

_ROWS = (
    *("true_positives", "false_positives", "true_negatives", "false_negatives"),
    *("precision", "recall"),
)
_STATISTICS = (
    *("positives", "negatives", "average_precision", "pr_area", "roc_area"),
    *("best_f1", "best_threshold"),
)


def series_of(context: Context, request: ChoiceRequest) -> Binary:
    revision = context.revision
    parts = decoded_parts(context, request, _read)
    body = encode_pr_curve_frame(parts, server_id=context.server_id, revision=revision)
    return Binary(body, FRAME_MEDIA_TYPE)


def statistics(context: Context, request: ChoiceRequest) -> Binary:
    revision = context.revision
    parts = [
        ValuePart(query, run, statistics_of(series))
        for query, run, series in decoded_parts(context, request, _read)
    ]
    body = Body()
    header = PrCurveStatisticsHeader(context.server_id, revision, list(_statistics_frames(parts, body)))
    return Binary(framed(header, body), FRAME_MEDIA_TYPE)


def _read(
    store: RunStore, runs: Sequence[str], query: ChoiceQuery, *, most_numbers: int
) -> Iterator[tuple[str, PrCurveSeries]]:
    return pr_curves_of(store, runs, query.tag, choice=choice_of(query), most_numbers=most_numbers)


def encode_pr_curve_frame(
    parts: Sequence[ValuePart[PrCurveSeries]], *, server_id: str, revision: int
) -> bytes:
    body = Body()
    pieces = pieces_of(parts, lambda part: len(part.series.recall))
    series = [one for some in pieces for one in _pr_curves(some, body)]
    return framed(PrCurveFrameHeader(server_id, revision, series), body)


def _pr_curves(parts: Sequence[ValuePart[PrCurveSeries]], body: Body) -> Iterator[PrCurveFrame]:
    columns = [number_columns([getattr(part.series, name) for part in parts], body) for name in _ROWS]
    for fields, rows in zip(decoded_value_fields(parts, body), zip(*columns, strict=True), strict=True):
        yield PrCurveFrame(**fields, **dict(zip(_ROWS, rows, strict=True)))


def _statistics_frames(
    parts: Sequence[ValuePart[PrCurveStatistics]], body: Body
) -> Iterator[PrCurveStatisticsFrame]:
    states = whole_columns([part.series.state for part in parts], body)
    columns = [number_columns([getattr(part.series, name) for part in parts], body) for name in _STATISTICS]
    fields = value_fields(parts, body)
    for of_part, state, numbers in zip(fields, states, zip(*columns, strict=True), strict=True):
        yield PrCurveStatisticsFrame(**of_part, state=state, **dict(zip(_STATISTICS, numbers, strict=True)))
