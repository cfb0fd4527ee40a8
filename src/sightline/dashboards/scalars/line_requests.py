"""What the queries for windows, groups and statistics have in common: from numbers of runs and the words of a
request to runs and a line source, and from notes back to numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar

import msgspec

from sightline.dashboards.context import Context
from sightline.dashboards.scalars import schemas
from sightline.model.errors import BadArgumentError
from sightline.query.line_notes import LineNote
from sightline.query.lines import LineSource, Smoothing, check_smoothing
from sightline.query.stored_types import Run
from sightline.wire.routes import ApiError, known_runs

Query = TypeVar("Query", bound=schemas.LineSource)
Found = TypeVar("Found")


class LineRequest(NamedTuple):
    runs: list[Run]
    """Those that exist, each once, in the order they were asked for."""
    numbers: dict[str, int]
    """By name; the baseline's too."""
    source: LineSource
    baseline_run: Run | None


def line_request(
    context: Context, query: schemas.LineSource, runs: Iterable[int], *, where: str
) -> LineRequest:
    """``where`` is the path of the query in the request. Raises ApiError 422 for what makes no sense in any
    log; what this log does not have becomes a note."""
    if query.tag and query.formula:
        raise ApiError(422, f"A line has a tag or a formula, not both - at `$.{where}.formula`")
    found, numbers = _runs(context, runs)
    baseline, baseline_run = None, None
    if query.baseline is not None:
        name = context.run_name(query.baseline.run)
        baseline_run = None if name is None else context.store.get(name)
        baseline = (name or "", query.baseline.mode)
        if name is not None:
            numbers[name] = query.baseline.run
    source = LineSource(
        tag=query.tag,
        formula=query.formula,
        x=query.x,
        x_tag=query.x_tag,
        baseline=baseline,
        smoothing=smoothing_of(query.smoothing, where=where),
    )
    return LineRequest(found, numbers, source, baseline_run)


def _runs(context: Context, asked: Iterable[int]) -> tuple[list[Run], dict[str, int]]:
    """The runs that exist, each once, and their numbers by name."""
    numbers = known_runs(context, asked)
    runs = [run for name in numbers if (run := context.store.get(name)) is not None]
    return runs, {run.name: numbers[run.name] for run in runs}


def check_range(x_range: tuple[float, float] | None, *, where: str) -> None:
    if x_range is not None and x_range[0] > x_range[1]:
        raise ApiError(422, f"x_range ends before it begins: {list(x_range)} - at `$.{where}.x_range`")


def smoothing_of(asked: schemas.Smoothing | None, *, where: str) -> Smoothing | None:
    if asked is None or asked.kind == "none":
        return None
    smoothing = asked.kind, asked.amount
    try:
        check_smoothing(smoothing)
    except BadArgumentError as error:
        raise ApiError(422, f"{error} - at `$.{where}.smoothing.amount`") from None
    return smoothing


def query_notes(
    notes: Iterable[LineNote], numbers: Mapping[str, int], *, query: int
) -> Iterator[schemas.QueryNote]:
    for note in notes:
        run = None if note.run is None else numbers.get(note.run)
        yield schemas.QueryNote(query, run, note.is_error, note.text)


class Room:
    """How much more an answer may hold."""

    def __init__(self, most: int, *, unit: str, fewer: str) -> None:
        self.left = most
        self._too_much = ApiError(
            413, f"The answer would have more than {most:,} {unit}: ask for fewer {fewer} at once"
        )

    def take(self, count: int) -> None:
        """Raises ApiError 413 when it is too much."""
        self.check(count)
        self.left -= count

    def check(self, count: int) -> None:
        """The same before all of it is made."""
        if count > self.left:
            raise self._too_much


def answers_to(queries: Sequence[Query], answer: Callable[[Query, str], Found]) -> Iterator[Found]:
    """To each query; those that are asked twice are answered once. ``answer`` is given the query and its path
    in the request."""
    answered: dict[bytes, Found] = {}
    for position, query in enumerate(queries):
        key = msgspec.json.encode(query)
        if key not in answered:
            answered[key] = answer(query, f"queries[{position}]")
        yield answered[key]
