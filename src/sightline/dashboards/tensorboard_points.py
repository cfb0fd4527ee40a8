"""Points of scalars as JSON or CSV, in pieces.

TensorBoard samples a thousand points of each series, we send all of them, so an answer may have millions.
They are made from columns, a slice at a time, and sent as they are made: no object for each point, no list of
all of them, and other threads get their turn meanwhile. How much there is to send is counted before the first
byte, while an answer can still be an error.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence

from sightline.dashboards.context import Context
from sightline.model.errors import DataError
from sightline.query.export import number_texts
from sightline.query.stored_types import ScalarSeries
from sightline.wire.routes import ApiError
from sightline.wire.tensorboard import Fields, Pieces, invalid_argument, not_found
from sightline.wire.text import wire_json

MAX_POINTS = 32_000_000
"""Of one answer: 2 GB of JSON. Whoever wants more asks run by run, or for an export."""

POINTS_PER_PIECE = 8_192
"""Made in a few milliseconds."""

AS_LIST = "[%s,%d,%s]"
AS_OBJECT = '{"wallTime":%s,"step":%d,"value":%s}'
"""What a point looks like: wall time, step, value."""


def series_of(context: Context, run: str, tag: str) -> ScalarSeries | None:
    """The visible points of a scalar; None when there is no such run or tag."""
    found = context.store.get(run)
    return None if found is None else found.read_scalars(tag)


def runs_with(context: Context, runs: Iterable[str], tag: str) -> list[str]:
    """Those of the runs that have the scalar, each once."""
    return [run for run in dict.fromkeys(runs) if series_of(context, run, tag) is not None]


def check_room(point_counts: Iterable[int]) -> None:
    """Raises ApiError 413 as soon as it is known to be too much."""
    count = 0
    for more in point_counts:
        count += more
        if count > MAX_POINTS:
            raise ApiError(
                413,
                f"The answer would have more than {MAX_POINTS:,} points: ask for fewer runs or tags at once, "
                "or for a file with all of them (api/v1/scalars/export)",
            )


def count_points(context: Context, tag: str, runs: Iterable[str]) -> Iterator[int]:
    """Of each run. The series are not kept: those of restarted runs are copies."""
    for run in runs:
        series = series_of(context, run, tag)
        yield 0 if series is None else len(series)


def by_run_pieces(context: Context, runs: Sequence[str], tag: str, *, form: str) -> Iterator[bytes]:
    """An object with the points of each run. Raises DataError when one of them is gone by now: left out in
    the middle of an answer, it would not be missed."""
    mark = b"{"
    for run in runs:
        series = series_of(context, run, tag)
        if series is None:
            raise DataError(f"The run vanished while its points were sent: {run}")
        yield mark + wire_json(run) + b":"
        yield from point_pieces(series, form=form)
        mark = b","
    yield b"}" if runs else b"{}"


def point_pieces(series: ScalarSeries, *, form: str) -> Iterator[bytes]:
    """A list of the points in either form."""
    mark = "["
    for rows in slices(series):
        columns = zip(
            number_texts(series.wall_time[rows], quote='"'),
            series.step[rows].tolist(),
            number_texts(series.value[rows], quote='"'),
            strict=True,
        )
        yield (mark + ",".join(map(form.__mod__, columns))).encode()
        mark = ","
    yield b"]" if len(series) else b"[]"


def slices(series: ScalarSeries) -> Iterator[slice]:
    for begin in range(0, len(series), POINTS_PER_PIECE):
        yield slice(begin, begin + POINTS_PER_PIECE)


def scalar_points(context: Context, fields: Fields) -> Pieces:
    """Of one tag in one run, as JSON or CSV."""
    tag, run = fields.first("tag"), fields.first("run")
    if tag is None or run is None:
        raise invalid_argument(f"Both run and tag must be specified: tag={tag!r}, run={run!r}")
    series = series_of(context, run, tag)
    if series is None:
        raise not_found(f"No scalar data for run={run!r}, tag={tag!r}")
    check_room([len(series)])
    if fields.first("format") == "csv":
        return Pieces(_csv(series), "text/csv")
    return Pieces(point_pieces(series, form=AS_LIST))


def _csv(series: ScalarSeries) -> Iterator[bytes]:
    """With Python's words ``nan`` and ``inf``, and the line ends of the csv module, as TensorBoard writes
    it."""
    yield b"Wall time,Step,Value\r\n"
    for rows in slices(series):
        out = io.StringIO()
        columns = (column[rows].tolist() for column in (series.wall_time, series.step, series.value))
        csv.writer(out).writerows(zip(*columns, strict=True))
        yield out.getvalue().encode()
