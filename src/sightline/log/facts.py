"""What is known of runs beside their points: what people said, hyper-parameters, status. For grouping runs
and for the table of runs."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from sightline.query.grouping import GroupBy, RunGroup, group_runs
from sightline.query.run_fields import FieldValue, RunFieldReader
from sightline.query.run_status import status_of, story_of
from sightline.query.run_table import run_rows_of
from sightline.query.runs_frame import RunsTable, runs_table
from sightline.query.tag_table import natural_order
from sightline.readers.roots import Root
from sightline.store.runs import RunStore
from sightline.workspace import RunNotes, Workspace


def said_about_runs(roots: Sequence[Root]) -> Mapping[str, RunNotes]:
    """Names, notes and labels by run; runs about which nobody said anything are not there."""
    return Workspace(roots).snapshot().runs


def table_of_runs(store: RunStore, roots: Sequence[Root], metrics: Sequence[str]) -> RunsTable:
    return runs_table(
        store,
        metrics=metrics,
        fields={field.name: field.values for field in RunFieldReader(store).fields()},
        said=said_about_runs(roots),
        now_s=time.time(),
    )


def grouped(store: RunStore, roots: Sequence[Root], names: Sequence[str], by: GroupBy) -> list[RunGroup]:
    """Only what the grouping needs is read."""
    return group_runs(names, by, value_of=_values_by_run(store, roots, names, by).get)


def _values_by_run(
    store: RunStore, roots: Sequence[Root], names: Sequence[str], by: GroupBy
) -> Mapping[str, FieldValue]:
    if by.kind == "label":
        said = said_about_runs(roots).items()
        return {name: ", ".join(sorted(set(notes.labels), key=natural_order)) for name, notes in said}
    if by.kind == "field":
        return next((one.values for one in RunFieldReader(store).fields() if one.name == by.detail), {})
    if by.kind == "status":
        now_s = time.time()
        return {row.name: status_of(row, story_of(store, row), now_s)[0] for row in run_rows_of(store, names)}
    return {}
