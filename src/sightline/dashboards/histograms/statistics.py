"""Statistics of histograms and maps of them over the steps, as frames."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from sightline.dashboards.context import Context
from sightline.dashboards.decoded_parts import choice_of, decoded_parts
from sightline.dashboards.histograms.schemas import (
    HistogramMapFrame,
    HistogramMapHeader,
    HistogramMapQuery,
    HistogramMapRequest,
    HistogramStatisticsFrame,
    HistogramStatisticsHeader,
)
from sightline.model.errors import BadArgumentError
from sightline.query.histograms import (
    HistogramMap,
    HistogramStatistics,
    check_axis,
    map_of,
    statistics_of,
)
from sightline.query.stored_types import RunStore
from sightline.wire.frame import Body, Lengthwise, framed, value_columns
from sightline.wire.routes import FRAME_MEDIA_TYPE, ApiError, Binary
from sightline.wire.schemas import Column
from sightline.wire.value_frames import ValuePart, number_columns, value_fields, whole_columns
from sightline.wire.value_schemas import ChoiceQuery, ChoiceRequest

_NAMES = {"total": "count", "min": "min", "max": "max", "mean": "mean", "std": "std", "zeros": "zeros"}


def statistics(context: Context, request: ChoiceRequest) -> Binary:
    revision = context.revision
    parts = decoded_parts(context, request, _statistics)
    body = Body()
    header = HistogramStatisticsHeader(context.server_id, revision, list(_statistics_frames(parts, body)))
    return Binary(framed(header, body), FRAME_MEDIA_TYPE)


def _statistics(
    store: RunStore, runs: Sequence[str], query: ChoiceQuery, *, most_numbers: int
) -> Iterator[tuple[str, HistogramStatistics]]:
    for run in runs:
        found = statistics_of(store, run, query.tag, choice_of(query), most_numbers=most_numbers)
        if found is not None:
            most_numbers -= found.number_count
            yield run, found


def _statistics_frames(
    parts: Sequence[ValuePart[HistogramStatistics]], body: Body
) -> Iterator[HistogramStatisticsFrame]:
    states = whole_columns([part.series.state for part in parts], body)
    columns = {
        name: number_columns([part.series.column(column) for part in parts], body)
        for name, column in _NAMES.items()
    }
    quantiles = number_columns([part.series.quantiles.ravel() for part in parts], body)
    for place, fields in enumerate(value_fields(parts, body)):
        own = {name: column[place] for name, column in columns.items()}
        yield HistogramStatisticsFrame(
            **{**fields, **own},
            state=states[place],
            quantiles=quantiles[place],
            linear_width=parts[place].series.linear_width,
        )


def maps(context: Context, request: HistogramMapRequest) -> Binary:
    try:
        for query in request.queries:
            check_axis(query.range, query.linear_width)
    except BadArgumentError as error:
        raise ApiError(422, str(error)) from error
    revision = context.revision
    parts = decoded_parts(context, request, _maps)
    body = Body()
    header = HistogramMapHeader(context.server_id, revision, list(_map_frames(parts, body)))
    return Binary(framed(header, body), FRAME_MEDIA_TYPE)


def _maps(
    store: RunStore, runs: Sequence[str], query: HistogramMapQuery, *, most_numbers: int
) -> Iterator[tuple[str, HistogramMap]]:
    for run in runs:
        found = map_of(
            store,
            run,
            query.tag,
            rows=query.rows,
            most_columns=query.most_columns,
            value_range=query.range,
            is_symlog=query.scale == "symlog",
            linear_width=query.linear_width,
            most_numbers=most_numbers,
        )
        if found is not None:
            most_numbers -= found.number_count
            yield run, found


def _map_frames(parts: Sequence[ValuePart[HistogramMap]], body: Body) -> Iterator[HistogramMapFrame]:
    totals = number_columns([part.series.total for part in parts], body)
    shares = _float_columns([part.series.shares.ravel() for part in parts], body)
    for place, fields in enumerate(value_fields(parts, body)):
        found = parts[place].series
        yield HistogramMapFrame(
            **fields,
            rows=found.rows,
            low=found.axis.low,
            high=found.axis.high,
            linear_width=found.axis.linear_width or 0.0,
            damaged_count=found.damaged_count,
            total=totals[place],
            shares=shares[place],
        )


def _float_columns(columns: Sequence[NDArray[np.float32]], body: Body) -> list[Column]:
    series = Lengthwise(columns, np.float64)
    return value_columns(series, np.ones(len(series.present), np.bool_), body)
