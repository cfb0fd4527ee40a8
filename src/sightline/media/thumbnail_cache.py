"""Thumbnails that were made once: in memory, and in a directory of the user's cache.

A thumbnail is known by a hash of the logged bytes, its size and the version of the maker, so the same picture
in ten runs, or after a restart of the server, is made once. Of pictures that have a name the hash and the
facts are remembered: a thumbnail that is there is handed out without reading the picture. Large ones are
hashed a piece at a time, and not before their headers passed the limits.

The directory is flat, one file each, bounded in bytes and in files; the oldest go first. Servers may share
it: a file appears by renaming, complete or not at all, and may vanish at any time. A directory that cannot be
written is not written, and nobody is told: everything works without it.

    thumbnails/3f9c…e1.webp          name = hash; the ending = type of what is inside
"""

from __future__ import annotations

import hashlib
import os
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from sightline.formats.picture_headers.header import PictureHeader
from sightline.media.pictures import PassingError, facts_of, header_of
from sightline.media.thumbnails import VERSION, Picture, check_may_be_made, thumbnail
from sightline.media.types import picture_type
from sightline.model.byte_source import PIECE_BYTES, ByteSource, pieces_of
from sightline.model.errors import MediaError
from sightline.model.thumbnail_place import FILE_NAME, ThumbnailPlace

MEMORY_BYTES = 32 << 20
MAX_FILES = 50_000
"""A directory of this many files is listed in a tenth of a second."""

MAX_NAMES = 50_000
"""Whose hashes and facts are remembered, at half a kilobyte each."""

_SUFFIX_OF_TYPE = {"image/png": ".png", "image/webp": ".webp", "image/jpeg": ".jpg"}
_TYPE_OF_SUFFIX = {suffix: mime_type for mime_type, suffix in _SUFFIX_OF_TYPE.items()}
_LEFTOVER_AGE_S = 3600.0
_ENTRY_BYTES = 200
"""What an entry takes in memory besides its picture."""

Make = Callable[[ByteSource, int], Picture]


class ThumbnailCache:
    """Of one server. May be asked from any thread; the same thumbnail is made by one of them only."""

    def __init__(
        self,
        place: ThumbnailPlace | None,
        *,
        memory_bytes: int = MEMORY_BYTES,
        max_files: int = MAX_FILES,
        make: Make = thumbnail,
    ) -> None:
        """``place`` None, or with a limit of 0: nothing is kept on disk."""
        self._folder = _Folder(place, max_files) if place is not None and place.limit_bytes > 0 else None
        self._memory_bytes = memory_bytes
        self._make = make
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, Picture | MediaError] = OrderedDict()
        self._kept_bytes = 0
        self._being_made: dict[str, Future[Picture | MediaError]] = {}
        self._named: OrderedDict[str, _Named] = OrderedDict()

    def facts(self, data: ByteSource, name: str) -> PictureHeader:
        """Like ``facts_of``, also where it raises MediaError. ``name``: a word that means these bytes, and no
        others, to this server."""
        return self._known_as(name).facts(data)

    def get(self, data: ByteSource, size: int, *, name: str = "") -> Picture:
        """``name`` as above; without one all bytes are read. Raises MediaError for a picture that cannot be
        shown; that, too, is found out once."""
        known = self._known_as(name) if name else _Named()
        source = data
        if not known.digest:
            if len(data) <= PIECE_BYTES:
                source = data[:]  # nearly all: what is hashed is made into a thumbnail without another read
            else:
                check_may_be_made(data, known.facts(data))
            known.digest = _digest(source)
        key = _key(known.digest, size)
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
                return _answer(found, data)
            making = self._being_made.get(key)
            if making is None:
                ours = self._being_made[key] = Future()
        if making is not None:
            return _answer(making.result(), data)
        try:
            found = self._read_or_make(key, source, size)
            self._keep(key, found)
            ours.set_result(found)
        except BaseException as error:
            ours.set_exception(error)
            raise
        finally:
            with self._lock:
                del self._being_made[key]
        return _answer(found, data)

    def _known_as(self, name: str) -> _Named:
        with self._lock:
            known = self._named.setdefault(name, _Named())
            self._named.move_to_end(name)
            if len(self._named) > MAX_NAMES:
                self._named.popitem(last=False)
            return known

    def _read_or_make(self, key: str, data: ByteSource, size: int) -> Picture | MediaError:
        found = self._folder.read(key) if self._folder else None
        if found is not None:
            return found
        try:
            made = self._make(data, size)
        except PassingError:
            raise
        except MediaError as error:
            return _plain(error)
        if made.is_original:
            # Its bytes come with every question: they need not be kept.
            return replace(made, body=b"")
        if self._folder:
            self._folder.write(key, made)
        return made

    def _keep(self, key: str, found: Picture | MediaError) -> None:
        with self._lock:
            self._kept[key] = found
            self._kept_bytes += _size_bytes(found)
            while self._kept_bytes > self._memory_bytes and self._kept:
                _, oldest = self._kept.popitem(last=False)
                self._kept_bytes -= _size_bytes(oldest)


