"""Every run as one row of a table: status, times, sizes, what people said about it, hyper-parameters, last
values of metrics. What ``log.runs_table()`` returns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from sightline.query.frames import require
from sightline.query.last_values import last_values
from sightline.query.run_status import status_of, story_of
from sightline.query.run_table import run_rows
from sightline.store.runs import RunStore

if TYPE_CHECKING:
    import pandas
    import polars

FIELD_PREFIX = "hparams."
METRIC_PREFIX = "last."


class Said(Protocol):
    """What people said about a run."""

    @property
    def display_name(self) -> str | None: ...
    @property
    def note(self) -> str: ...
    @property
    def labels(self) -> Sequence[str]: ...
    @property
    def is_favourite(self) -> bool: ...
    @property
    def is_archived(self) -> bool: ...


class RunsTable(Mapping[str, list[Any]]):
    """Columns by name, each with one element per run; None where nothing is known.

    ``run``, ``name`` (the one people gave, else the run's own), ``status``, ``started`` and ``last_seen``
    (wall times), ``duration_s``, ``last_step``, ``points``, ``size_bytes``, ``damage``, ``labels``, ``note``,
    ``is_favourite``, ``is_archived``, then ``hparams.<name>`` for every hyper-parameter and ``last.<tag>``
    for the metrics that were asked for.
    """

    def __init__(self, columns: dict[str, list[Any]]) -> None:
        self._columns = columns

    def __getitem__(self, column: str) -> list[Any]:
        return self._columns[column]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    @property
    def row_count(self) -> int:
        return len(self._columns["run"])

    def rows(self) -> list[dict[str, Any]]:
        """One dictionary per run."""
        return [dict(zip(self._columns, row, strict=True)) for row in zip(*self.values(), strict=True)]

    def to_pandas(self) -> pandas.DataFrame:
        """A pandas DataFrame. Needs the extra ``pandas``."""
        table: pandas.DataFrame = require("pandas", feature="A pandas table", extra="pandas").DataFrame(
            self._columns
        )
        return table

    def to_polars(self) -> polars.DataFrame:
        """A polars DataFrame. Needs the extra ``polars``."""
        table: polars.DataFrame = require("polars", feature="A polars table", extra="polars").DataFrame(
            self._columns, strict=False
        )
        return table

    def __repr__(self) -> str:
        return f"<RunsTable of {self.row_count:,} runs: {', '.join(self)}>"


def runs_table(
    store: RunStore,
    *,
    metrics: Sequence[str] = (),
    fields: Mapping[str, Mapping[str, Any]],
    said: Mapping[str, Said],
    now_s: float,
) -> RunsTable:
    """``fields``: value by run, by name of the hyper-parameter. ``said``: by run. ``store`` is
    ``log.store``."""
    rows = run_rows(store)
    names = [row.name for row in rows]
    told = [said.get(name) for name in names]
    columns: dict[str, list[Any]] = {
        "run": names,
        "name": [(one and one.display_name) or name for one, name in zip(told, names, strict=True)],
        "status": [status_of(row, story_of(store, row), now_s)[0] for row in rows],
        "started": [row.started_s for row in rows],
        "last_seen": [row.last_seen_s for row in rows],
        "duration_s": [
            None if row.started_s is None or row.last_seen_s is None else row.last_seen_s - row.started_s
            for row in rows
        ],
        "last_step": [row.last_step for row in rows],
        "points": [row.points for row in rows],
        "size_bytes": [row.size_bytes for row in rows],
        "damage": [row.damage_count for row in rows],
        "labels": [list(one.labels) if one else [] for one in told],
        "note": [one.note if one else "" for one in told],
        "is_favourite": [bool(one and one.is_favourite) for one in told],
        "is_archived": [bool(one and one.is_archived) for one in told],
    }
    for field, by_run in fields.items():
        columns[FIELD_PREFIX + field] = [by_run.get(name) for name in names]
    for metric in last_values(store, metrics):
        by_run = dict(zip(metric.runs, metric.value.tolist(), strict=True))
        columns[METRIC_PREFIX + metric.tag] = [by_run.get(name) for name in names]
    return RunsTable(columns)
