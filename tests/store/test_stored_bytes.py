"""Bytes that stay in the log: read like bytes in memory, a page at a time, and never other ones."""

from __future__ import annotations

import os
import tracemalloc
from array import array
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.formats.values import decode_item
from sightline.model import byte_source
from sightline.model.byte_source import pieces_of
from sightline.model.errors import DamagedValueError, FileGoneError
from sightline.model.forms import Form
from sightline.model.kinds import Kind
from sightline.store import stored_bytes
from sightline.store.kept import Kept
from sightline.store.layouts import Layout
from sightline.store.side_files import SideFiles
from sightline.store.stored_bytes import StoredBytes
from tests.event_logs import image_record, image_tensor_record, read, write_run
from tests.fixtures import event_bytes as eb


def stored(data: bytes) -> StoredBytes:
    return StoredBytes.of(lambda start, length: data[start : start + length], len(data), file="x")


@pytest.fixture
def small_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored_bytes, "PAGE_BYTES", 100)
    monkeypatch.setattr(byte_source, "PIECE_BYTES", 1_000)


BIG = os.urandom(10_000)


@pytest.mark.usefixtures("small_pages")
def test_every_stretch_is_that_of_the_bytes() -> None:
    data = bytes(range(256)) * 20
    whole = stored(data)
    part = whole.part(300, 4_800)
    assert isinstance(part, StoredBytes)
    for source, expected in ((whole, data), (part, data[300:4_800])):
        assert len(source) == len(expected)
        for start in (0, 1, 699, 700, 999, 1_000, 2_500, 4_499, 5_119, 9_999):
            for size in (0, 1, 10, 999, 1_000, 1_001, 9_999):
                assert source[start : start + size] == expected[start : start + size]
            if start < len(expected):
                assert source[start] == expected[start]
        assert source[:] == expected
        assert list(pieces_of(source, 0, len(source))) == [
            expected[at : at + 1_000] for at in range(0, len(expected), 1_000)
        ]
        with pytest.raises(IndexError):
            source[len(expected)]


@pytest.mark.usefixtures("small_pages")
def test_what_is_cut_out_is_not_read() -> None:
    asked: list[tuple[int, int]] = []

    def read_some(start: int, length: int) -> bytes:
        asked.append((start, length))
        return bytes(length)

    source = StoredBytes.of(read_some, 10_000, file="x")
    assert len(source.part(0, 9_000)) == 9_000
    assert asked == []
    assert source.part(2_000, 2_010)[:] == bytes(10)
    assert asked == [(2_000, 100)]


def _cut(path: Path) -> None:
    os.truncate(path, 5_000)


def _replaced(path: Path) -> None:
    other = path.with_name("other")
    other.write_bytes(bytes(path.stat().st_size))
    other.replace(path)


@pytest.mark.usefixtures("small_pages")
@pytest.mark.parametrize("change", [_cut, _replaced])
def test_a_file_that_changes_while_it_is_sent_ends_the_answer(
    tmp_path: Path, change: Callable[[Path], None]
) -> None:
    path = write_run(tmp_path / "a", image_record("x", 0, BIG))
    series = read(tmp_path).get("a").media(Kind.image)["x"]
    pieces = pieces_of(series.opened(0).samples[0], 0, len(BIG))
    sent = [next(pieces), next(pieces)]
    change(path)
    with pytest.raises(FileGoneError):
        sent.extend(pieces)
    assert BIG.startswith(b"".join(sent))


@pytest.mark.usefixtures("small_pages")
@pytest.mark.parametrize("change", [_cut, _replaced])
def test_a_file_that_has_changed_already_is_an_error_before_the_first_piece(
    tmp_path: Path, change: Callable[[Path], None]
) -> None:
    path = write_run(tmp_path / "a", image_record("x", 0, BIG))
    series = read(tmp_path).get("a").media(Kind.image)["x"]
    sample = series.opened(0).samples[0]
    change(path)
    with pytest.raises(FileGoneError):
        next(pieces_of(sample, 0, len(BIG)))


@pytest.mark.usefixtures("small_pages")
def test_nothing_is_read_before_somebody_waits_for_it() -> None:
    asked: list[tuple[int, int]] = []

    def read_some(start: int, length: int) -> bytes:
        asked.append((start, length))
        return BIG[start : start + length]

    pieces = pieces_of(StoredBytes.of(read_some, len(BIG), file="x"), 500, len(BIG))
    assert next(pieces) == BIG[500:1_500]
    assert asked == [(9_900, 100), (500, 1_000)]  # the last page tells whether the file still reaches so far
    assert b"".join(pieces) == BIG[1_500:]
    assert sum(length for _, length in asked) == 100 + 9_500


