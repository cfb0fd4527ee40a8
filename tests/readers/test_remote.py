"""Remote roots on a scripted store: what is asked for, what arrives, what is noticed."""

from __future__ import annotations

import datetime as dt

import fsspec
import pytest

from sightline.readers import remote
from sightline.readers.remote import PROOF_BYTES
from sightline.store.side_files import SideFiles
from tests.readers.scripted_store import MakeRecords, RecordingIndex, Scripted, World

# ---- reading what is there ---------------------------------------------------------------------------------


def test_a_scan_reads_every_run_with_one_listing(world: World, records: MakeRecords) -> None:
    world.put("1.tfevents", records([1]))
    world.put("a/1.tfevents", records([1, 2]))
    world.put("a/deep/1.tfevents", records([3]))
    world.put("a/model.pt", b"not a log")
    world.open().scan()
    assert sorted(world.index.run_names()) == [".", "a", "a/deep"]
    assert [world.steps(run) for run in (".", "a", "a/deep")] == [[1], [1, 2], [3]]
    (file,) = world.index.files("a")
    assert (file.path, file.is_stream) == ("scripted://logs/a/1.tfevents", True)
    listings, ranges = world.requests()
    assert (listings, len(ranges)) == (1, 3)


def test_the_memory_file_system_of_fsspec_can_be_read(world: World, records: MakeRecords) -> None:
    memory = fsspec.filesystem("memory")
    memory.pipe_file("/sightline-test/a/1.tfevents", records([1, 2]))
    reader = world.open("memory://sightline-test")
    reader.scan()
    with memory.open("/sightline-test/a/1.tfevents", "ab") as file:
        file.write(records([3]))
    assert reader.poll()
    assert world.steps("a") == [1, 2, 3]
    memory.rm("/sightline-test", recursive=True)
    assert reader.poll()
    assert world.index.run_names() == []


def test_a_prefix_goes_in_front_of_the_run_names(world: World, records: MakeRecords) -> None:
    world.put("1.tfevents", records([1]))
    world.put("a/1.tfevents", records([1]))
    world.open("mine:scripted://logs").scan()
    assert sorted(world.index.run_names()) == ["mine", "mine/a"]


def test_one_object_can_be_a_root(world: World, records: MakeRecords) -> None:
    world.put("a/1.tfevents", records([1]))
    world.put("a/2.tfevents", records([2]))
    reader = world.open("scripted://logs/a/1.tfevents")
    reader.scan()
    assert world.steps(".") == [1]
    assert world.index.files(".")[0].path == "scripted://logs/a/1.tfevents"
    assert world.requests() == (0, [("1.tfevents", 0, len(records([1])))])
    world.remove("a/1.tfevents")
    assert reader.poll()
    assert world.index.run_names() == []


def test_a_directory_called_like_an_event_file_is_listed(world: World, records: MakeRecords) -> None:
    world.put("my.tfevents/a/1.tfevents", records([1]))
    world.open("scripted://logs/my.tfevents").scan()
    assert world.index.run_names() == ["a"]


