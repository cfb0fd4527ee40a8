"""Where packs live, how the cache is bounded, and that trouble with it never reaches the reading."""

from __future__ import annotations

import json
import os
import stat
import time
from pathlib import Path

import pytest

from sightline.model.errors import BadArgumentError
from sightline.store.cache import (
    DEFAULT_LIMIT_BYTES,
    CacheDirectory,
    bytes_from_text,
    cache_info,
    clear_cache,
    default_directory,
    entry_name,
    evict,
    limit_from_environment,
)
from sightline.store.runs import RunStore
from tests.event_logs import append, points, read, write_run


def make_entry(directory: Path, name: str, *, size_bytes: int, last_used_s: float) -> Path:
    entry = directory / (name * 32)
    entry.mkdir(parents=True)
    (entry / "stamp.json").write_text(json.dumps({"roots": [f"/{name}"], "last_used_s": last_used_s}))
    stamp_bytes = (entry / "stamp.json").stat().st_size
    (entry / "0.pack").write_bytes(b"\0" * (size_bytes - stamp_bytes))
    return entry


def save(root: Path, *, warnings: list[str] | None = None) -> CacheDirectory:
    cache = CacheDirectory([(str(root), "")], warn=(warnings if warnings is not None else []).append)
    cache.save(read(root).index)
    return cache


def test_the_directory_follows_the_variable_then_the_platform() -> None:
    home = {"HOME": "/home/me"}
    assert default_directory({**home, "SIGHTLINE_CACHE_DIR": "/fast"}, platform="linux") == Path("/fast")
    assert default_directory(home, platform="linux") == Path("/home/me/.cache/sightline")
    xdg = {**home, "XDG_CACHE_HOME": "/var/mine"}
    assert default_directory(xdg, platform="linux") == Path("/var/mine/sightline")
    relative = {**home, "XDG_CACHE_HOME": "mine"}
    assert default_directory(relative, platform="linux") == Path("/home/me/.cache/sightline")
    assert default_directory(home, platform="darwin") == Path("/home/me/Library/Caches/sightline")


@pytest.mark.parametrize(
    ("text", "size_bytes"),
    [
        ("0", 0),
        ("1048576", 1 << 20),
        ("2G", 2 << 30),
        ("1.5 GiB", 3 << 29),
        ("512m", 512 << 20),
        ("3kB", 3072),
    ],
)
def test_sizes_are_read_as_people_write_them(text: str, size_bytes: int) -> None:
    assert bytes_from_text(text) == size_bytes


@pytest.mark.parametrize("text", ["", "G", "-1", "1X", "1e9", "two"])
def test_what_is_not_a_size_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a size"):
        bytes_from_text(text)


def test_the_limit_comes_from_the_environment() -> None:
    assert limit_from_environment({}) == DEFAULT_LIMIT_BYTES
    assert limit_from_environment({"SIGHTLINE_CACHE_LIMIT": "10M"}) == 10 << 20
    with pytest.raises(BadArgumentError, match="SIGHTLINE_CACHE_LIMIT is not a size: 'lots'"):
        limit_from_environment({"SIGHTLINE_CACHE_LIMIT": "lots"})


def test_an_entry_belongs_to_a_set_of_real_paths_prefixes_and_filters(tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "runs")
    runs, link, other = (str(tmp_path / name) for name in ("runs", "link", "other"))

    def name(*roots: tuple[str, str], include: tuple[str, ...] = (), exclude: tuple[str, ...] = ()) -> str:
        return entry_name(roots, include=include, exclude=exclude)

    assert name((runs, "")) == name((link, "")) == name((runs + "/../runs", ""))
    assert name((runs, ""), (other, "")) == name((other, ""), (runs, ""))
    names = [
        name((runs, "")),
        name((other, "")),
        name((runs, "mine")),
        name((runs, ""), include=("a*",)),
        name((runs, ""), exclude=("a*",)),
        name(("s3://bucket/runs", "")),
    ]
    assert len(set(names)) == len(names)


