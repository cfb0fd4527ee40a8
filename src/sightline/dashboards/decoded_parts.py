"""The decoded series that a request names, or what is computed from them, for the dashboards of histograms
and precision-recall curves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol, TypeVar

from sightline.dashboards.context import Context
from sightline.model.errors import BadArgumentError
from sightline.query.decoded_series import MAX_NUMBERS, ValueChoice
from sightline.query.stored_types import RunStore
from sightline.wire.routes import ApiError, check_server_id, known_runs
from sightline.wire.value_frames import ValuePart
from sightline.wire.value_schemas import ChoiceQuery, TagQuery


class Counted(Protocol):
    @property
    def number_count(self) -> int: ...


AnySeries = TypeVar("AnySeries", bound=Counted, covariant=True)
AnyQuery = TypeVar("AnyQuery", bound=TagQuery)
Asked = TypeVar("Asked", bound=TagQuery, covariant=True)
Read = TypeVar("Read", bound=TagQuery, contravariant=True)


class Request(Protocol[Asked]):
    @property
    def queries(self) -> Sequence[Asked]: ...
    @property
    def server_id(self) -> str | None: ...


class ReadSeries(Protocol[AnySeries, Read]):
    """Asks ``sightline.query`` for one kind what a query wants."""

    def __call__(
        self, store: RunStore, runs: Sequence[str], query: Read, *, most_numbers: int
    ) -> Iterator[tuple[str, AnySeries]]: ...


def decoded_parts(
    context: Context, request: Request[AnyQuery], read: ReadSeries[AnySeries, AnyQuery]
) -> list[ValuePart[AnySeries]]:
    """Numbers that stand for no run are left out, and so are runs without the tag. Raises ApiError 409, and
    413 when the answer would be too large."""
    check_server_id(context, request.server_id)
    parts = []
    left = MAX_NUMBERS
    for position, query in enumerate(request.queries):
        numbers = known_runs(context, query.runs)
        try:
            for name, series in read(context.store, list(numbers), query, most_numbers=left):
                parts.append(ValuePart(position, numbers[name], series))
                left -= series.number_count
        except BadArgumentError as error:
            message = f"The answer would have more than {MAX_NUMBERS:,} numbers: ask for less"
            raise ApiError(413, message) from error
    return parts


def choice_of(query: ChoiceQuery) -> ValueChoice:
    at_steps = None if query.at_steps is None else tuple(query.at_steps)
    return ValueChoice(most=query.most_values, at_steps=at_steps)
