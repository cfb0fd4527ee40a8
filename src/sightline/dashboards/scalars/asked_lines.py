"""What the queries for windows, groups and statistics have in common: from numbers of runs and the words of a
request to runs and a line source, and from notes back to numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from sightline.query.lines import LineNote, LineSource
from sightline.wire import scalar_schemas as schemas
from sightline.wire.routes import ApiError, Context


class AskedLines(NamedTuple):
    runs: list[Any]
    """Those that exist, each once, in the order they were asked for."""
    numbers: dict[str, int]
    """By name; the baseline's too."""
    source: LineSource
    baseline_run: Any | None


def asked_lines(
    context: Context, query: schemas.LineSource, runs: Iterable[int], *, where: str
) -> AskedLines:
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
    return AskedLines(found, numbers, source, baseline_run)


def _runs(context: Context, asked: Iterable[int]) -> tuple[list[Any], dict[str, int]]:
    """The runs that exist, each once, and their numbers by name."""
    runs, numbers = [], {}
    for number in dict.fromkeys(asked):
        name = context.run_name(number)
        run = None if name is None else context.store.get(name)
        if name is not None and run is not None:
            runs.append(run)
            numbers[name] = number
    return runs, numbers


def check_range(x_range: tuple[float, float] | None, *, where: str) -> None:
    if x_range is not None and x_range[0] > x_range[1]:
        raise ApiError(422, f"x_range ends before it begins: {list(x_range)} - at `$.{where}.x_range`")


def smoothing_of(asked: schemas.Smoothing | None, *, where: str) -> Any:
    if asked is None or asked.kind == "none":
        return None
    if asked.kind in ("ema", "time_ema") and asked.amount >= 1:
        path = f"$.{where}.smoothing.amount"
        raise ApiError(422, f"The weight of an average is below 1: {asked.amount} - at `{path}`")
    return asked.kind, asked.amount


def query_notes(
    notes: Iterable[LineNote], numbers: Mapping[str, int], *, query: int
) -> Iterator[schemas.QueryNote]:
    for note in notes:
        run = None if note.run is None else numbers.get(note.run)
        yield schemas.QueryNote(query, run, note.is_error, note.text)