def test_what_was_saved_is_known_to_the_next_index(tmp_path: Path) -> None:
    write_run(tmp_path / "a", points(range(50)))
    cache = save(tmp_path)
    store = RunStore()
    store.index.add_root(str(tmp_path))
    assert cache.load(store.index) == 1
    store.index.scan()
    assert store.runs()[0].scalars["loss"].value.tolist() == list(range(50))


def test_what_dead_processes_left_in_an_entry_goes_after_a_day(tmp_path: Path) -> None:
    write_run(tmp_path / "a", points(range(50)))
    cache = save(tmp_path)
    day_old_s = time.time() - 25 * 3600
    for name in ("stamp.json.123", "7.pack.tmp", "mine.json", "stamp.json.old"):
        (cache.path / name).write_text("x")
        os.utime(cache.path / name, (day_old_s, day_old_s))
    for name in ("stamp.json.456", "8.pack.tmp"):
        (cache.path / name).write_text("x")
    before = set(os.listdir(cache.path))
    cache.save(read(tmp_path).index)
    assert before - set(os.listdir(cache.path)) == {"stamp.json.123", "7.pack.tmp"}


def test_a_file_that_grew_since_it_was_saved_is_read_on(tmp_path: Path) -> None:
    path = write_run(tmp_path / "a", points(range(50)))
    cache = save(tmp_path)
    append(path, points(range(50, 60)))
    store = RunStore()
    store.index.add_root(str(tmp_path))
    cache.load(store.index)
    store.index.scan()
    assert store.runs()[0].scalars["loss"].value.tolist() == list(range(60))


def test_a_damaged_pack_costs_time_and_no_points(tmp_path: Path) -> None:
    write_run(tmp_path / "a", points(range(50)))
    cache = save(tmp_path)
    for pack in cache.path.glob("*.pack"):
        pack.write_bytes(bytes(byte ^ 0x5A for byte in pack.read_bytes()))
    store = RunStore()
    store.index.add_root(str(tmp_path))
    cache.load(store.index)
    store.index.scan()
    assert store.runs()[0].scalars["loss"].value.tolist() == list(range(50))


def test_info_tells_roots_sizes_and_limit(tmp_path: Path, cache_directory: Path) -> None:
    write_run(tmp_path / "a", points(range(50)))
    cache = save(tmp_path)
    info = cache_info()
    assert info.directory == cache_directory
    assert info.limit_bytes == DEFAULT_LIMIT_BYTES
    (entry,) = info.entries
    assert entry.directory == cache.path
    assert entry.roots == (str(tmp_path),)
    assert entry.size_bytes == info.size_bytes == sum(file.stat().st_size for file in cache.path.iterdir())


def test_an_entry_is_private_to_its_user(tmp_path: Path) -> None:
    write_run(tmp_path / "a", points(range(50)))
    assert stat.S_IMODE(save(tmp_path).path.stat().st_mode) == 0o700


def test_a_directory_without_logs_leaves_no_entry(tmp_path: Path) -> None:
    save(tmp_path)
    assert cache_info().entries == ()


def test_clear_removes_every_entry_and_nothing_else(tmp_path: Path, cache_directory: Path) -> None:
    write_run(tmp_path / "a", points(range(50)))
    save(tmp_path)
    foreign = cache_directory / ("f" * 32)
    foreign.mkdir()
    (foreign / "thesis.tex").write_text("precious")
    leftover = cache_directory / ".removing-0-1-2"
    leftover.mkdir()
    assert len(clear_cache().entries) == 1
    assert list(cache_directory.iterdir()) == [foreign]
    assert clear_cache().entries == ()


def test_a_cache_that_does_not_exist_is_empty(tmp_path: Path) -> None:
    assert cache_info(tmp_path / "nowhere").entries == ()
    assert clear_cache(tmp_path / "nowhere").entries == ()


def test_the_least_recently_used_entries_go_first(tmp_path: Path) -> None:
    old, middle, new = (
        make_entry(tmp_path, name, size_bytes=1000, last_used_s=used)
        for name, used in (("a", 1.0), ("b", 2.0), ("c", 3.0))
    )
    assert evict(tmp_path, limit_bytes=2000, spared=new) == [old]
    assert evict(tmp_path, limit_bytes=1999, spared=new) == [middle]
    assert [entry.directory for entry in cache_info(tmp_path).entries] == [new]