def test_a_large_object_is_read_in_blocks(
    world: World, records: MakeRecords, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = records(range(500))
    monkeypatch.setattr(remote, "BLOCK_BYTES", 1000)
    world.put("1.tfevents", data)
    world.open().scan()
    assert world.steps(".") == list(range(500))
    _, ranges = world.requests()
    assert sorted(ranges) == [("1.tfevents", n, min(len(data), n + 1000)) for n in range(0, len(data), 1000)]


def test_the_newest_objects_are_read_first(world: World, records: MakeRecords) -> None:
    world.put("old/1.tfevents", records([1]))
    world.put("new/2.tfevents", records([1]))
    Scripted.store["/logs/old/1.tfevents"].created = dt.datetime(2024, 1, 1, tzinfo=dt.timezone.utc)
    reader = world.open()
    fed: list[int] = []
    index = RecordingIndex(world.index, fed.append)
    reader._index = index  # type: ignore[assignment]
    reader.scan()
    new, old = (world.index.files(run)[0].id for run in ("new", "old"))
    assert fed == [new, old]


def test_include_and_exclude_mean_what_they_mean_for_local_roots(world: World, records: MakeRecords) -> None:
    for run in ("a", "a/eval", "b", "c/d/e"):
        world.put(f"{run}/1.tfevents", records([1]))
    world.put("1.tfevents", records([1]))
    world.open(include=["a*", "c*", "."], exclude=["*/eval", "c/d"]).scan()
    assert sorted(world.index.run_names()) == [".", "a"]


def test_what_people_added_to_the_log_is_no_run(world: World, records: MakeRecords) -> None:
    for path in ("a", ".sightline/trash/20260101-000000-0a0a0a0a/files/b", "c/.sightline/trash/d"):
        world.put(f"{path}/1.tfevents", records([1]))
    world.open().scan()
    assert world.index.run_names() == ["a"]


def test_a_pattern_selects_by_parts_of_the_path(world: World, records: MakeRecords) -> None:
    for run in ("2026-a/logs", "2026-a/logs/deep", "2026-a/other", "2026-b/x/logs", "2025/logs"):
        world.put(f"{run}/1.tfevents", records([1]))
    world.open("scripted://logs/2026-*/logs").scan()
    assert sorted(world.index.run_names()) == ["2026-a/logs", "2026-a/logs/deep"]


def test_overlapping_roots_feed_an_object_once(world: World, records: MakeRecords) -> None:
    for run in ("a1", "a2", "b2"):
        world.put(f"{run}/1.tfevents", records([1]))
    readers = [world.open("scripted://logs/a*"), world.open("all:scripted://logs/*2")]
    for reader in readers:
        reader.scan()
    assert sorted(world.index.run_names()) == ["a1", "a2", "all/b2"]
    world.put("a2/1.tfevents", records([1, 2]))
    assert [reader.poll() for reader in readers] == [True, False]
    assert world.steps("a2") == [1, 2]


def test_side_files_come_from_the_same_listing(world: World, records: MakeRecords) -> None:
    world.put("a/1.tfevents", records([1]))
    world.put("projector_config.pbtxt", b"")
    world.put("a/plugins/profile/2026_02_10/host.xplane.pb", b"")
    world.put("a/worker.1.pt.trace.json.gz", b"")
    reader = world.open("mine:scripted://logs")
    reader.scan()
    assert reader.side_files("mine/a") == SideFiles(
        projector=("scripted://logs/projector_config.pbtxt",),
        profile=(
            "scripted://logs/a/plugins/profile/2026_02_10/host.xplane.pb",
            "scripted://logs/a/worker.1.pt.trace.json.gz",
        ),
    )
    assert reader.side_files("of/another/root") == SideFiles()
    assert world.requests()[0] == 1


# ---- following ---------------------------------------------------------------------------------------------


def test_an_idle_poll_is_one_listing_and_nothing_else(world: World, records: MakeRecords) -> None:
    for run in range(1000):
        world.put(f"run{run}/1.tfevents", records([1]))
    reader = world.open()
    reader.scan()
    world.requests()
    assert not reader.poll()
    assert world.requests() == (1, [])


def test_growth_is_read_from_the_last_offset_only(world: World, records: MakeRecords) -> None:
    old, new = records([1, 2]), records([1, 2, 3])
    world.put("a/1.tfevents", old)
    world.put("b/2.tfevents", old)
    reader = world.open()
    reader.scan()
    world.requests()
    world.put("a/1.tfevents", new)
    assert reader.poll()
    assert world.requests() == (1, [("1.tfevents", len(old) - PROOF_BYTES, len(new))])
    assert world.steps("a") == [1, 2, 3]
    assert not reader.poll()


def test_an_unfinished_record_is_continued_not_read_again(world: World, records: MakeRecords) -> None:
    data = records([1, 2])
    reader = world.open()
    for cut in (len(data) - 30, len(data) - 10, len(data)):
        world.put("1.tfevents", data[:cut])
        reader.poll()
    assert world.steps(".") == [1, 2]
    assert [start for _, start, _ in world.requests()[1]] == [0, len(data) - 46, len(data) - 26]
    assert world.index.files(".")[0].damage_count == 0


def test_an_empty_object_is_a_run_without_data_and_costs_no_read(world: World, records: MakeRecords) -> None:
    world.put("1.tfevents", b"")
    reader = world.open()
    assert reader.poll()
    assert world.requests() == (1, [])
    world.put("1.tfevents", records([1]))
    reader.poll()
    assert world.steps(".") == [1]


def test_new_runs_appear_and_vanished_ones_go(world: World, records: MakeRecords) -> None:
    world.put("a/1.tfevents", records([1]))
    reader = world.open()
    reader.scan()
    world.put("b/1.tfevents", records([1]))
    assert reader.poll()
    world.remove("a/1.tfevents")
    assert reader.poll()
    assert world.index.run_names() == ["b"]
    assert not reader.poll()


def test_the_index_hears_which_run_grew(world: World, records: MakeRecords) -> None:
    world.put("a/1.tfevents", records([1]))
    world.put("b/1.tfevents", records([1]))
    reader = world.open()
    reader.scan()
    world.index.watch_changes(True)
    world.put("b/1.tfevents", records([1, 2]))
    reader.poll()
    assert [(change.run, change.tags) for change in world.index.take_changes()] == [("b", ["loss"])]


# ---- replaced objects --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "steps_after",
    [
        pytest.param([7], id="shorter"),
        pytest.param([7, 8, 9], id="of the same size"),
        pytest.param([7, 8, 9, 10], id="longer, with records of the same sizes"),
    ],
)
def test_a_replaced_object_is_read_from_the_start(
    world: World, records: MakeRecords, steps_after: list[int]
) -> None:
    world.put("1.tfevents", records([1, 2, 3]))
    reader = world.open()
    reader.scan()
    world.put("1.tfevents", records(steps_after))
    assert reader.poll()
    assert world.steps(".") == steps_after
    assert world.index.files(".")[0].damage_count == 0
    assert reader.warnings == []
    assert not reader.poll()


def test_a_replaced_object_is_noticed_even_inside_an_unfinished_record(
    world: World, records: MakeRecords
) -> None:
    world.put("1.tfevents", records([1, 2])[:-7])
    reader = world.open()
    reader.scan()
    world.put("1.tfevents", records([8, 9, 10]))
    reader.poll()
    assert world.steps(".") == [8, 9, 10]
    assert world.index.files(".")[0].damage_count == 0


def test_an_object_replaced_by_another_writer_is_noticed_by_the_core_without_a_tail(
    world: World, records: MakeRecords
) -> None:
    world.put("1.tfevents", records([1, 2]))
    reader = world.open()
    reader.scan()
    reader._files["/logs/1.tfevents"].tail = b""  # as after a start from the cache
    world.put("1.tfevents", b"x" + records(range(50)))
    reader.poll()
    assert world.steps(".") == list(range(50))


def test_an_object_that_changes_while_it_is_read_is_tried_again_later(
    world: World, records: MakeRecords
) -> None:
    world.put("1.tfevents", records([1, 2, 3]))
    reader = world.open()
    Scripted.before_read = lambda _: world.put("1.tfevents", records([1]))
    reader.scan()
    Scripted.before_read = None
    assert len(reader.warnings) == 1
    reader.poll()
    assert world.steps(".") == [1]
    assert reader.warnings == []
