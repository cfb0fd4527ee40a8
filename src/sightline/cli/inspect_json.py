"""``sightline inspect --json``: one document, written run by run so that its size does not matter.

The keys are described in docs/cli.md. Numbers that JSON does not have (an unknown wall time) are null.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable
from typing import IO

from sightline.cli.arguments import package_version
from sightline.cli.totals import Totals
from sightline.model.reports import FileFacts
from sightline.query.inspection import RunSummary, SeriesSummary
from sightline.store.story import Story

SCHEMA_VERSION = 1


def write_document(
    runs: Iterable[RunSummary], totals: Totals, *, warnings: Callable[[], list[str]], out: IO[str]
) -> None:
    """``totals`` and ``warnings`` are looked at after the last run was written."""
    version = json.dumps(package_version())
    out.write(f'{{"schema": {SCHEMA_VERSION},\n"sightline": {version},\n"runs": [')
    separator = "\n"
    for run in runs:
        out.write(separator + json.dumps(_run(run), allow_nan=False))
        separator = ",\n"
    out.write(f'\n],\n"warnings": {json.dumps(warnings())},\n')
    out.write(f'"summary": {json.dumps(_summary(totals), allow_nan=False)}}}\n')


def _run(run: RunSummary) -> dict[str, object]:
    return {
        "run": run.name,
        **_plain(run, "points superseded first_wall_time last_wall_time size_bytes damage_count"),
        "story": _story(run.stories[-1]) if run.stories else None,
        "starts": [story.started for story in run.stories],
        "series": [_series(series) for series in run.series],
        "files": [_file(file) for file in run.files],
    }


def _story(story: Story) -> dict[str, object]:
    error = story.error
    told = {
        **_plain(story, "status started ended last_seen duration_s"),
        "error": error and {"type": error.type, "message": error.message, "traceback": error.traceback},
    }
    return {**told, **{name: value for name, value in story.facts.items() if name not in told}}


def _series(series: SeriesSummary) -> dict[str, object]:
    return {
        "tag": series.tag,
        "kind": series.kind.value,
        **_plain(series.info, "plugin display_name description"),
        **_plain(series, "points superseded first_step last_step first_wall_time last_wall_time"),
    }


def _file(file: FileFacts) -> dict[str, object]:
    return {
        **_plain(file, "path size_bytes read_bytes"),
        "records": file.record_count,
        **_plain(file, "first_wall_time last_wall_time file_version"),
        "writer": file.source_writer,
        **_plain(file, "damage_count skipped_bytes torn_bytes error"),
        "damage": [
            {**_plain(damage, "offset length reason"), "message": str(damage)} for damage in file.damage
        ],
    }


def _summary(totals: Totals) -> dict[str, object]:
    names = "runs series points superseded files size_bytes damage_count skipped_bytes"
    return {**_plain(totals, names), "seconds": round(totals.load_s, 6)}


def _plain(source: object, names: str) -> dict[str, object]:
    """Numbers and texts under their own names."""
    values = {name: getattr(source, name) for name in names.split()}
    return {
        name: None if isinstance(value, float) and not math.isfinite(value) else value
        for name, value in values.items()
    }
