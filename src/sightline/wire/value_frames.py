"""What frames about values have in common that are no scalars: steps and times, and the columns of
values that are numbers themselves. The layout is that of frame.py, and so are the columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from sightline.wire.frame import Body, Floats, Lengthwise, exact_columns, step_columns, wall_columns
from sightline.wire.schemas import Column

AnySeries = TypeVar("AnySeries", covariant=True)


class ValuePart(NamedTuple, Generic[AnySeries]):
    """One series of an answer: which query it answers, the run's number, and the values."""

    query: int
    run: int
    series: AnySeries


def value_count(part: ValuePart[Any]) -> int:
    return len(part.series.step)


def value_fields(parts: Sequence[ValuePart[Any]], body: Body) -> Iterator[dict[str, Any]]:
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


def decoded_value_fields(parts: Sequence[ValuePart[Any]], body: Body) -> Iterator[dict[str, Any]]:
    """The fields of a DecodedFrame, for each part."""
    columns = zip(
        whole_columns([part.series.state for part in parts], body),
        whole_columns([part.series.size for part in parts], body),
        strict=True,
    )
    fields = value_fields(parts, body)
    for part, (state, size), common in zip(parts, columns, fields, strict=True):
        yield {**common, "state": state, "size": size, "size_sum": int(part.series.size.sum())}


def whole_columns(columns: Sequence[NDArray[Any]], body: Body) -> list[Column]:
    return step_columns(Lengthwise(columns, np.int64), body)


def number_columns(columns: Sequence[Floats], body: Body) -> list[Column]:
    return exact_columns(Lengthwise(columns, np.float64), body)
