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
from sightline.model.reports import Damage, FileFacts
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
        "points": run.points,
        "superseded": run.superseded,
        "first_wall_time": _finite(run.first_wall_time),
        "last_wall_time": _finite(run.last_wall_time),
        "size_bytes": run.size_bytes,
        "damage_count": run.damage_count,
        "story": _story(run.stories[-1]) if run.stories else None,
        "starts": [story.started for story in run.stories],
        "series": [_series(series) for series in run.series],
        "files": [_file(file) for file in run.files],
    }


def _story(story: Story) -> dict[str, object]:
    error = story.error
    return {
        "status": story.status,
        "started": story.started,
        "ended": story.ended,
        "last_seen": _finite(story.last_seen),
        "duration_s": _finite(story.duration_s),
        "error": error and {"type": error.type, "message": error.message, "traceback": error.traceback},
        **{name: value for name, value in story.facts.items() if name not in _STORY_KEYS},
    }


_STORY_KEYS = ("status", "started", "ended", "last_seen", "duration_s", "error")


def _series(series: SeriesSummary) -> dict[str, object]:
    return {
        "tag": series.tag,
        "kind": series.kind.value,
        "plugin": series.info.plugin,
        "display_name": series.info.display_name,
        "description": series.info.description,
        "points": series.points,
        "superseded": series.superseded,
        "first_step": series.first_step,
        "last_step": series.last_step,
        "first_wall_time": _finite(series.first_wall_time),
        "last_wall_time": _finite(series.last_wall_time),
    }


def _file(file: FileFacts) -> dict[str, object]:
    return {
        "path": file.path,
        "size_bytes": file.size_bytes,
        "read_bytes": file.read_bytes,
        "records": file.record_count,
        "first_wall_time": _finite(file.first_wall_time),
        "last_wall_time": _finite(file.last_wall_time),
        "file_version": file.file_version,
        "writer": file.source_writer,
        "damage_count": file.damage_count,
        "skipped_bytes": file.skipped_bytes,
        "torn_bytes": file.torn_bytes,
        "error": file.error,
        "damage": [_damage(damage) for damage in file.damage],
    }


def _damage(damage: Damage) -> dict[str, object]:
    return {
        "offset": damage.offset,
        "length": damage.length,
        "reason": damage.reason,
        "message": str(damage),
    }


def _summary(totals: Totals) -> dict[str, object]:
    return {
        "runs": totals.runs,
        "series": totals.series,
        "points": totals.points,
        "superseded": totals.superseded,
        "files": totals.files,
        "size_bytes": totals.size_bytes,
        "damage_count": totals.damage_count,
        "skipped_bytes": totals.skipped_bytes,
        "seconds": round(totals.load_s, 6),
    }


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None
