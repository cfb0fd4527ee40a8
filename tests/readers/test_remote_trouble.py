"""Remote roots over time: pauses, failures, bytes on request, progress, the end, the cache."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import pytest
from fsspec.registry import _registry

from sightline import _core
from sightline.model.errors import BadArgumentError, FileGoneError, MissingExtraError
from sightline.model.reports import Progress
from sightline.readers import remote
from sightline.readers.remote import PROOF_BYTES, RemoteReader
from sightline.readers.roots import Root, parse_roots
from tests.readers.scripted_store import MakeRecords, RecordingIndex, Scripted, World

# ---- pauses ------------------------------------------------------------------------------------------------


def test_pauses_grow_from_two_seconds_to_a_minute_and_fall_back(world: World, records: MakeRecords) -> None:
    reader = world.open()
    assert reader.next_delay_s == 0
    world.put("1.tfevents", records([1]))
    reader.scan()
    delays = [reader.next_delay_s]
    for _ in range(10):
        assert not reader.poll()
        delays.append(reader.next_delay_s)
    assert delays[:4] == [2.0, 3.0, 4.5, 6.75]
    assert delays[-1] == 60.0
    world.put("1.tfevents", records([1, 2]))
    reader.poll()
    assert reader.next_delay_s == 2.0
    world.clock.now_s += 1.5
    assert reader.next_delay_s == 0.5
    world.clock.now_s += 100
    assert reader.next_delay_s == 0


def test_a_slow_listing_makes_the_pause_longer(world: World, records: MakeRecords) -> None:
    world.put("1.tfevents", records([1]))
    reader = world.open()
    Scripted.before_listing = lambda: setattr(world.clock, "now_s", world.clock.now_s + 30)
    reader.scan()
    assert reader.next_delay_s == 300


# ---- trouble -----------------------------------------------------------------------------------------------


def test_a_failing_listing_keeps_everything_and_is_told_once(world: World, records: MakeRecords) -> None:
    world.put("1.tfevents", records([1]))
    reader = world.open()
    reader.scan()
    Scripted.listing_failure = ConnectionError("no route to host\nat all")
    for _ in range(3):
        assert not reader.poll()
    (line,) = reader.warnings
    assert "no route to host" in line
    assert "\n" not in line
    assert line.endswith("scripted://logs")
    assert reader.next_delay_s == 6.75
    assert world.steps(".") == [1]
    Scripted.listing_failure = None
    reader.poll()
    assert reader.warnings == []


def test_an_object_that_cannot_be_read_costs_only_itself_and_is_retried_with_growing_pauses(
    world: World, records: MakeRecords
) -> None:
    for run in "abc":
        world.put(f"{run}/1.tfevents", records([1]))
    Scripted.read_failures = {
        "a/1.tfevents": PermissionError("Access Denied"),
        "b/1.tfevents": ValueError("odd"),
    }
    reader = world.open()
    reader.scan()
    assert world.steps("c") == [1]
    assert {line.partition(" (")[2].partition(")")[0] for line in reader.warnings} == {"Access Denied", "odd"}
    tried = []
    for _ in range(30):
        world.clock.now_s += 1
        world.requests()
        reader.poll()
        tried.append(len(world.requests()[1]))
    assert [second for second, count in enumerate(tried, start=1) if count] == [2, 6, 14, 30]
    Scripted.read_failures = {}
    reader.scan()
    assert (world.steps("a"), world.steps("b"), reader.warnings) == ([1], [1], [])


def test_many_objects_that_fail_alike_are_one_line(world: World, records: MakeRecords) -> None:
    for run in range(50):
        world.put(f"{run}/1.tfevents", records([1]))
    Scripted.read_failures = {".tfevents": PermissionError("Access Denied")}
    reader = world.open()
    reader.scan()
    assert len(reader.warnings) == 1
    assert "50 event files" in reader.warnings[0]


def test_a_failure_inside_a_large_object_keeps_what_came_before(
    world: World, records: MakeRecords, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = records(range(100))
    monkeypatch.setattr(remote, "BLOCK_BYTES", 1000)
    world.put("1.tfevents", data)
    fail_from = 3000

    def fail_late(_: str) -> None:
        if Scripted.ranges[-1][1] >= fail_from:
            raise ConnectionError("reset")

    Scripted.before_read = fail_late
    reader = world.open()
    reader.scan()
    assert world.steps(".") == list(range(3000 // len(records([1]))))
    Scripted.before_read = None
    world.requests()
    reader.scan()
    assert world.steps(".") == list(range(100))
    assert min(start for _, start, _ in world.requests()[1]) == 3000 - PROOF_BYTES


def test_nothing_there_is_told_in_one_line(world: World) -> None:
    reader = world.open()
    reader.scan()
    assert len(reader.warnings) == 1
    assert reader.warnings[0].endswith("scripted://logs")


def test_a_missing_package_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    index = _core.Index(1)

    def open_at(url: str) -> None:
        RemoteReader(index, parse_roots(url)[0])

    for scheme in ("s3", "gs"):  # another test may have loaded them
        monkeypatch.delitem(_registry, scheme, raising=False)
    monkeypatch.setitem(sys.modules, "s3fs", None)
    with pytest.raises(MissingExtraError, match=r'pip install "sightline\[s3\]"'):
        open_at("s3://bucket/logs")
    monkeypatch.setitem(sys.modules, "gcsfs", None)
    with pytest.raises(MissingExtraError, match=r"Reading gs:// .* Run: pip install gcsfs$"):
        open_at("gs://bucket/logs")
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    with pytest.raises(MissingExtraError, match=r'pip install "sightline\[remote\]"'):
        open_at("memory://logs")


def test_an_unknown_scheme_is_refused() -> None:
    with pytest.raises(BadArgumentError, match="nosuch"):
        RemoteReader(_core.Index(1), Root("nosuch://logs", is_remote=True))


# ---- bytes on request, progress, the end -------------------------------------------------------------------


def test_bytes_are_read_on_request(world: World, records: MakeRecords) -> None:
    data = records([1, 2])
    world.put("1.tfevents", data)
    reader = world.open()
    reader.scan()
    file_id = world.index.files(".")[0].id
    assert reader.read(file_id, 5, 20) == data[5:25]
    with pytest.raises(FileGoneError):
        reader.read(file_id, len(data) - 5, 10)
    with pytest.raises(FileGoneError):
        reader.read(file_id + 1, 0, 1)
    world.remove("1.tfevents")
    with pytest.raises(FileGoneError, match="not found"):
        reader.read(file_id, 0, 1)


def test_progress_counts_files_and_bytes(world: World, records: MakeRecords) -> None:
    sizes = {"a": len(records([1])), "b": len(records([1, 2]))}
    reader = world.open()
    assert not reader.progress.is_done
    world.put("a/1.tfevents", records([1]))
    world.put("b/1.tfevents", records([1, 2]))
    seen: list[int] = []
    index = RecordingIndex(world.index, lambda _: seen.append(reader.progress.bytes_done))
    reader._index = index  # type: ignore[assignment]
    reader.scan()
    assert seen in ([0, sizes["a"]], [0, sizes["b"]])
    assert reader.progress == Progress(2, 2, sum(sizes.values()), sum(sizes.values()), is_done=True)


def test_a_closed_reader_reads_nothing_and_leaves_no_thread(world: World, records: MakeRecords) -> None:
    world.put("1.tfevents", records([1]))
    reader = world.open()
    reader.scan()
    threads = [t for t in threading.enumerate() if t.name.startswith("sightline-remote")]
    assert threads
    reader.close()
    for thread in threads:
        thread.join(timeout=30)
        assert not thread.is_alive()
    world.requests()
    assert not reader.poll()
    assert world.requests() == (0, [])


def test_stopping_ends_a_pass_that_waits_for_the_network(world: World, records: MakeRecords) -> None:
    world.put("1.tfevents", records([1]))
    is_asked, may_answer = threading.Event(), threading.Event()

    def hang(_: str) -> None:
        is_asked.set()
        may_answer.wait(30)

    Scripted.before_read = hang
    reader = world.open()
    scanning = threading.Thread(target=reader.scan)
    scanning.start()
    assert is_asked.wait(30)
    reader.stop()
    scanning.join(timeout=30)
    assert not scanning.is_alive()
    may_answer.set()
    assert not reader.progress.is_done


def test_a_cached_object_is_not_read_again(world: World, records: MakeRecords, tmp_path: Path) -> None:
    world.put("1.tfevents", records(range(5000)))
    world.open().scan()
    world.index.save_cache(str(tmp_path))
    world.requests()
    world.index = _core.Index(1)
    world.index.load_cache(str(tmp_path))
    reader = world.open()
    reader.scan()
    assert world.requests() == (1, [])
    assert world.steps(".") == list(range(5000))
    longer = records(range(5001))
    world.put("1.tfevents", longer)
    reader.poll()
    assert world.requests() == (1, [("1.tfevents", len(records(range(5000))), len(longer))])
    assert world.steps(".") == list(range(5001))


def test_a_cached_object_that_was_replaced_by_a_longer_one_is_read_from_the_start(
    world: World, records: MakeRecords, tmp_path: Path
) -> None:
    world.put("1.tfevents", records(range(5000)))
    world.open().scan()
    world.index.save_cache(str(tmp_path))
    world.index = _core.Index(1)
    world.index.load_cache(str(tmp_path))
    reader = world.open()
    reader.scan()
    world.put("1.tfevents", b"odd" + records(range(6000)))
    reader.poll()
    assert world.steps(".") == list(range(6000))