def test_the_entry_in_use_is_spared_even_when_it_is_the_oldest(tmp_path: Path) -> None:
    own = make_entry(tmp_path, "a", size_bytes=1000, last_used_s=1.0)
    other = make_entry(tmp_path, "b", size_bytes=1000, last_used_s=2.0)
    assert evict(tmp_path, limit_bytes=1500, spared=own) == [other]


def test_an_entry_with_a_damaged_stamp_is_the_first_to_go(tmp_path: Path) -> None:
    broken = make_entry(tmp_path, "a", size_bytes=1000, last_used_s=9.0)
    (broken / "stamp.json").write_text("{")
    make_entry(tmp_path, "b", size_bytes=1000, last_used_s=1.0)
    assert evict(tmp_path, limit_bytes=1500, spared=tmp_path) == [broken]


def test_saving_evicts_other_logs_when_the_limit_is_passed(
    tmp_path: Path, cache_directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = make_entry(cache_directory, "a", size_bytes=30_000, last_used_s=1.0)
    monkeypatch.setenv("SIGHTLINE_CACHE_LIMIT", "30000")
    write_run(tmp_path / "a", points(range(50)))
    own = save(tmp_path)
    assert not other.exists()
    assert own.path.exists()


def test_a_log_that_alone_passes_the_limit_is_not_kept_and_this_is_said_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SIGHTLINE_CACHE_LIMIT", "100")
    path = write_run(tmp_path / "a", points(range(50)))
    warnings: list[str] = []
    cache = CacheDirectory([(str(tmp_path), "")], warn=warnings.append)
    store = read(tmp_path)
    cache.save(store.index)
    append(path, points(range(50, 5000)))
    store.index.scan()
    cache.save(store.index)
    assert not list(cache.path.glob("*.pack"))
    assert len(warnings) == 1
    assert "SIGHTLINE_CACHE_LIMIT" in warnings[0]


def test_a_cache_directory_that_cannot_be_written_is_one_warning(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a directory")
    write_run(tmp_path / "a", points(range(50)))
    warnings: list[str] = []
    cache = CacheDirectory(
        [(str(tmp_path / "a"), "")], parent=tmp_path / "file" / "cache", warn=warnings.append
    )
    store = read(tmp_path)
    assert cache.load(store.index) == 0
    assert cache.save(store.index) == 0
    assert cache.save(store.index) == 0
    assert len(warnings) == 1
    assert warnings[0].startswith("The cache is not used: ")
    assert warnings[0].endswith(str(tmp_path / "file" / "cache"))


def test_a_limit_that_makes_no_sense_is_a_warning_when_reading(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SIGHTLINE_CACHE_LIMIT", "lots")
    write_run(tmp_path / "a", points(range(50)))
    warnings: list[str] = []
    cache = save(tmp_path, warnings=warnings)
    assert len(warnings) == 1
    assert "SIGHTLINE_CACHE_LIMIT" in warnings[0]
    assert not cache.path.exists()  # "not used" means that nothing is written either


def test_a_limit_that_was_lowered_counts_although_nothing_is_new(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_run(tmp_path / "a", points(range(50)))
    assert list(save(tmp_path).path.glob("*.pack"))
    monkeypatch.setenv("SIGHTLINE_CACHE_LIMIT", "100")
    warnings: list[str] = []
    cache = CacheDirectory([(str(tmp_path), "")], warn=warnings.append)
    store = RunStore()
    store.index.add_root(str(tmp_path))
    assert cache.load(store.index) == 1
    store.index.scan()
    assert cache.save(store.index) == 0
    assert not cache.path.exists()
    assert len(warnings) == 1


def test_saving_leaves_no_temporary_files(tmp_path: Path) -> None:
    write_run(tmp_path / "a", points(range(50)))
    cache = save(tmp_path)
    assert {path.suffix for path in cache.path.iterdir()} == {".pack", ".json"}
