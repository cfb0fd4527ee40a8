"""Files that change while they are followed: growth, truncation, replacement, deletion.

After each change the index must show what a reader who opens the log now would see.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sightline import _core
from tests import oracle
from tests.compat.comparison import assert_log_is_read_right, scanned, write_log
from tests.fixtures import damage, unusual
from tests.fixtures import event_bytes as eb

SIX = b"".join([eb.file_version(), *eb.scalars(range(6))])


def steps_of(index: _core.Index, tag: str = "loss") -> list[int]:
    return [step for part in index.parts("run", tag, _core.FORM_SCALAR) for step in part.step.tolist()]


def set_later(path: Path) -> None:
    """Clocks of file systems are coarse: two writes may get the same time. These are a second apart."""
    now_ns = path.stat().st_mtime_ns
    os.utime(path, ns=(now_ns, now_ns + 10**9))


def test_a_file_that_grows_byte_by_byte_shows_each_record_as_soon_as_it_is_whole(tmp_path: Path) -> None:
    data = b"".join(
        [
            eb.file_version(), eb.scalar(0), eb.text_record(b"note", b"words"), eb.scalar(1, tag=b"other"),
            eb.record(b""), eb.session_log(eb.START, step=1), eb.scalar(1), eb.scalar(2**40),
        ]
    )  # fmt: skip
    path = write_log(tmp_path, b"")
    index = scanned(tmp_path)
    for size in range(1, len(data) + 1):
        with path.open("ab") as file:
            file.write(data[size - 1 : size])
        index.refresh([str(path)])
        assert_log_is_read_right(tmp_path, index)


# Left out: a bad record with records inside. Until it is known what follows, they look like real ones.
GROWING = [
    case
    for case in damage.all_cases()
    if len(case.data) < 8000 and not case.name.startswith(("garbage_of", "embedded_in_a_bad"))
]


@pytest.mark.parametrize("case", GROWING, ids=lambda case: case.name)
def test_a_damaged_file_that_grows_in_steps_ends_with_the_same_values(
    case: damage.DamageCase, tmp_path: Path
) -> None:
    """How damage is divided into places may depend on what was there when it was judged; values may not."""
    path = write_log(tmp_path, b"")
    index = scanned(tmp_path)
    for start in range(0, len(case.data), 37):
        with path.open("ab") as file:
            file.write(case.data[start : start + 37])
        index.refresh([str(path)])
    assert steps_of(index) == list(case.steps)


def test_a_record_that_was_torn_is_read_once_it_is_finished(tmp_path: Path) -> None:
    record = eb.text_record(b"note", b"words " * 5000)
    path = write_log(tmp_path, SIX + record[:10_000])
    index = scanned(tmp_path)
    assert index.files("run")[0].torn_bytes == 10_000
    path.write_bytes(SIX + record + eb.scalar(6))
    index.scan()
    assert_log_is_read_right(tmp_path, index)


def test_a_bad_record_at_the_end_is_judged_by_what_follows(tmp_path: Path) -> None:
    """A cut-off record and the beginning of the next one, together as long as the first should have been."""
    whole = eb.scalar(1000)
    data = SIX + whole[:30] + eb.scalar(6) + eb.scalar(7)
    path = write_log(tmp_path, data[: len(SIX) + len(whole)])
    index = scanned(tmp_path)
    path.write_bytes(data)
    index.scan()
    assert steps_of(index) == list(range(8))


@pytest.mark.parametrize("grows", [False, True])
@pytest.mark.parametrize("late_bytes", [4, 20, 60, 150])
def test_bytes_that_arrive_late_are_read(late_bytes: int, grows: bool, tmp_path: Path) -> None:
    """Network file systems may show the new size of a file before its data: zeros, for a moment."""
    path = write_log(tmp_path, SIX[:-late_bytes] + b"\0" * late_bytes)
    index = scanned(tmp_path)
    path.write_bytes(SIX + (eb.scalar(6) if grows else b""))
    set_later(path)
    index.scan()
    assert steps_of(index) == list(range(7 if grows else 6))


def test_nothing_changes_when_nothing_was_written(tmp_path: Path) -> None:
    write_log(tmp_path, SIX)
    index = scanned(tmp_path)
    before = index.revision("run")
    for _ in range(3):
        index.scan()
    assert index.revision("run") == before
    assert_log_is_read_right(tmp_path, index)


@pytest.mark.parametrize("size", [0, 5, 50, len(SIX) - 1, len(SIX) - 60])
def test_a_file_that_was_cut_shorter_is_read_again(size: int, tmp_path: Path) -> None:
    path = write_log(tmp_path, SIX)
    index = scanned(tmp_path)
    os.truncate(path, size)
    index.scan()
    assert_log_is_read_right(tmp_path, index)
    with path.open("ab") as file:
        file.write(SIX[size:] + eb.scalar(6))
    index.scan()
    assert_log_is_read_right(tmp_path, index)


OTHER = {
    "shorter": b"".join([eb.file_version(), *eb.scalars(range(100, 103))]),
    "longer": b"".join([eb.file_version(), *eb.scalars(range(100, 120))]),
    "as_long": b"".join([eb.file_version(), *eb.scalars(range(100, 106))]),
    "same_size_other_middle": SIX.replace(eb.scalar(3), eb.scalar(3, 99.0)),
    "with_other_tags": b"".join([eb.file_version(), *eb.scalars(range(9), tag=b"another")]),
    "empty": b"",
    "garbage": b"\xff" * len(SIX) * 2,
}


@pytest.mark.parametrize("kind", OTHER)
def test_a_file_that_was_replaced_by_renaming_is_read_anew(kind: str, tmp_path: Path) -> None:
    path = write_log(tmp_path, SIX)
    index = scanned(tmp_path)
    fresh = tmp_path / "elsewhere"
    fresh.write_bytes(OTHER[kind])
    fresh.replace(path)
    index.scan()
    assert_log_is_read_right(tmp_path, index)


@pytest.mark.parametrize("kind", OTHER)
def test_a_file_that_was_overwritten_in_place_is_read_anew(kind: str, tmp_path: Path) -> None:
    path = write_log(tmp_path, SIX)
    index = scanned(tmp_path)
    path.write_bytes(OTHER[kind])
    set_later(path)
    index.scan()
    assert_log_is_read_right(tmp_path, index)


def test_a_deleted_file_takes_its_points_along(tmp_path: Path) -> None:
    first = write_log(tmp_path, SIX)
    write_log(tmp_path, OTHER["longer"], name="events.out.tfevents.2.host")
    index = scanned(tmp_path)
    first.unlink()
    index.scan()
    assert_log_is_read_right(tmp_path, index)


def test_a_deleted_run_disappears_and_may_come_back(tmp_path: Path) -> None:
    path = write_log(tmp_path, SIX)
    write_log(tmp_path, SIX, run="stays")
    index = scanned(tmp_path)
    path.unlink()
    path.parent.rmdir()
    index.scan()
    assert index.run_names() == ["stays"]
    assert index.files("run") == []
    write_log(tmp_path, OTHER["longer"])
    index.scan()
    assert_log_is_read_right(tmp_path, index)


def test_bytes_of_a_deleted_or_shortened_file_are_an_error_not_garbage(tmp_path: Path) -> None:
    path = write_log(tmp_path, eb.file_version() + eb.text_record(b"note", b"words"))
    index = scanned(tmp_path)
    (part,) = index.parts("run", "note", _core.FORM_TENSOR)
    os.truncate(path, 40)
    with pytest.raises(OSError, match=r".+"):
        index.read(part.file_id, int(part.offset[0]), int(part.length[0]), part.generation)
    path.unlink()
    with pytest.raises(OSError, match=r".+"):
        index.read(part.file_id, int(part.offset[0]), int(part.length[0]), part.generation)


def test_arrays_handed_out_stay_what_they_were_when_the_file_changes(tmp_path: Path) -> None:
    path = write_log(tmp_path, SIX)
    index = scanned(tmp_path)
    (part,) = index.parts("run", "loss", _core.FORM_SCALAR)
    before = part.step.tolist(), part.value.tolist()
    with path.open("ab") as file:
        file.write(b"".join(eb.scalars(range(6, 5000))))
    index.scan()
    path.write_bytes(OTHER["shorter"])
    index.scan()
    path.unlink()
    index.scan()
    assert (part.step.tolist(), part.value.tolist()) == before


@pytest.mark.parametrize("chunk_bytes", [1, 7, 1000])
def test_a_stream_fed_in_pieces_gives_what_the_file_gives(chunk_bytes: int) -> None:
    data = (
        eb.file_version() + unusual.starts_between_rows() + unusual.fields_in_any_order() + b"\xff" * 30 + SIX
    )
    index = _core.Index(threads=1)
    stream = index.add_stream("run", "memory://log/events.out.tfevents.1.host")
    assert index.set_stream_size(stream, len(data), "etag") == 0
    for start in range(0, len(data), chunk_bytes):
        wanted = index.feed(stream, data[start : start + chunk_bytes])
        assert wanted == min(len(data), start + chunk_bytes)
    decoded = oracle.decode(data)
    for (tag, form), rows in decoded.rows.items():
        if form == "SCALAR":
            (part,) = index.parts("run", tag, _core.FORM_SCALAR)
            assert part.step.tolist() == [row.step for row in rows]
            assert part.value.tolist() == [row.value for row in rows]
    assert index.files("run")[0].damage_count == len(decoded.damage)
