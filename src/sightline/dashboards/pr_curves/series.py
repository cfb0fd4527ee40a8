"""Every precision-recall curve of some tags in some runs, as one frame."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sightline.dashboards.context import Context
from sightline.dashboards.decoded_parts import decoded_parts
from sightline.dashboards.pr_curves.schemas import PrCurveFrame, PrCurveFrameHeader
from sightline.model.kinds import Kind
from sightline.query.decoded_series import MAX_NUMBERS, DecodedSeries, decoded_fields
from sightline.query.stored_types import RunStore
from sightline.wire.frame import Body, Floats, framed, pieces_of
from sightline.wire.routes import FRAME_MEDIA_TYPE, Binary
from sightline.wire.value_frames import ValuePart, decoded_value_fields, number_columns
from sightline.wire.value_schemas import TagQuery, TagRequest

_ROWS = (
    *("true_positives", "false_positives", "true_negatives", "false_negatives"),
    *("precision", "recall"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PrCurveSeries(DecodedSeries):
    """Thresholds of all values: element j of n in a value belongs to threshold j / (n - 1)."""

    true_positives: Floats
    false_positives: Floats
    true_negatives: Floats
    false_negatives: Floats
    precision: Floats
    recall: Floats


def pr_curves_of(
    store: RunStore, runs: Sequence[str], query: TagQuery, *, most_numbers: int = MAX_NUMBERS
) -> Iterator[tuple[str, PrCurveSeries]]:
    """By run; those without the tag are left out. Raises BadArgumentError when it is too much."""
    for run, fields in decoded_fields(store, runs, Kind.pr_curve, query.tag, most_numbers=most_numbers):
        yield run, PrCurveSeries(**fields)


def series_of(context: Context, request: TagRequest) -> Binary:
    revision = context.revision
    parts = decoded_parts(context, request, pr_curves_of)
    body = encode_pr_curve_frame(parts, server_id=context.server_id, revision=revision)
    return Binary(body, FRAME_MEDIA_TYPE)


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
