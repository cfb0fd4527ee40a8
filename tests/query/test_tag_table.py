"""The tag table: every tag and kind, with the runs that have it."""

from __future__ import annotations

from pathlib import Path

from sightline.query.tag_table import natural_order, tag_rows
from tests.event_logs import BEGIN_S, image_record, points, read, write_run
from tests.fixtures import event_bytes as eb
from tests.story_records import log_message, start, write_ours


def described(tag: str, *, display_name: str = "", description: str = "") -> bytes:
    """A scalar of TensorFlow 2 with metadata."""
    metadata = eb.blob(1, eb.blob(1, b"scalars")) + eb.blob(2, display_name.encode())
    metadata += eb.blob(3, description.encode())
    tensor = eb.integer(1, 1) + eb.blob(2, b"") + eb.blob(4, b"\0\0\x80?")
    value = eb.blob(1, tag.encode()) + eb.blob(8, tensor) + eb.blob(9, metadata)
    return eb.record(eb.event(eb.blob(5, eb.blob(1, value)), step=1, wall_time=BEGIN_S + 1))


def test_tags_are_in_natural_order_with_their_runs_by_start(tmp_path: Path) -> None:
    write_run(tmp_path / "z", points(range(3), tag="layer10/loss"), points(range(3), tag="layer2/loss"))
    later_s = BEGIN_S + 100
    write_run(tmp_path / "a", points(range(3), tag="layer2/loss", begin_s=later_s), begin_s=later_s)
    rows = tag_rows(read(tmp_path))
    assert [(row.tag, row.kind, row.runs) for row in rows] == [
        ("layer2/loss", "scalar", ["z", "a"]),
        ("layer10/loss", "scalar", ["z"]),
    ]


def test_a_tag_of_two_kinds_has_two_rows(tmp_path: Path) -> None:
    write_run(tmp_path / "a", points(range(3), tag="x"), image_record("x", 0, b"png"))
    write_run(tmp_path / "b", image_record("x", 0, b"png"))
    assert [(row.kind, row.runs) for row in tag_rows(read(tmp_path))] == [
        ("image", ["a", "b"]),
        ("scalar", ["a"]),
    ]


def test_names_and_descriptions_come_from_the_first_run_that_has_one(tmp_path: Path) -> None:
    write_run(tmp_path / "a", described("loss"))
    write_run(tmp_path / "b", described("loss", display_name="Loss"))
    write_run(tmp_path / "c", described("loss", display_name="Other", description="*mean*"))
    [row] = tag_rows(read(tmp_path))
    assert (row.display_name, row.description) == ("Loss", "*mean*")
    assert row.runs == ["a", "b", "c"]


def test_the_story_of_a_run_is_no_tag_and_foreign_log_messages_are(tmp_path: Path) -> None:
    write_ours(tmp_path / "ours", log_message(start()), points(range(3)))
    write_run(tmp_path / "theirs", log_message("hello", wall_time=BEGIN_S + 1))
    kinds = {row.kind: row.runs for row in tag_rows(read(tmp_path))}
    assert kinds == {"scalar": ["ours"], "log_message": ["theirs"]}


def test_a_run_in_several_files_is_named_once(tmp_path: Path) -> None:
    for number in range(3):
        write_run(tmp_path / "a", points(range(3)), name=f"events.out.tfevents.{number}.a")
    [row] = tag_rows(read(tmp_path))
    assert row.runs == ["a"]


def test_the_table_agrees_with_what_the_runs_say_one_by_one(tmp_path: Path) -> None:
    write_run(tmp_path / "a", points(range(3)), image_record("pic", 0, b"png"), described("acc"))
    write_run(tmp_path / "b", points(range(3)), described("acc"))
    store = read(tmp_path)
    wanted = {
        (tag, kind.value, run.name)
        for run in store.runs()
        for tag, info in run.tags.items()
        for kind in info.kinds
    }
    assert {(row.tag, row.kind, run) for row in tag_rows(store) for run in row.runs} == wanted


def test_an_empty_log_has_no_tags(tmp_path: Path) -> None:
    assert tag_rows(read(tmp_path)) == []


def test_natural_order_counts_and_never_ties() -> None:
    names = ["a10", "A2", "a2", "a02", "a", "", "b1c2", "b1c10", "9" * 30, "1" + "0" * 30, "a1b", "a1"]
    ordered = sorted(names, key=natural_order)
    assert ordered == [
        "",
        "9" * 30,
        "1" + "0" * 30,
        "a",
        "a1",
        "a1b",
        "a02",
        "A2",
        "a2",
        "a10",
        "b1c2",
        "b1c10",
    ]
