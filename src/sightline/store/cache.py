"""Where the persisted index lives on disk: one directory of packs per set of roots, bounded in size.

    $SIGHTLINE_CACHE_DIR/            (default: the user's cache directory, never the log directory)
      3f9c…e1/                       name = hash of the roots, their prefixes and filters
        stamp.json                   what the entry belongs to and when it was last used
        …                            packs; written and read by the core only
      thumbnails/                    small pictures, see media/thumbnail_cache.py; counted and cleared here

The cache is only a cache. Nothing here raises into reading: trouble becomes one warning and the log is read
without it. When all entries together pass the limit, the least recently used ones go first. Only directories
that carry our stamp are ever removed, so a cache directory that points at the wrong place costs nothing.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sightline.model.errors import BadArgumentError
from sightline.model.thumbnail_place import DIRECTORY_NAME, FILE_NAME, ThumbnailPlace

if TYPE_CHECKING:
    from sightline._core import Index

DIRECTORY_VARIABLE = "SIGHTLINE_CACHE_DIR"
LIMIT_VARIABLE = "SIGHTLINE_CACHE_LIMIT"
DEFAULT_LIMIT_BYTES = 4 << 30
"""4 GiB holds about 170 million points (24 bytes each): several large projects, and few home quotas mind."""

THUMBNAILS_SHARE = 8
"""Thumbnails may take one part of so many of the limit: 512 MiB of 4 GiB."""

LAYOUT_VERSION = 1
"""Part of every entry's name: another layout of this directory never meets entries of this one."""

_STAMP_NAME = "stamp.json"
_ENTRY_NAME = re.compile(r"[0-9a-f]{32}")
_TEMPORARY_NAME = re.compile(rf"{re.escape(_STAMP_NAME)}\.\d+|.*\.tmp")
"""Files that become the stamp (ours) and the packs (the core's) once they are complete."""

_LEFTOVER_AGE_S = 24 * 3600.0
"""A temporary file lives for seconds; one that is a day old was left by a process that did not survive."""

_REMOVING_PREFIX = ".removing-"
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?", re.IGNORECASE)
_UNIT_BYTES = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


@dataclass(frozen=True, slots=True)
class CacheEntry:
    """The packs of one set of roots."""

    directory: Path
    roots: tuple[str, ...]
    last_used_s: float
    """Wall time."""
    size_bytes: int


@dataclass(frozen=True, slots=True)
class CacheInfo:
    """What is in the cache directory; entries are ordered from the most to the least recently used."""

    directory: Path
    limit_bytes: int
    entries: tuple[CacheEntry, ...]
    thumbnails_bytes: int = 0
    """Of the small pictures that servers keep, of all logs."""

    @property
    def size_bytes(self) -> int:
        return sum(entry.size_bytes for entry in self.entries) + self.thumbnails_bytes


def default_directory(environment: Mapping[str, str] = os.environ, *, platform: str = sys.platform) -> Path:
    """The cache directory: $SIGHTLINE_CACHE_DIR, else the place the platform keeps caches in."""
    if chosen := environment.get(DIRECTORY_VARIABLE):
        return Path(chosen).expanduser()
    home = Path(environment["HOME"]) if environment.get("HOME") else Path.home()
    if platform == "darwin":
        return home / "Library" / "Caches" / "sightline"
    if platform == "win32" and (local := environment.get("LOCALAPPDATA")):
        return Path(local) / "sightline" / "cache"
    base = environment.get("XDG_CACHE_HOME", "")
    # The XDG rules say that a relative path in the variable must be ignored.
    return (Path(base) if os.path.isabs(base) else home / ".cache") / "sightline"


def limit_from_environment(environment: Mapping[str, str] = os.environ) -> int:
    """The size bound in bytes. Raises BadArgumentError when the variable cannot be understood."""
    text = environment.get(LIMIT_VARIABLE, "").strip()
    if not text:
        return DEFAULT_LIMIT_BYTES
    try:
        return bytes_from_text(text)
    except ValueError:
        raise BadArgumentError(
            f"{LIMIT_VARIABLE} is not a size: {text!r}; write bytes or a number with K, M, G or T, like 2G"
        ) from None


