"""What ``inspect`` says about the story of one run: how it ended, what was started, where."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sightline.cli.quantities import count_text, duration_text, shortened, time_text
from sightline.model.reports import one_line
from sightline.store.story import Story

_MOST_CHARACTERS = 400


def story_lines(stories: Sequence[Story]) -> Iterator[str]:
    """A few lines about the last start and an empty one; nothing when nothing is known."""
    if not stories:
        return
    story = stories[-1]
    yield f"Story: {_ending(story)}{_starts(stories)}"
    facts = (("command", shlex.join(story.command)), ("code", _code(story)), ("machine", _machine(story)))
    for name, text in facts:
        if text:
            yield f"  {name + ':':<9}{shortened(one_line(text), most=_MOST_CHARACTERS)}"
    yield ""


def _ending(story: Story) -> str:
    duration = duration_text(story.duration_s)
    if story.status == "unfinished":
        return f"running or killed; last seen {time_text(story.last_seen)}, after {duration}"
    if story.error is None:
        return f"{story.status} after {duration}"
    error = ": ".join(filter(None, (story.error.type, story.error.message)))
    return f"{story.status} after {duration}, {shortened(one_line(error), most=_MOST_CHARACTERS)}"


def _starts(stories: Sequence[Story]) -> str:
    return f" (started {len(stories):,} times; this is the last)" if len(stories) > 1 else ""


def _code(story: Story) -> str:
    git = _mapping(story.facts, "git")
    if not story.commit:
        return ""
    text = f"commit {story.commit[:12]}"
    if git.get("branch"):
        text += f" on {git['branch']}"
    if story.is_dirty:
        diff = _mapping(git, "diff")
        size = f" ({_lines_text(diff)})" if diff else ""
        text += f", with changes that are not committed{size}"
    if git.get("remote"):
        text += f", {git['remote']}"
    return text


def _lines_text(diff: Mapping[str, Any]) -> str:
    files = diff.get("files")
    counted = count_text(files, "file") if isinstance(files, int) else "files"
    return f"{counted}, +{diff.get('insertions', '?')} −{diff.get('deletions', '?')} lines"


def _machine(story: Story) -> str:
    host, python = _mapping(story.facts, "host"), _mapping(story.facts, "python")
    version = python.get("version")
    devices = story.facts.get("devices")
    names = (
        [str(one.get("name")) for one in devices if isinstance(one, dict)]
        if isinstance(devices, list)
        else []
    )
    counted = [f"{names.count(name)} × {name}" for name in dict.fromkeys(names)]
    parts = [str(host.get("name", "")), f"Python {version}" if version else "", *counted]
    return ", ".join(filter(None, parts))


def _mapping(facts: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = facts.get(name)
    return value if isinstance(value, dict) else {}
