"""A run's story as it is read: from records, through damage, beside other people's log messages."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sightline.model.kinds import Kind
from sightline.query.inspection import summarize_run
from sightline.store.run import Run
from sightline.store.story import Story, stories_from
from tests.event_logs import append, points, read, write_run
from tests.fixtures import event_bytes as eb
from tests.story_records import T, end, log_message, start, write_ours


def only(*messages: str, last_wall_time: float = math.nan) -> Story:
    (story,) = stories_from((message, last_wall_time) for message in messages)
    return story


# ── records ─────────────────────────────────────────────────────────────────────────────────────────────


def test_a_finished_run() -> None:
    git = {"commit": "c0ffee", "is_dirty": True}
    story = only(start(command=["python", "train.py"], git=git), end())
    assert (story.status, story.started, story.ended, story.duration_s) == ("finished", T, T + 60, 60)
    assert (story.command, story.commit, story.is_dirty) == (("python", "train.py"), "c0ffee", True)
    assert story.error is None
    assert story.last_seen == T + 60


def test_a_crashed_run_has_its_error() -> None:
    error = {"type": "ValueError", "message": "bad", "traceback": "Traceback …"}
    story = only(start(), end(status="crashed", error=error))
    assert story.status == "crashed"
    assert story.error is not None
    assert (story.error.type, story.error.message, story.error.traceback) == (
        "ValueError",
        "bad",
        "Traceback …",
    )
    assert only(start(), end(status="interrupted")).status == "interrupted"


def test_a_start_without_an_end_is_unfinished_and_was_last_seen_with_its_last_data() -> None:
    story = only(start(), last_wall_time=T + 90)
    assert (story.status, story.ended, story.last_seen, story.duration_s) == ("unfinished", None, T + 90, 90)
    assert only(start()).last_seen == T


def test_several_starts_are_several_stories_in_order() -> None:
    records = [start("b", T + 100), start("a", T), end("a"), end("b", T + 160, "crashed")]
    stories = stories_from((record, math.nan) for record in records)
    assert [(story.started, story.status) for story in stories] == [(T, "finished"), (T + 100, "crashed")]


def test_the_last_of_several_ends_counts() -> None:
    assert only(start(), end(time=T + 90, status="crashed"), end(time=T + 60)).status == "crashed"


@pytest.mark.parametrize(
    "message",
    [
        *("", "{", "[]", "3", "null", '"x"', "hello", "[" * 100_000),
        *('{"sightline": "run_start"}', '{"sightline": "run_start", "id": "a", "time": "now"}'),
        *(
            '{"sightline": "run_start", "id": 3, "time": 1}',
            '{"sightline": "run_start", "id": "a", "time": NaN}',
        ),
        *('{"sightline": "other", "id": "a", "time": 1}', end()),
        '{"sightline": "run_start", "id": "a", "time": 1e999}',
        '{"sightline": "run_start", "id": "a", "time": ' + "9" * 400 + "}",
    ],
)
def test_records_without_sense_are_passed_over(message: str) -> None:
    assert stories_from([(message, math.nan)]) == []


def test_facts_of_the_wrong_type_are_not_believed() -> None:
    story = only(start(command="python", git=[1], x=math.nan), end(status="exploded", error=3))
    assert (story.command, story.commit, story.is_dirty, story.status) == ((), "", False, "unfinished")
    assert only(start(), end(status="crashed", error=3)).error is not None
    assert only(start(x=math.nan)).facts["x"] is None


json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
)
_OTHER_KEYS = ("time", "status", "duration_s", "error", "git", "command", "host", "devices")
some_records = st.fixed_dictionaries(
    {"sightline": st.sampled_from(["run_start", "run_end"]), "id": st.sampled_from("ab") | json_values},
    optional=dict.fromkeys(_OTHER_KEYS, json_values),
)


@settings(deadline=None)
@given(st.lists(some_records), st.floats())
def test_whatever_the_records_hold_stories_can_be_told(
    records: list[dict[str, object]], last_wall_time: float
) -> None:
    stories = stories_from((json.dumps(record), last_wall_time) for record in records)
    for story in stories:
        assert isinstance(story.duration_s, float)
        assert (story.command, story.commit, story.is_dirty) is not None
        json.dumps(dict(story.facts), allow_nan=False)


# ── files ───────────────────────────────────────────────────────────────────────────────────────────────


def run_in(directory: Path) -> Run:
    (run,) = read(directory).runs()
    return run


def test_a_run_tells_its_story_and_lists_no_log_messages(tmp_path: Path) -> None:
    write_ours(tmp_path, log_message(start()), points(range(5)), log_message(end()))
    run = run_in(tmp_path)
    assert run.story is not None
    assert run.story.status == "finished"
    assert list(run.tags) == ["loss"]
    assert list(run.log_messages) == []
    assert run.tags_of(Kind.log_message) == []
    summary = summarize_run(run)
    assert [series.tag for series in summary.series] == ["loss"]
    assert (summary.points, summary.superseded, summary.stories) == (5, 0, ())
    assert len(summarize_run(run, has_stories=True).stories) == 1


def test_the_story_does_not_move_the_times_of_the_data(tmp_path: Path) -> None:
    write_ours(tmp_path, log_message(start(time=T + 5000)), points(range(5)), log_message(end(time=T + 9000)))
    (file,) = run_in(tmp_path).files
    assert (file.first_wall_time, file.last_wall_time) == (T + 1, T + 5)


def test_an_unfinished_run_was_last_seen_with_its_data(tmp_path: Path) -> None:
    path = write_ours(tmp_path, log_message(start()), points(range(5)))
    store = read(tmp_path)
    (run,) = store.runs()
    assert run.story is not None
    assert (run.story.status, run.story.last_seen) == ("unfinished", T + 5)
    append(path, log_message(end()))
    store.index.scan()
    assert run.story is not None
    assert run.story.status == "finished"


def test_the_story_of_a_resumed_run_is_that_of_its_last_start(tmp_path: Path) -> None:
    write_ours(tmp_path, log_message(start("a", T)), points([0, 1]), log_message(end("a")), name="tfevents.1")
    write_ours(tmp_path, log_message(start("b", T + 100)), points([2, 3], begin_s=T + 100), name="tfevents.2")
    run = run_in(tmp_path)
    assert [story.status for story in run.stories] == ["finished", "unfinished"]
    assert run.story == run.stories[1]


def test_log_messages_of_others_stay_log_messages(tmp_path: Path) -> None:
    write_run(
        tmp_path,
        log_message("hello", wall_time=T + 1),
        log_message(start(), wall_time=T + 2),
        name="tfevents.1",
    )
    write_ours(tmp_path, log_message(start()), points([0]), log_message(end()), name="tfevents.2")
    run = run_in(tmp_path)
    (tag,) = run.log_messages
    assert run.tags[tag].count == 2
    assert [item.message for item in run.log_messages[tag].all] == ["hello", start()]
    assert len(run.stories) == 1


def test_a_run_without_a_story_has_none(tmp_path: Path) -> None:
    write_run(tmp_path, points([0]))
    run = run_in(tmp_path)
    assert (run.story, run.stories) == (None, [])


def test_a_damaged_record_costs_only_itself(tmp_path: Path) -> None:
    write_ours(tmp_path, log_message(start()), points([0]), eb.flip(log_message(end()), -6))
    run = run_in(tmp_path)
    assert run.story is not None
    assert run.story.status == "unfinished"
    assert len(run.damage) == 1


def test_a_file_that_is_gone_costs_its_story_and_nothing_else(tmp_path: Path) -> None:
    path = write_ours(tmp_path, log_message(start()), points([0]))
    run = run_in(tmp_path)
    path.unlink()
    assert run.story is None
    assert len(run.scalars["loss"]) == 1
