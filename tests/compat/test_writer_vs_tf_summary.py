"""``sightline.summary`` against what TensorFlow wrote for the same calls (recorded: tf2/summary_calls)."""

from __future__ import annotations

from pathlib import Path

import pytest

import sightline
from sightline import summary
from tests.compat.written_events import events_of, only_event_file, written
from tests.fixtures.summary_calls import CALLS

RECORDED = Path(__file__).parents[1] / "fixtures" / "logs" / "tf2" / "summary_calls"


def write_calls(name: str, directory: Path) -> None:
    writer = summary.create_file_writer(directory, story=False)
    with writer.as_default():
        CALLS[name](summary, summary.name_scope)
    writer.close()


@pytest.mark.parametrize("name", CALLS)
def test_calls_write_what_tensorflow_writes(name: str, tmp_path: Path) -> None:
    write_calls(name, tmp_path)
    assert written(tmp_path) == written(RECORDED / name)


@pytest.mark.parametrize("name", [name for name in CALLS if name != "images"])
def test_records_are_the_same_bytes_but_for_the_time(name: str, tmp_path: Path) -> None:
    def payloads(directory: Path) -> list[bytes]:
        events = events_of(only_event_file(directory))[1:]
        for event in events:
            event.ClearField("wall_time")
        plain = [one for one in events if "images" not in str(one)]
        return sorted(one.SerializeToString(deterministic=True) for one in plain)

    write_calls(name, tmp_path)
    assert payloads(tmp_path) == payloads(RECORDED / name)


def test_the_file_is_named_as_tensorflow_names_it(tmp_path: Path) -> None:
    write_calls("scalars", tmp_path)
    theirs, ours = only_event_file(RECORDED / "scalars").name, only_event_file(tmp_path).name
    assert ours.split(".")[:3] == theirs.split(".")[:3] == ["events", "out", "tfevents"]
    assert ours.endswith(".v2")
    assert events_of(only_event_file(tmp_path))[0].file_version == "brain.Event:2"


def _kinds(run: sightline.Run) -> dict[str, object]:
    return {tag: (info.kind, info.count) for tag, info in run.tags.items()}


def test_sightline_reads_the_same_from_both(tmp_path: Path) -> None:
    for name in CALLS:
        write_calls(name, tmp_path / name)
    ours, theirs = sightline.open(tmp_path).wait(), sightline.open(RECORDED).wait()
    assert set(ours) == set(theirs) == set(CALLS)
    for name in CALLS:
        assert _kinds(ours[name]) == _kinds(theirs[name])
