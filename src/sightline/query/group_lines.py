"""Lines of groups of runs with their names, as objects, data frames and files: what ``log.aggregate()`` and
``sightline export --group-by`` give."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any, cast, get_args

import numpy as np
from numpy.typing import NDArray

from sightline.model.choices import XAxis
from sightline.model.errors import BadArgumentError
from sightline.query.aggregates import EVERY_X, AggregateSpec, GroupAggregate, GroupReader
from sightline.query.export import Format, csv_lines, json_objects, number_texts
from sightline.query.frames import require
from sightline.query.grouping import RunGroup
from sightline.query.lines import LineSource
from sightline.store.run import Run
from sightline.store.runs import RunStore

if TYPE_CHECKING:
    import pandas
    import polars

COLUMNS = ("group", "tag", "x", "members", "center", "low", "high")


@dataclass(frozen=True)
class GroupLine:
    """One tag (or formula) of one group."""

    group: str
    runs: list[str]
    tag: str
    line: GroupAggregate

    def __len__(self) -> int:
        return len(self.line.x)

    @property
    def columns(self) -> dict[str, NDArray[Any]]:
        """x, members, center, low, high; the last two are NaN without a band."""
        nothing = np.full(len(self), np.nan)
        return {
            "x": self.line.x,
            "members": self.line.members,
            "center": self.line.center,
            "low": nothing if self.line.low is None else self.line.low,
            "high": nothing if self.line.high is None else self.line.high,
        }


class GroupLines(Sequence[GroupLine]):
    """All of them; ``notes`` says what went differently than asked. Groups without any point are left out."""

    def __init__(self, lines: Sequence[GroupLine], notes: Sequence[str]) -> None:
        self._lines = lines
        self.notes = notes

    def __getitem__(self, place: Any) -> Any:
        return self._lines[place]

    def __len__(self) -> int:
        return len(self._lines)

    def __repr__(self) -> str:
        return f"<GroupLines: {', '.join(f'{one.group} {one.tag}' for one in self) or 'none'}>"

    def to_pandas(self) -> pandas.DataFrame:
        """One row per place: group, tag, x, members, center, low, high. Needs the extra ``pandas``."""
        table: pandas.DataFrame = require("pandas", feature="A pandas table", extra="pandas").DataFrame(
            self.long_columns()
        )
        return table

    def to_polars(self) -> polars.DataFrame:
        """The same for polars. Needs the extra ``polars``."""
        table: polars.DataFrame = require("polars", feature="A polars table", extra="polars").DataFrame(
            self.long_columns()
        )
        return table

    def long_columns(self) -> dict[str, Any]:
        lengths = [len(one) for one in self]
        names = {
            "group": np.repeat(np.array([one.group for one in self], dtype=object), lengths).tolist(),
            "tag": np.repeat(np.array([one.tag for one in self], dtype=object), lengths).tolist(),
        }
        parts = [one.columns for one in self]
        return names | {
            column: np.concatenate([part[column] for part in parts]) if parts else np.empty(0)
            for column in COLUMNS[2:]
        }


def x_axis(text: str, *, argument: str = "x") -> tuple[XAxis, str]:
    """(axis, tag) of ``step``, ``relative``, ``wall``, ``active`` or ``metric:TAG``. Raises
    BadArgumentError."""
    kind, _, tag = text.partition(":")
    if kind in get_args(XAxis) and (kind == "metric") == bool(tag):
        return cast("XAxis", kind), tag
    raise BadArgumentError(f"{argument} is step, relative, wall, active or metric:TAG, not {text!r}")


PLACES_OVER_TIME = 4096
"""Hardly any two runs share a moment: with every x of a thousand runs each would be interpolated at a million
places."""


def most_places(points: int | None, axis: XAxis, *, argument: str = "points") -> int:
    """Of a grid; None: every x, over time PLACES_OVER_TIME. Raises BadArgumentError."""
    if points is None:
        return EVERY_X if axis in ("step", "metric") else PLACES_OVER_TIME
    if points != int(points) or points < 1:
        raise BadArgumentError(f"{argument} is a whole number from 1 on, not {points!r}")
    return min(int(points), EVERY_X)


def group_lines(
    store: RunStore, groups: Sequence[RunGroup], sources: Sequence[LineSource], spec: AggregateSpec
) -> GroupLines:
    """A line per source and group."""
    members: list[list[Run]] = [
        [run for run in map(store.get, group.runs) if run is not None] for group in groups
    ]
    found, notes = [], []
    for source in sources:
        reader = GroupReader(members, source, spec)
        for group, line in zip(groups, reader.lines(), strict=True):
            if len(line.x):
                found.append(GroupLine(group.key, list(group.runs), source.formula or source.tag, line))
        notes += [note.text for note in reader.notes()]
    return GroupLines(found, list(dict.fromkeys(notes)))


def write_lines(lines: GroupLines, out: IO[Any], *, format: Format) -> int:
    """Write to a text stream, Parquet to a binary one, which needs pyarrow; returns the number of rows."""
    if format == "parquet":
        pyarrow = require("pyarrow", feature="Parquet", extra="parquet")
        parquet = require("pyarrow.parquet", feature="Parquet", extra="parquet")
        parquet.write_table(pyarrow.table(lines.long_columns()), out)
    elif format == "csv":
        out.write(",".join(COLUMNS) + "\n")
        for one in lines:
            out.write(csv_lines([one.group, one.tag], _texts(one, quote="")))
    else:
        for one in lines:
            for text in json_objects({"group": one.group, "tag": one.tag}, _texts(one, quote='"')):
                out.write(text + "\n")
    return sum(map(len, lines))


def _texts(one: GroupLine, *, quote: str) -> dict[str, list[str]]:
    return {
        name: list(map(str, column.astype(np.int64).tolist()))
        if name == "members" or (name == "x" and _are_whole(column))
        else number_texts(column, quote=quote)
        for name, column in one.columns.items()
    }


def _are_whole(numbers: NDArray[np.float64]) -> bool:
    """As steps are, which nobody wants to read as 100.0."""
    return bool(np.all((np.abs(numbers) < 2.0**53) & (numbers == np.floor(numbers))))