@pytest.mark.usefixtures("small_pages")
@pytest.mark.parametrize(
    ("first", "again"),
    [
        ((120, 130), (110, 111)),  # of the same page
        ((120, 130), (100, 2_000)),  # the page within a stretch
        ((100, 300), (100, 300)),
        ((100, 300), (0, 10_000)),  # a stretch within a longer one
    ],
)
def test_what_is_read_again_and_is_another_is_an_error(
    first: tuple[int, int], again: tuple[int, int]
) -> None:
    data = bytearray(BIG)
    source = StoredBytes.of(lambda start, length: bytes(data[start : start + length]), len(data), file="x")
    source[slice(*first)]
    source[9_000]  # turns the page
    data[150] ^= 1  # in place: neither the size nor the file is another
    with pytest.raises(FileGoneError, match="written to"):
        source[slice(*again)]


def test_far_away_a_page_is_larger(tmp_path: Path) -> None:
    """As each page is a request there."""
    write_run(tmp_path / "a", image_tensor_record("x", 0, *[bytes(5_000)] * 400))
    store = read(tmp_path)
    series = store.get("a").media(Kind.image)["x"]
    length = int(series.size_bytes[0])

    class Far:
        """As if the file were not here."""

        def owns(self, file_id: int) -> bool:
            return True

        def read(self, file_id: int, offset: int, length: int) -> bytes:
            raise AssertionError

        def side_files(self, run: str) -> SideFiles:
            return SideFiles()

    for readers, page_bytes in (([], 16 << 10), ([Far()], 256 << 10)):
        store.access.stream_readers[:] = readers
        store.access.layouts = Kept()
        reads = _Counted(series)
        assert len(series.opened(0).samples) == 400
        assert reads.count <= length // page_bytes + 2


def test_a_large_sample_is_never_in_memory(tmp_path: Path) -> None:
    large = bytes(24 << 20)
    write_run(tmp_path / "a", image_tensor_record("x", 0, b"small", large))
    series = read(tmp_path).get("a").media(Kind.image)["x"]
    tracemalloc.start()
    try:
        small, found = series.opened(0).samples
        size = sum(map(len, pieces_of(found, 0, len(found))))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert small[:] == b"small"
    assert size == len(large)
    assert peak < 6 << 20


# ── layouts ──────────────────────────────────────────────────────────────────────────────────────────────


class _Counted:
    """Reads of a series, and how many bytes they were."""

    def __init__(self, series: Any) -> None:
        self.bytes = self.count = 0
        tag = series._tag

        def read_bytes(place: Any) -> bytes:
            self.bytes += place.length
            self.count += 1
            return tag.read_bytes(place)

        series._tag = replace(tag, read_bytes=read_bytes)


def test_a_batch_is_taken_apart_once_and_without_reading_its_pictures(tmp_path: Path) -> None:
    pictures = [bytes([number]) * 200_000 for number in range(40)]
    write_run(tmp_path / "a", image_tensor_record("x", 0, *pictures))
    series = read(tmp_path).get("a").media(Kind.image)["x"]
    reads = _Counted(series)
    assert len(series.opened(0).samples) == 40
    assert reads.bytes < 1_000_000
    reads.bytes = 0
    assert len(series.opened(0).samples) == 40
    assert reads.bytes == 0
    for number in (0, 17, 39):
        assert series.opened(0).samples[number][:] == pictures[number]
    assert reads.bytes == 3 * 200_000
    assert [one[:1] for one in series.opened(0).samples[1:3]] == [b"\1", b"\2"]
    assert series.opened(0).stated_width == 6


def test_what_is_damaged_is_found_out_once(tmp_path: Path) -> None:
    numbers = eb.tensor_record(b"x", 1, eb.shape(200), eb.blob(4, bytes(800)), meta=eb.metadata(b"images"))
    write_run(tmp_path / "a", numbers)
    series = read(tmp_path).get("a").media(Kind.image)["x"]
    with pytest.raises(DamagedValueError, match="should hold strings") as first:
        series.opened(0)
    reads = _Counted(series)
    with pytest.raises(DamagedValueError) as again:
        series.opened(0)
    assert str(first.value) == str(again.value)
    assert reads.bytes == 0


def test_millions_of_samples_take_no_memory(tmp_path: Path) -> None:
    many = eb.blob(8, b"ab") * 300_000
    write_run(tmp_path / "a", eb.tensor_record(b"x", 7, eb.shape(300_000), many, meta=eb.metadata(b"images")))
    filled = eb.tensor_record(b"x", 7, eb.shape(20_000_000), eb.blob(8, b"ab"), meta=eb.metadata(b"images"))
    write_run(tmp_path / "b", filled)
    for run, reason in (("a", "more than 100,000 strings"), ("b", "not filled up beyond")):
        series = read(tmp_path).get(run).media(Kind.image)["x"]
        tracemalloc.start()
        try:
            with pytest.raises(DamagedValueError, match=reason):
                series.opened(0)
            assert tracemalloc.get_traced_memory()[1] < 40 << 20
        finally:
            tracemalloc.stop()


_TENSOR_OF_NUMBERS = {
    "packed bool_val": eb.blob(11, b"\1" * 4_000_000),
    "packed int_val": eb.blob(7, b"\1" * 4_000_000),
    "packed float_val": eb.blob(5, bytes(4_000_000)),
    "variants": eb.blob(15, eb.blob(1, b"a")) * 1_000,
}


