"""Values that are no numbers, found by run, tag, index and step."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline import SummaryWriter
from sightline.model.errors import MediaError, UnknownNameError
from sightline.model.kinds import Kind
from sightline.query import media_items
from sightline.query.media_items import find_item, find_series, position_of, sample_count
from tests.event_logs import BEGIN_S, image_record, image_tensor_record, read, write_run


def pictures(*steps: int, begin_s: float = BEGIN_S) -> bytes:
    """A picture's bytes say which of them it is: step and position."""
    return b"".join(
        image_record("p", step, f"{step}#{row}".encode(), wall_time=begin_s + row + 1)
        for row, step in enumerate(steps)
    )


def test_a_value_is_found_by_its_index_and_by_its_step_when_the_index_is_old(tmp_path: Path) -> None:
    write_run(tmp_path / "a", pictures(10, 20, 30))
    store = read(tmp_path)
    assert find_item(store, "a", Kind.image, "p", index=1, step=20).read().samples[0] == b"20#1"
    assert find_item(store, "a", Kind.image, "p", index=0, step=30).read().samples[0] == b"30#2"
    assert find_item(store, "a", Kind.image, "p", index=99, step=10).read().samples[0] == b"10#0"
    with pytest.raises(UnknownNameError, match="25"):
        find_item(store, "a", Kind.image, "p", index=1, step=25)
    for run, kind, tag in (("b", Kind.image, "p"), ("a", Kind.audio, "p"), ("a", Kind.image, "q")):
        assert find_series(store, run, kind, tag) is None
        with pytest.raises(UnknownNameError):
            find_item(store, run, kind, tag, index=0, step=10)


def test_of_equal_steps_the_index_tells_and_the_last_one_stands_for_the_step(tmp_path: Path) -> None:
    write_run(tmp_path / "a", pictures(0, 0, 0))
    store = read(tmp_path)
    found = [find_item(store, "a", Kind.image, "p", index=index, step=0) for index in (0, 1, 2, 3)]
    assert [one.read().samples[0] for one in found] == [b"0#0", b"0#1", b"0#2", b"0#2"]
    identities = [one.identity for one in found]
    assert len(set(identities[:3])) == 3
    assert identities[3] == identities[2]


@given(steps=st.lists(st.integers(0, 8), min_size=1, max_size=20))
def test_steps_never_fall_and_every_value_is_reached(
    tmp_path_factory: pytest.TempPathFactory, steps: list[int]
) -> None:
    directory = tmp_path_factory.mktemp("log")
    write_run(directory / "a", pictures(*steps))
    store = read(directory)
    series = find_series(store, "a", Kind.image, "p")
    assert series is not None
    assert series.step.tolist() == sorted(steps)
    by_step = sorted(range(len(steps)), key=lambda row: steps[row])
    for index, row in enumerate(by_step):
        found = find_item(store, "a", Kind.image, "p", index=index, step=steps[row])
        assert found.read().samples[0] == f"{steps[row]}#{row}".encode()
        assert series.wall_time[index] == BEGIN_S + row + 1


def test_parallel_writers_that_go_back_are_put_in_order_too(tmp_path: Path) -> None:
    write_run(tmp_path / "a", pictures(5, 1, 9), name="events.out.tfevents.1.a")
    write_run(tmp_path / "a", pictures(2, 8, 3, begin_s=BEGIN_S + 0.5), name="events.out.tfevents.2.b")
    series = find_series(read(tmp_path), "a", Kind.image, "p")
    assert series is not None
    assert series.step.tolist() == [1, 2, 3, 5, 8, 9]
    assert series.superseded_count == 0


def test_what_a_restart_left_behind_is_counted_and_not_shown(tmp_path: Path) -> None:
    write_run(tmp_path / "a", pictures(0, 1, 2, 3), name="events.out.tfevents.1.a")
    later_s = BEGIN_S + 100
    write_run(
        tmp_path / "a", pictures(2, 3, 4, begin_s=later_s), name="events.out.tfevents.2.a", begin_s=later_s
    )
    store = read(tmp_path)
    series = find_series(store, "a", Kind.image, "p")
    assert series is not None
    assert series.step.tolist() == [0, 1, 2, 3, 4]
    assert series.superseded_count == 2
    assert find_item(store, "a", Kind.image, "p", index=2, step=2).read().samples[0] == b"2#0"


def test_steps_beyond_what_a_browser_can_tell_apart_are_found_as_it_gives_them_back(tmp_path: Path) -> None:
    huge = 2**53 + 1
    write_run(tmp_path / "a", pictures(0, huge, 2**63 - 1))
    series = find_series(read(tmp_path), "a", Kind.image, "p")
    assert series is not None
    assert position_of(series, index=1, step=int(float(huge))) == 1
    assert position_of(series, index=0, step=int(np.nextafter(2.0**63, np.inf) - 2048)) == 2


def test_samples_are_those_of_the_first_or_the_last_value(tmp_path: Path) -> None:
    write_run(
        tmp_path / "a",
        image_tensor_record("grows", 0, b"1"),
        image_tensor_record("grows", 1, b"1", b"2", b"3"),
        image_tensor_record("empty", 0),
        image_record("one", 0, b"1"),
    )
    store = read(tmp_path)
    for tag, count in (("grows", 3), ("empty", 0), ("one", 1)):
        series = find_series(store, "a", Kind.image, tag)
        assert series is not None
        assert sample_count(series) == count


def test_a_value_that_is_too_large_is_found_and_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_run(tmp_path / "a", image_tensor_record("p", 0, bytes(1_000)))
    found = find_item(read(tmp_path), "a", Kind.image, "p", index=0, step=0)
    assert found.read().samples[0] == bytes(1_000)
    monkeypatch.setattr(media_items, "MAX_VALUE_BYTES", 1_000)
    assert found.size_bytes > 1_000
    with pytest.raises(MediaError, match="too large to be read"):
        found.read()
    assert sample_count(found.series) == 0


def test_nothing_is_read_to_count_the_samples_of_kinds_without_any(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with SummaryWriter(tmp_path / "a") as writer:
        writer.add_table("t", [[1]], 0)
    series = find_series(read(tmp_path), "a", Kind.table, "t")
    assert series is not None
    monkeypatch.setattr(media_items.FoundItem, "open", None)
    assert sample_count(series) == 1


def test_nothing_is_read_to_count_the_one_picture_of_the_old_form(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_run(tmp_path / "a", pictures(1, 2))
    series = find_series(read(tmp_path), "a", Kind.image, "p")
    assert series is not None
    monkeypatch.setattr(media_items.FoundItem, "open", None)
    assert sample_count(series) == 1