@dataclass
class _Named:
    """What is known of a picture with a name. Whoever finds it out fills it in; it is the same for
    everybody."""

    digest: str = ""
    _facts: PictureHeader | MediaError | None = None

    def facts(self, data: ByteSource) -> PictureHeader:
        if self._facts is None:
            try:
                self._facts = facts_of(data)
            except MediaError as error:
                self._facts = _plain(error)
        if isinstance(self._facts, MediaError):
            raise _plain(self._facts)
        return self._facts


def _digest(data: ByteSource) -> str:
    digest = hashlib.sha256()
    for piece in pieces_of(data, 0, len(data)):
        digest.update(piece)
    return digest.hexdigest()


def _plain(error: MediaError) -> MediaError:
    """A new one: a raised error holds on to the frames it went through."""
    return MediaError(str(error))


def _key(digest: str, size: int) -> str:
    return hashlib.sha256(f"{digest} thumbnail {VERSION} {size}".encode()).hexdigest()[:40]


def _answer(found: Picture | MediaError, data: ByteSource) -> Picture:
    if isinstance(found, MediaError):
        raise _plain(found)
    return replace(found, body=data) if found.is_original else found


def _is_stored_grey(body: bytes) -> bool:
    """What is grey all over is stored with one channel."""
    try:
        return header_of(body).channels <= 2
    except MediaError:
        return False


def _size_bytes(found: Picture | MediaError) -> int:
    return _ENTRY_BYTES + (len(found.body) if isinstance(found, Picture) else len(str(found)))


class _Folder:
    """The thumbnails on disk."""

    def __init__(self, place: ThumbnailPlace, max_files: int) -> None:
        self._directory = place.directory
        self._limit_bytes = place.limit_bytes
        self._max_files = max_files
        self._lock = threading.Lock()
        self._bytes_until_look = 0
        """The directory is looked through after so many more bytes; the first time at the first file."""
        self._files_until_look = 0

    def read(self, key: str) -> Picture | None:
        for suffix, mime_type in _TYPE_OF_SUFFIX.items():
            path = self._directory / f"{key}{suffix}"
            try:
                if path.stat().st_size > self._limit_bytes:
                    continue  # not one of ours
                body = path.read_bytes()
            except OSError:
                continue
            if picture_type(body) == mime_type:  # a system that crashed may have left less than that
                with suppress(OSError):
                    os.utime(path)  # used just now: one of the last to go
                return Picture(body, mime_type, is_original=False, is_grey=_is_stored_grey(body))
        return None

    def write(self, key: str, made: Picture) -> None:
        if len(made.body) > self._limit_bytes:
            return
        path = self._directory / f"{key}{_SUFFIX_OF_TYPE[made.mime_type]}"
        temporary = path.with_name(f"{path.name}.{secrets.token_hex(4)}.tmp")
        try:
            self._directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            temporary.write_bytes(made.body[:])
            temporary.replace(path)
        except OSError:  # full, read-only, not ours
            with suppress(OSError):
                temporary.unlink()
            return
        with self._lock:
            self._bytes_until_look -= len(made.body)
            self._files_until_look -= 1
            if self._bytes_until_look > 0 and self._files_until_look > 0:
                return
            with suppress(OSError):
                self._remove_oldest()

    def _remove_oldest(self) -> None:
        """Other servers write here, too: what is there is counted anew each time."""
        now_s = time.time()
        files = []
        for name, size_bytes, used_s in _own_files(self._directory):
            if name.endswith(".tmp"):
                if used_s < now_s - _LEFTOVER_AGE_S:
                    with suppress(OSError):
                        (self._directory / name).unlink()
                continue
            files.append((used_s, size_bytes, name))
        files.sort(reverse=True)
        total_bytes = sum(size_bytes for _, size_bytes, _ in files)
        # A tenth more than needed goes, so that the next look is some time away.
        has_excess = total_bytes > self._limit_bytes or len(files) > self._max_files
        share = 0.9 if has_excess else 1.0
        while files and (total_bytes > self._limit_bytes * share or len(files) > self._max_files * share):
            _, size_bytes, name = files.pop()
            total_bytes -= size_bytes
            with suppress(OSError):
                (self._directory / name).unlink()
        self._bytes_until_look = min(self._limit_bytes - total_bytes, self._limit_bytes // 8)
        self._files_until_look = min(self._max_files - len(files), self._max_files // 8)


def _own_files(directory: Path) -> list[tuple[str, int, float]]:
    """Name, size and last use of the thumbnails in a directory; anything else in it is not ours."""
    found = []
    with suppress(OSError), os.scandir(directory) as items:
        for item in items:
            if FILE_NAME.fullmatch(item.name) and item.is_file(follow_symlinks=False):
                with suppress(OSError):
                    facts = item.stat(follow_symlinks=False)
                    found.append((item.name, facts.st_size, facts.st_mtime))
    return found