def bytes_from_text(text: str) -> int:
    """Bytes from ``"1048576"``, ``"512M"``, ``"1.5 GiB"``; powers of 1024. Raises ValueError."""
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"not a size: {text!r}")
    return int(float(match[1]) * _UNIT_BYTES[match[2].upper()])


def entry_name(roots: Sequence[tuple[str, str]], *, include: Sequence[str], exclude: Sequence[str]) -> str:
    """Name of the entry for these (location, prefix) roots; the order of roots does not matter."""
    resolved = sorted((_canonical(location), prefix) for location, prefix in roots)
    key = json.dumps([LAYOUT_VERSION, resolved, sorted(include), sorted(exclude)])
    # surrogateescape: names of directories need not be valid Unicode.
    return hashlib.sha256(key.encode("utf-8", "surrogateescape")).hexdigest()[:32]


def _canonical(location: str) -> str:
    return location if "://" in location else os.path.realpath(location)


class CacheDirectory:
    """The entry of one log in the cache: load before the first scan, save after reading.

    ``warn`` gets at most one line, whatever goes wrong how often.
    """

    def __init__(
        self,
        roots: Sequence[tuple[str, str]],
        *,
        include: Sequence[str] = (),
        exclude: Sequence[str] = (),
        parent: Path | None = None,
        warn: Callable[[str], None],
    ) -> None:
        self._parent = parent if parent is not None else default_directory()
        self._roots = tuple(_canonical(location) for location, _ in roots)
        self._warn = warn
        self._has_warned = False
        self._limit_bytes: int | None = None
        self.path = self._parent / entry_name(roots, include=include, exclude=exclude)

    def thumbnail_place(self) -> ThumbnailPlace | None:
        """Where servers keep thumbnails; None when the limit cannot be understood."""
        try:
            limit_bytes = limit_from_environment()
        except BadArgumentError:
            return None  # saving the index says so
        return ThumbnailPlace(self._parent / DIRECTORY_NAME, limit_bytes // THUMBNAILS_SHARE)

    def load(self, index: Index) -> int:
        """Give the index what is known from earlier; returns how many files that is."""
        try:
            if not self.path.is_dir():
                return 0
            return index.load_cache(str(self.path))
        except (OSError, RuntimeError, ValueError) as error:
            self._report(error)
            return 0

    def save(self, index: Index) -> int:
        """Write what changed and keep the whole cache below its limit; returns the bytes written."""
        try:
            if not self.path.is_dir() and not index.run_names():
                return 0  # a directory without logs, opened by mistake, leaves no trace
            is_first = self._limit_bytes is None
            if self._limit_bytes is None:
                self._limit_bytes = limit_from_environment()  # before anything is written
            self._write_stamp()
            _remove_old_temporaries(self.path)
            written_bytes = index.save_cache(str(self.path))
            if written_bytes or is_first:  # the limit may be another one than the last time
                self._keep_limit(self._limit_bytes)
            return written_bytes
        except (OSError, RuntimeError, ValueError, BadArgumentError) as error:
            self._report(error)
            return 0

    def _keep_limit(self, limit_bytes: int) -> None:
        evict(self._parent, limit_bytes=limit_bytes, spared=self.path)
        own_bytes = _size_bytes(self.path)
        if own_bytes > limit_bytes:
            _remove(self.path)
            self._report(
                f"this log alone needs {own_bytes:,} bytes, the limit is {limit_bytes:,} "
                f"({LIMIT_VARIABLE}); it was read and works, but the next start will read it again"
            )

    def _write_stamp(self) -> None:
        self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        stamp = {"roots": self._roots, "last_used_s": time.time()}
        # One temporary name per process: two processes on one log must not tear each other's stamp.
        temporary = self.path / f"{_STAMP_NAME}.{os.getpid()}"
        temporary.write_text(json.dumps(stamp), encoding="utf-8", errors="surrogateescape")
        temporary.replace(self.path / _STAMP_NAME)

    def _report(self, trouble: Exception | str) -> None:
        if not self._has_warned:
            self._has_warned = True
            self._warn(f"The cache is not used: {trouble}. Cache directory: {self._parent}")


def cache_info(directory: Path | None = None) -> CacheInfo:
    """What is in the cache now."""
    directory = directory if directory is not None else default_directory()
    thumbnails_bytes = sum(size_bytes for _, size_bytes in _thumbnails(directory))
    return CacheInfo(directory, limit_from_environment(), tuple(_entries(directory)), thumbnails_bytes)


def clear_cache(directory: Path | None = None) -> CacheInfo:
    """Remove every entry; returns what was there. Logs that are open go on undisturbed."""
    before = cache_info(directory)
    for entry in before.entries:
        _remove(entry.directory)
    for path, _ in _thumbnails(before.directory):
        with suppress(OSError):  # a server may have been faster
            path.unlink()
    with suppress(OSError):  # not there, or somebody put something else into it
        (before.directory / DIRECTORY_NAME).rmdir()
    _remove_leftovers(before.directory)
    return before


def evict(directory: Path, *, limit_bytes: int, spared: Path) -> list[Path]:
    """Remove least recently used entries until the cache fits, never the spared one; returns the removed."""
    entries = _entries(directory)
    excess_bytes = sum(entry.size_bytes for entry in entries) - limit_bytes
    excess_bytes += sum(size_bytes for _, size_bytes in _thumbnails(directory))
    removed = []
    for entry in reversed(entries):
        if excess_bytes <= 0:
            break
        if entry.directory != spared:
            _remove(entry.directory)
            removed.append(entry.directory)
            excess_bytes -= entry.size_bytes
    _remove_leftovers(directory)
    return removed


def _entries(directory: Path) -> list[CacheEntry]:
    """Entries from the most to the least recently used; anything without our stamp is not ours."""
    entries = []
    try:
        names = os.listdir(directory)
    except OSError:
        return []
    for name in names:
        if not _ENTRY_NAME.fullmatch(name):
            continue
        path = directory / name
        try:
            text = (path / _STAMP_NAME).read_text(encoding="utf-8", errors="surrogateescape")
        except OSError:
            continue
        try:
            stamp = json.loads(text)
            roots = tuple(str(root) for root in stamp["roots"])
            last_used_s = float(stamp["last_used_s"])
        except (ValueError, KeyError, TypeError):
            roots, last_used_s = (), 0.0  # a damaged stamp is still ours, and the first to go
        entries.append(CacheEntry(path, roots, last_used_s, _size_bytes(path)))
    return sorted(entries, key=lambda entry: (-entry.last_used_s, entry.directory))


def _thumbnails(directory: Path) -> list[tuple[Path, int]]:
    """Files and their sizes; those of other names are not ours."""
    found = []
    with suppress(OSError), os.scandir(directory / DIRECTORY_NAME) as items:
        for item in items:
            if FILE_NAME.fullmatch(item.name) and item.is_file(follow_symlinks=False):
                with suppress(OSError):
                    found.append((Path(item.path), item.stat(follow_symlinks=False).st_size))
    return found


def _size_bytes(directory: Path) -> int:
    size_bytes = 0
    try:
        with os.scandir(directory) as items:
            for item in items:
                if item.is_file(follow_symlinks=False):
                    size_bytes += item.stat(follow_symlinks=False).st_size
    except OSError:
        pass  # vanished meanwhile: another process evicted it
    return size_bytes


def _remove(entry: Path) -> None:
    """Take the entry away in one step (rename), then delete: nobody ever sees half of it."""
    doomed = entry.with_name(f"{_REMOVING_PREFIX}{entry.name}-{os.getpid()}-{time.monotonic_ns()}")
    try:
        entry.rename(doomed)
    except OSError:
        return  # gone already, or not ours to remove
    shutil.rmtree(doomed, ignore_errors=True)


def _remove_old_temporaries(entry: Path) -> None:
    """Take away what processes left in an entry that died while they were saving."""
    newest_s = time.time() - _LEFTOVER_AGE_S
    with os.scandir(entry) as items:
        names = [item.name for item in items if _TEMPORARY_NAME.fullmatch(item.name)]
    for name in names:
        with suppress(OSError):  # another process may be doing the same, or is done with the file
            if (entry / name).stat().st_mtime < newest_s:
                (entry / name).unlink()


def _remove_leftovers(directory: Path) -> None:
    """Finish removals that another process began and did not survive."""
    for path in directory.glob(f"{_REMOVING_PREFIX}*"):
        shutil.rmtree(path, ignore_errors=True)
