"""What is known of runs beside their points: what people said, hyper-parameters, status. For grouping runs
and for the table of runs."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence

from sightline.query.grouping import GroupBy, RunFacts, RunGroup, group_runs
from sightline.query.run_fields import FieldValue, RunFieldReader
from sightline.query.run_status import status_of, story_of
from sightline.query.run_table import run_rows_of
from sightline.query.runs_frame import RunsTable, runs_table
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
    return group_runs(names, by, facts_of=_facts_reader(store, roots, names, by))


def _facts_reader(
    store: RunStore, roots: Sequence[Root], names: Sequence[str], by: GroupBy
) -> Callable[[str], RunFacts]:
    if by.kind == "label":
        said = said_about_runs(roots)
        return lambda name: RunFacts(labels=said[name].labels if name in said else ())
    if by.kind == "field":
        values: Mapping[str, FieldValue] = {}
        for field in RunFieldReader(store).fields():
            if field.name == by.name:
                values = field.values
        return lambda name: RunFacts(fields={by.name: values[name]} if name in values else {})
    if by.kind == "status":
        now_s = time.time()
        rows = {row.name: row for row in run_rows_of(store, names)}
        return lambda name: RunFacts(
            status=status_of(rows[name], story_of(store, rows[name]), now_s)[0] if name in rows else ""
        )
    return lambda _: RunFacts()