@pytest.mark.parametrize("numbers", _TENSOR_OF_NUMBERS.values(), ids=_TENSOR_OF_NUMBERS)
def test_numbers_beside_the_strings_are_neither_read_nor_decoded(tmp_path: Path, numbers: bytes) -> None:
    strings = eb.blob(8, b"6") + eb.blob(8, b"4") + numbers + eb.blob(8, b"picture")
    write_run(tmp_path / "a", eb.tensor_record(b"x", 7, eb.shape(3), strings, meta=eb.metadata(b"images")))
    series = read(tmp_path).get("a").media(Kind.image)["x"]
    reads = _Counted(series)
    tracemalloc.start()
    try:
        (sample,) = series.opened(0).samples
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert sample[:] == b"picture"
    assert reads.bytes <= 3 * stored_bytes.PAGE_BYTES
    assert peak < 2 << 20


_MANY_FIELDS = {
    "unknown": eb.integer(15, 1) * 300_000,
    "in a group": b"\x7b" + eb.integer(14, 1) * 300_000 + b"\x7c",
    "dimensions": eb.tensor(7, eb.blob(2, eb.blob(2, b"") * 300_000)),
    "metadata": eb.blob(9, b"") * 300_000,
}


@pytest.mark.parametrize("data", _MANY_FIELDS.values(), ids=_MANY_FIELDS)
def test_a_value_of_endless_fields_is_not_read_to_its_end(data: bytes) -> None:
    read_until: list[int] = []

    def read_some(start: int, length: int) -> bytes:
        read_until.append(start + length)
        return data[start : start + length]

    source = StoredBytes.of(read_some, len(data), file="x")
    with pytest.raises(DamagedValueError, match="more than 200,000 fields"):
        decode_item(Kind.image, Form.TENSOR, source, step=0, wall_time=0.0, tag="x")
    assert max(read_until) < len(data)


def test_a_name_of_megabytes_is_not_read() -> None:
    data = eb.blob(9, eb.blob(2, bytes(3_000_000))) + VALUES[0][2]
    source = stored(data)
    tracemalloc.start()
    try:
        with pytest.raises(DamagedValueError, match="a name in it has 3,000,000 bytes"):
            decode_item(Kind.image, Form.IMAGE, source, step=0, wall_time=0.0, tag="x")
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()


def test_what_is_kept_of_layouts_is_bounded() -> None:
    kept = Kept(max_bytes=10_000)
    for number in range(100):
        kept.keep(str(number), Layout(None, reason="x"))
        kept.get("90")
    assert sum(kept.get(str(number)) is not None for number in range(100)) == 10
    assert kept.get("90") is not None
    kept.keep("huge", Layout(None, array("q", [0]) * 1_000, array("q", [0]) * 1_000))
    assert kept.get("huge") is None
    assert kept.get("90") is not None  # what does not fit pushes nobody out


# ── items ────────────────────────────────────────────────────────────────────────────────────────────────

_STRINGS = (
    eb.blob(8, b"6") + eb.blob(8, b"4") + eb.blob(8, bytes(400)) + eb.blob(8, b"\1" * 300) + eb.blob(8, b"s")
)
VALUES: list[tuple[Kind, int, bytes]] = [
    (
        Kind.image,
        Form.IMAGE,
        eb.blob(1, b"x") + eb.blob(4, eb.integer(1, 4) + eb.integer(2, 6) + eb.blob(4, bytes(500))),
    ),
    (Kind.image, Form.TENSOR, eb.tensor(7, eb.shape(5), _STRINGS)),
    (
        Kind.image,
        Form.TENSOR,
        eb.tensor(7, eb.shape(9), _STRINGS),
    ),  # the last one counts for the missing ones
    (Kind.audio, Form.TENSOR, eb.tensor(7, eb.shape(2, 2), eb.blob(8, bytes(300)) * 4)),
    (Kind.audio, Form.AUDIO, eb.blob(6, eb.blob(4, bytes(300)) + eb.blob(5, b"audio/wav"))),
]


def outcome(kind: Kind, form: int, data: Any) -> object:
    try:
        item: Any = decode_item(kind, form, data, step=1, wall_time=2.0, tag="x")
    except DamagedValueError as error:
        return str(error)
    return (
        [bytes(sample[:]) for sample in item.samples],
        getattr(item, "labels", None),
        getattr(item, "stated_width", None),
    )


@given(st.sampled_from(VALUES), st.lists(st.tuples(st.floats(0, 1), st.integers(0, 255)), max_size=4))
def test_an_item_is_the_same_from_memory_and_from_the_log(
    value: tuple[Kind, int, bytes], changes: list[tuple[float, int]]
) -> None:
    kind, form, data = value
    damaged = bytearray(data)
    for place, byte in changes:
        damaged[min(int(place**3 * len(data)), len(data) - 1)] = byte
    assert outcome(kind, form, stored(bytes(damaged))) == outcome(kind, form, bytes(damaged))
