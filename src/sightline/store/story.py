"""The run's story, as its writer told it: how it was started, and how it ended.

Sightline's writer puts two records into the event file, ``run_start`` and ``run_end`` (docs/format.md). A run
that was started several times has several stories. A start without an end says that the job is running, or
was killed: the file alone cannot tell which, so the status is ``unfinished``, and ``last_seen`` says since
when nothing more came.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal

Status = Literal["finished", "crashed", "interrupted", "unfinished"]

SOURCE_WRITER = "sightline.writer"
# Of a forked child; see docs/format.md.
CHILD_WRITER = f"{SOURCE_WRITER}.child"
"""What our writer's files call themselves. Log messages in them are stories, and nothing else is."""

_ENDINGS: tuple[Status, ...] = ("finished", "crashed", "interrupted")


@dataclass(frozen=True)
class StoryError:
    """The exception that ended a run."""

    type: str
    message: str = ""
    traceback: str = field(default="", repr=False)


@dataclass(frozen=True)
class Story:
    """One start of a run, and what became of it."""

    status: Status
    started: float
    """Wall time."""
    last_seen: float
    """Wall time of the last thing that was written."""
    ended: float | None = None
    """Wall time; None for an unfinished run."""
    duration_s: float = 0.0
    """Until the end; of an unfinished run, until it was last seen."""
    error: StoryError | None = None
    facts: Mapping[str, Any] = field(default_factory=dict, repr=False)
    """What was recorded at the start; the keys are in docs/format.md."""

    @property
    def command(self) -> tuple[str, ...]:
        """The command line, secrets hidden; empty when unknown."""
        command = self.facts.get("command")
        return tuple(map(str, command)) if isinstance(command, list) else ()

    @property
    def commit(self) -> str:
        """The git commit that was checked out; empty when unknown."""
        return str(self._git.get("commit", ""))

    @property
    def is_dirty(self) -> bool:
        """Whether files that git knows were changed since that commit."""
        return self._git.get("is_dirty") is True

    @property
    def _git(self) -> Mapping[str, Any]:
        git = self.facts.get("git")
        return git if isinstance(git, dict) else {}


def stories_from(records: Iterable[tuple[str, float]]) -> list[Story]:
    """Stories by start, of (message, last wall time of its file) pairs; what makes no sense is left out."""
    starts: dict[str, dict[str, Any]] = {}
    ends: dict[str, dict[str, Any]] = {}
    seen: dict[str, float] = {}
    for message, last_wall_time in records:
        record = _record(message)
        story_id = record.get("id")
        if not isinstance(story_id, str):
            continue
        if record.get("sightline") == "run_start" and _is_number(record.get("time")):
            starts.setdefault(story_id, record)
        elif record.get("sightline") == "run_end" and _time(record) >= _time(ends.get(story_id, {})):
            # A writer that was closed and used again ends more than once; the last time counts.
            ends[story_id] = record
        if not math.isnan(last_wall_time):
            seen[story_id] = max(last_wall_time, seen.get(story_id, -math.inf))
    told = [_story(start, ends.get(id), seen=seen.get(id, math.nan)) for id, start in starts.items()]
    return sorted(told, key=lambda story: story.started)


def _story(start: Mapping[str, Any], end: Mapping[str, Any] | None, *, seen: float) -> Story:
    started = float(start["time"])
    last_seen = started if math.isnan(seen) else max(started, seen)
    facts = MappingProxyType(
        {name: value for name, value in start.items() if name not in ("sightline", "id", "time")}
    )
    status = next((one for one in _ENDINGS if end is not None and end.get("status") == one), None)
    if end is None or status is None:
        duration_s = last_seen - started
        return Story("unfinished", started, last_seen, duration_s=duration_s, facts=facts)
    duration_s = _number(end, "duration_s", 0.0)
    ended = _number(end, "time", started + duration_s)
    error = _error(end.get("error")) if status != "finished" else None
    return Story(status, started, max(last_seen, ended), ended, duration_s, error, facts)


def _error(facts: object) -> StoryError:
    facts = facts if isinstance(facts, dict) else {}
    return StoryError(*(str(facts.get(name, "")) for name in ("type", "message", "traceback")))


def _record(message: str) -> dict[str, Any]:
    try:
        record = json.loads(message, parse_float=_finite_float, parse_constant=lambda _: None)
    except (ValueError, RecursionError):
        return {}
    return record if isinstance(record, dict) else {}


def _time(record: Mapping[str, Any]) -> float:
    return _number(record, "time", -math.inf)


def _number(record: Mapping[str, Any], name: str, default: float) -> float:
    value = record.get(name)
    return float(value) if _is_number(value) else default  # type: ignore[arg-type]


def _is_number(value: object) -> bool:
    # A double's range; JSON has whole numbers of any length.
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 1e300


def _finite_float(text: str) -> float | None:
    number = float(text)
    return number if math.isfinite(number) else None
