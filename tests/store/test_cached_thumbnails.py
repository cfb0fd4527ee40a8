"""Thumbnails in the cache directory: counted, cleared, and part of its limit."""

from __future__ import annotations

from pathlib import Path

import pytest

from sightline.log import open_log
from sightline.model.thumbnail_place import DIRECTORY_NAME
from sightline.store.cache import LIMIT_VARIABLE, THUMBNAILS_SHARE, cache_info, clear_cache, evict
from tests.event_logs import points, write_run


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    directory = tmp_path / "cache"
    thumbnails = directory / DIRECTORY_NAME
    thumbnails.mkdir(parents=True)
    (thumbnails / f"{'a' * 40}.webp").write_bytes(bytes(1000))
    (thumbnails / f"{'b' * 40}.png.{'0' * 8}.tmp").write_bytes(bytes(10))
    (thumbnails / "not-ours.png").write_bytes(bytes(5))
    return directory


def test_they_are_counted(cache: Path) -> None:
    info = cache_info(cache)
    assert info.thumbnails_bytes == 1010
    assert info.size_bytes == 1010
    assert info.entries == ()


def test_clearing_removes_ours_only(cache: Path) -> None:
    assert clear_cache(cache).thumbnails_bytes == 1010
    assert [path.name for path in (cache / DIRECTORY_NAME).iterdir()] == ["not-ours.png"]
    (cache / DIRECTORY_NAME / "not-ours.png").unlink()
    clear_cache(cache)
    assert not (cache / DIRECTORY_NAME).exists()


def test_a_link_is_not_followed(cache: Path, tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_bytes(bytes(7))
    (cache / DIRECTORY_NAME / f"{'c' * 40}.png").symlink_to(precious)
    assert clear_cache(cache).thumbnails_bytes == 1010
    assert precious.exists()


def test_indexes_make_room_for_them(cache: Path, tmp_path: Path) -> None:
    write_run(tmp_path / "log", points(range(100)))
    with open_log(tmp_path / "log", watch=False, cache=cache) as log:
        log.wait()
    (entry,) = cache_info(cache).entries
    spared = cache / "other"
    assert evict(cache, limit_bytes=entry.size_bytes + 1010, spared=spared) == []
    assert evict(cache, limit_bytes=entry.size_bytes + 1009, spared=spared) == [entry.directory]


def test_a_log_knows_where_they_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_run(tmp_path / "log", points(range(3)))
    monkeypatch.setenv(LIMIT_VARIABLE, "80M")
    with open_log(tmp_path / "log", watch=False, cache=tmp_path / "cache") as log:
        assert log.thumbnail_place is not None
        assert log.thumbnail_place.directory == tmp_path / "cache" / DIRECTORY_NAME
        assert log.thumbnail_place.limit_bytes == (80 << 20) // THUMBNAILS_SHARE
    with open_log(tmp_path / "log", watch=False, cache=False) as log:
        assert log.thumbnail_place is None
    monkeypatch.setenv(LIMIT_VARIABLE, "much")
    with open_log(tmp_path / "log", watch=False, cache=tmp_path / "cache") as log:
        assert log.thumbnail_place is None
