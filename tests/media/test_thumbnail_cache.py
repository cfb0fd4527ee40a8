"""Thumbnails are made once, kept within bounds, and nothing goes wrong when they cannot be."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any

import pytest

from sightline.media import decoding, thumbnail_cache
from sightline.media.pictures import PassingError
from sightline.media.thumbnail_cache import ThumbnailCache
from sightline.media.thumbnails import Picture
from sightline.model.byte_source import ByteSource
from sightline.model.errors import MediaError
from sightline.model.thumbnail_place import FILE_NAME, ThumbnailPlace
from tests.media.encoded import encode, image, photo

BODY = encode(image(photo(8, 8)), "PNG")
PLENTY = 1 << 30


class Maker:
    """Makes the same thumbnail of everything, and counts."""

    def __init__(self, body: bytes = BODY) -> None:
        self.body = body
        self.made: list[tuple[bytes, int]] = []

    def __call__(self, source: ByteSource, size: int) -> Picture:
        data = source[:]
        self.made.append((data, size))
        if data.startswith(b"large") and len(self.made) == 1:
            raise PassingError("not now")
        if data.startswith(b"bad"):
            raise MediaError("no picture")
        if data.startswith(b"small"):
            return Picture(data, "image/gif", is_original=True)
        return Picture(self.body, "image/png", is_original=False)


def names(place: ThumbnailPlace) -> list[str]:
    return sorted(os.listdir(place.directory)) if place.directory.exists() else []


@pytest.fixture
def place(tmp_path: Path) -> ThumbnailPlace:
    return ThumbnailPlace(tmp_path / "cache" / "thumbnails", PLENTY)


def test_it_is_made_once_per_picture_and_size(place: ThumbnailPlace) -> None:
    make = Maker()
    kept = ThumbnailCache(place, make=make)
    for _ in range(3):
        assert kept.get(b"one", 128) == Picture(BODY, "image/png", is_original=False)
    kept.get(b"one", 256)
    kept.get(b"two", 128)
    assert make.made == [(b"one", 128), (b"one", 256), (b"two", 128)]


def test_another_server_finds_it_on_disk(place: ThumbnailPlace) -> None:
    ThumbnailCache(place, make=Maker()).get(b"one", 128)
    make = Maker()
    assert ThumbnailCache(place, make=make).get(b"one", 128).body == BODY
    assert make.made == []
    assert all(FILE_NAME.fullmatch(name) for name in names(place))


@pytest.mark.parametrize("none", [None, ThumbnailPlace(Path("/nowhere"), 0)])
def test_without_a_place_it_is_kept_in_memory(none: ThumbnailPlace | None) -> None:
    make = Maker()
    kept = ThumbnailCache(none, make=make)
    kept.get(b"one", 128)
    kept.get(b"one", 128)
    assert len(make.made) == 1


def test_a_picture_that_is_its_own_thumbnail_is_kept_nowhere(place: ThumbnailPlace) -> None:
    make = Maker()
    kept = ThumbnailCache(place, make=make)
    data = b"small" * 1000
    for _ in range(2):
        assert kept.get(data, 128) == Picture(data, "image/gif", is_original=True)
    assert len(make.made) == 1
    assert names(place) == []


def test_a_picture_that_cannot_be_shown_is_tried_once(place: ThumbnailPlace) -> None:
    make = Maker()
    kept = ThumbnailCache(place, make=make)
    for _ in range(3):
        with pytest.raises(MediaError, match="no picture"):
            kept.get(b"bad", 128)
    assert len(make.made) == 1
    assert names(place) == []


def test_memory_is_bounded(place: ThumbnailPlace) -> None:
    make = Maker(b"x" * 1000)
    kept = ThumbnailCache(None, memory_bytes=3600, make=make)
    for data in (b"1", b"2", b"3", b"1", b"4"):  # three fit
        kept.get(data, 128)
    make.made.clear()
    for data in (b"1", b"3", b"4"):
        kept.get(data, 128)
    assert make.made == []
    kept.get(b"2", 128)  # the one that was not used for longest
    assert make.made == [(b"2", 128)]


def test_those_that_ask_at_the_same_time_wait_for_the_first() -> None:
    is_making, may_end = threading.Event(), threading.Event()
    made = []

    def make(data: ByteSource, _size: int) -> Picture:
        made.append(data)
        is_making.set()
        assert may_end.wait(30)
        return Picture(BODY, "image/png", is_original=False)

    kept = ThumbnailCache(None, make=make)
    found: list[Picture] = []
    threads = [threading.Thread(target=lambda: found.append(kept.get(b"one", 128))) for _ in range(4)]
    threads[0].start()
    assert is_making.wait(30)
    for thread in threads[1:]:
        thread.start()
    may_end.set()
    for thread in threads:
        thread.join(30)
    assert [picture.body for picture in found] == [BODY] * 4
    assert made == [b"one"]


def test_a_failure_of_the_first_is_not_that_of_the_others() -> None:
    """What is no MediaError tells nothing of the picture, and must not stay."""
    errors: list[Exception] = [OSError("too many open files")]

    def make(_data: ByteSource, _size: int) -> Picture:
        if errors:
            raise errors.pop()
        return Picture(BODY, "image/png", is_original=False)

    kept = ThumbnailCache(None, make=make)
    with pytest.raises(OSError, match="too many"):
        kept.get(b"one", 128)
    assert kept.get(b"one", 128).body == BODY


# ── on disk ──────────────────────────────────────────────────────────────────────────────────────────────


def made_in(place: ThumbnailPlace, numbers: range, **options: int) -> None:
    """Each is older than the next, by a second."""
    kept = ThumbnailCache(place, make=Maker(), memory_bytes=0, **options)
    for number in numbers:
        before = set(names(place))
        kept.get(str(number).encode(), 128)
        for name in set(names(place)) - before:
            os.utime(place.directory / name, (number, number))


def numbers_in(place: ThumbnailPlace) -> set[int]:
    return {int((place.directory / name).stat().st_mtime) for name in names(place)}


def test_the_oldest_files_go_first(place: ThumbnailPlace) -> None:
    limited = ThumbnailPlace(place.directory, 10 * len(BODY))
    made_in(limited, range(1, 31))
    assert len(names(limited)) <= 10
    assert min(numbers_in(limited)) > 20


def test_the_number_of_files_is_bounded(place: ThumbnailPlace) -> None:
    made_in(place, range(1, 31), max_files=10)
    assert len(names(place)) <= 10
    assert min(numbers_in(place)) > 20


def test_what_is_used_again_is_not_old(place: ThumbnailPlace) -> None:
    made_in(place, range(1, 9))
    ThumbnailCache(place, make=Maker()).get(b"1", 128)
    limited = ThumbnailPlace(place.directory, 5 * len(BODY))
    ThumbnailCache(limited, make=Maker()).get(b"new", 128)
    make = Maker()
    ThumbnailCache(place, make=make).get(b"1", 128)
    assert make.made == []
    assert len(names(place)) <= 5


def test_foreign_files_are_neither_counted_nor_removed(place: ThumbnailPlace) -> None:
    place.directory.mkdir(parents=True)
    foreign = place.directory / "precious.png"
    foreign.write_bytes(bytes(100 * len(BODY)))
    limited = ThumbnailPlace(place.directory, 10 * len(BODY))
    made_in(limited, range(1, 6))
    assert foreign.exists()
    assert len(names(limited)) == 6


def test_a_file_that_is_no_picture_is_made_again(place: ThumbnailPlace) -> None:
    ThumbnailCache(place, make=Maker()).get(b"one", 128)
    (name,) = names(place)
    (place.directory / name).write_bytes(b"")
    make = Maker()
    assert ThumbnailCache(place, make=make).get(b"one", 128).body == BODY
    assert len(make.made) == 1


def test_a_place_that_cannot_be_written_costs_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"in the way")
    make = Maker()
    kept = ThumbnailCache(ThumbnailPlace(tmp_path / "file" / "thumbnails", PLENTY), make=make)
    assert kept.get(b"one", 128).body == BODY
    assert kept.get(b"one", 128).body == BODY
    assert len(make.made) == 1


def test_a_full_disk_leaves_no_half_files(place: ThumbnailPlace, monkeypatch: pytest.MonkeyPatch) -> None:
    def write_half(path: Path, data: bytes) -> int:
        with path.open("wb") as file:
            file.write(data[: len(data) // 2])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", write_half)
    assert ThumbnailCache(place, make=Maker()).get(b"one", 128).body == BODY
    assert names(place) == []


def test_leftovers_of_servers_that_died_are_removed_after_a_while(place: ThumbnailPlace) -> None:
    place.directory.mkdir(parents=True)
    old = place.directory / f"{'a' * 40}.png.{'0' * 8}.tmp"
    new = place.directory / f"{'b' * 40}.png.{'0' * 8}.tmp"
    for path in (old, new):
        path.write_bytes(b"half")
    os.utime(old, (1, 1))
    ThumbnailCache(place, make=Maker()).get(b"one", 128)
    assert not old.exists()
    assert new.exists()


def test_a_lack_of_memory_is_not_remembered() -> None:
    maker = Maker()
    kept = ThumbnailCache(None, make=maker)
    with pytest.raises(MediaError, match="not now"):
        kept.get(b"large", 128)
    assert kept.get(b"large", 128).body == BODY


class _Stored:
    """Bytes that notice when they are read, and zeros behind them."""

    def __init__(self, data: bytes, length: int = 0) -> None:
        self._data = data
        self._length = length or len(data)
        self.reads = 0
        self.sizes: list[int] = []
        self.free_slots: list[int] = []

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, index: Any) -> Any:
        self.reads += 1
        if isinstance(index, int):
            return self._data[index] if index < len(self._data) else 0
        start, stop, _ = index.indices(self._length)
        self.sizes.append(stop - start)
        self.free_slots.append(decoding._free)
        found = self._data[start:stop]
        return found + bytes(stop - start - len(found))


def test_a_thumbnail_that_is_there_is_had_without_reading_the_picture(place: ThumbnailPlace) -> None:
    kept = ThumbnailCache(place, make=Maker())
    source = _Stored(b"one")
    assert kept.get(source, 128, name="x").body == BODY
    assert source.reads
    source.reads = 0
    assert kept.get(source, 128, name="x").body == BODY
    assert source.reads == 0
    assert kept.get(_Stored(b"two"), 128, name="y").body == BODY
    # Another size is made from the bytes, and found on disk without them.
    kept.get(source, 256, name="x")
    forgetful = ThumbnailCache(place, make=Maker(), memory_bytes=0)
    forgetful.get(source, 256, name="x")
    source.reads = 0
    forgetful.get(source, 256, name="x")
    assert source.reads == 0


def test_what_is_beyond_the_limits_is_not_read() -> None:
    source = _Stored(BODY, 280 << 20)
    kept = ThumbnailCache(None)
    with pytest.raises(MediaError, match="too large to be shown: 293,601,280 bytes"):
        kept.get(source, 128, name="x")
    assert sum(source.sizes) < 10_000
    source.reads = 0
    with pytest.raises(MediaError, match="too large to be shown"):
        kept.get(source, 128, name="x")
    assert source.reads == 0


def test_a_large_picture_is_hashed_in_pieces_and_in_memory_only_in_its_turn() -> None:
    source = _Stored(encode(image(photo(300, 300)), "PNG"), 5 << 20)
    ThumbnailCache(None).get(source, 128)
    long_ones = [
        (size, free) for size, free in zip(source.sizes, source.free_slots, strict=True) if size > 64 << 10
    ]
    assert long_ones == [(1 << 20, decoding.SLOTS)] * 5 + [(5 << 20, decoding.SLOTS - 1)]


@pytest.mark.parametrize("data", [BODY, b"GIF89a" + bytes(20)])
def test_facts_are_found_out_once_also_if_there_are_none(data: bytes) -> None:
    kept = ThumbnailCache(None)
    source = _Stored(data)

    def told() -> object:
        try:
            return kept.facts(source, "x")
        except MediaError as error:
            return str(error)

    first = told()
    source.reads = 0
    assert told() == first
    assert source.reads == 0


def test_whether_it_is_grey_is_known_again_from_the_disk(place: ThumbnailPlace) -> None:
    for values, is_grey in ((photo(300, 300, 1), True), (photo(300, 300), False)):
        data = encode(image(values).convert("RGB"), "PNG")
        assert ThumbnailCache(place).get(data, 128).is_grey is is_grey
        assert ThumbnailCache(place, make=Maker()).get(data, 128).is_grey is is_grey


def test_names_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thumbnail_cache, "MAX_NAMES", 2)
    kept = ThumbnailCache(None, make=Maker())
    source = _Stored(b"one")
    for name in "abc":
        kept.get(source, 128, name=name)
    source.reads = 0
    kept.get(source, 128, name="a")
    assert source.reads
