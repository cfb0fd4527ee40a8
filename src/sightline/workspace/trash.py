"""The trash of one log directory: files of runs, moved there and back again.

    .sightline/trash/20260216-071500-1f2e3d4c/manifest.json      what was where
    .sightline/trash/20260216-071500-1f2e3d4c/files/<path below the root>

Files are only ever renamed, never copied and never deleted: that is one step each, keeps every bit, and a
program that still writes into one goes on doing so. The manifest is written first. So whatever happens in
between, each file is either where it was or where the manifest says, and restoring puts it back.
"""

from __future__ import annotations

import errno
import json
import os
import re
import time
import uuid
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sightline.model.places import WORKSPACE_DIRECTORY
from sightline.workspace.disk import (
    Mark,
    is_directory,
    locked,
    make_directory,
    mark_at,
    read_file,
    write_whole,
)
from sightline.workspace.edits import json_bytes
from sightline.workspace.errors import NotKeptError, WorkspaceError

DIRECTORY = "trash"
MANIFEST = "manifest.json"
FILES = "files"
FORMAT = "sightline-trash"
VERSION = 1

MAX_ENTRIES = 10_000
MAX_MANIFEST_BYTES = 32 << 20

_LATEST_S = 1e11
"""The year 5138. Behind it calendars have no date."""

_ENTRY = re.compile(r"[0-9]{8}-[0-9]{6}-[0-9a-f]{8}")


@dataclass(frozen=True)
class TrashEntry:
    id: str
    run: str
    """Its name inside the root."""
    deleted_s: float
    size_bytes: int
    files: tuple[str, ...]
    """Paths below the root."""


@dataclass(frozen=True)
class Moved:
    """What was moved, or would be."""

    entry_id: str | None
    file_count: int = 0
    size_bytes: int = 0
    error: str = ""
    """Why nothing was moved; empty when it was, or would be."""


class Trash:
    """Of one local root directory. Looking is not safe for threads: ``Workspace`` has a lock. Moving is: it
    takes the lock of the directory, as other servers do."""

    def __init__(self, root: Path, *, now: Callable[[], float] = time.time) -> None:
        self._root = root
        self._workspace = root / WORKSPACE_DIRECTORY
        self._directory = self._workspace / DIRECTORY
        self._now = now
        self._known: dict[str, tuple[Mark, TrashEntry | None]] = {}
        self.problems: list[str] = []
        self.signature: tuple[object, ...] = ()

    @property
    def entries(self) -> list[TrashEntry]:
        """The latest first."""
        found = [entry for _, entry in self._known.values() if entry is not None]
        return sorted(found, key=lambda entry: (-entry.deleted_s, entry.id))

    def refresh(self) -> None:
        """Look at the manifests, and read those that are new."""
        known: dict[str, tuple[Mark, TrashEntry | None]] = {}
        self.problems = []
        for name in self._names():
            path = self._directory / name / MANIFEST
            mark = mark_at(path)
            if mark is None:
                continue  # being made, or put back, by another server at this moment
            before = self._known.get(name)
            known[name] = before if before is not None and before[0] == mark else (mark, _read(path, name))
            if known[name][1] is None:
                self.problems.append(f"This cannot be restored, because its list of files is damaged: {path}")
        self._known = known
        self.signature = tuple((name, mark) for name, (mark, _) in known.items())

    def _names(self) -> list[str]:
        if not is_directory(self._workspace) or not is_directory(self._directory):
            return []
        try:
            names = [name for name in os.listdir(self._directory) if _ENTRY.fullmatch(name)]
        except OSError as error:
            self.problems.append(f"The trash cannot be listed ({error.strerror}): {self._directory}")
            return []
        if len(names) > MAX_ENTRIES:
            self.problems.append(
                f"Only the latest {MAX_ENTRIES:,} runs in the trash are listed: {self._directory}"
            )
        return sorted(names, reverse=True)[:MAX_ENTRIES]

    # ── to the trash ─────────────────────────────────────────────────────────────────────────────────────

    def move_in(self, run: str, paths: Sequence[str], *, is_dry: bool = False) -> Moved:
        """``run`` is its name inside the root, ``paths`` are absolute, as the reader found them. Raises
        WorkspaceError: everything is then where it was, or the message says what is not."""
        try:
            inside = self._inside(paths)
            size_bytes = sum(os.lstat(path).st_size for path in inside.values())
            if is_dry:
                return Moved(None, len(inside), size_bytes)
            for directory in (self._workspace, self._directory):
                make_directory(directory)
            with locked(self._workspace):
                entry = self._move_in_locked(run, inside, size_bytes)
        except OSError as error:
            raise NotKeptError(_not_moved(error, self._root)) from None
        return Moved(entry, len(inside), size_bytes)

    def _inside(self, paths: Sequence[str]) -> dict[str, Path]:
        """The files that are there, by path below the root. Raises WorkspaceError when one lies elsewhere."""
        real_root = os.path.realpath(self._root)
        found: dict[str, Path] = {}
        for text in paths:
            path = Path(text)
            try:
                below = path.relative_to(self._root)
            except ValueError:
                raise WorkspaceError(f"Its files lie outside of the log directory: {path}") from None
            if ".." in below.parts or not _is_really_in(path.parent, real_root):
                raise WorkspaceError(f"Its files lie outside of the log directory, by a link: {path}")
            if os.path.lexists(path):
                found[below.as_posix()] = path
        if not found:
            raise WorkspaceError("Its files are gone already")
        return found

    def _move_in_locked(self, run: str, files: dict[str, Path], size_bytes: int) -> str:
        now_s = self._now()
        name = f"{time.strftime('%Y%m%d-%H%M%S', time.gmtime(now_s))}-{uuid.uuid4().hex[:8]}"
        directory = self._directory / name
        make_directory(directory)
        manifest = {
            "format": FORMAT,
            "version": VERSION,
            "run": run,
            "deleted_s": now_s,
            "size_bytes": size_bytes,
            "files": list(files),
        }
        moved: list[tuple[Path, Path]] = []
        try:
            write_whole(directory / MANIFEST, json_bytes(manifest, indent=2) + b"\n")
            for below, path in files.items():
                target = directory / FILES / below
                target.parent.mkdir(parents=True, exist_ok=True)
                os.rename(path, target)
                moved.append((path, target))
        except OSError as error:
            self._undo(moved, directory, error)
            raise
        for path in files.values():
            _remove_empty(path.parent, self._root)
        return name

    def _undo(self, moved: list[tuple[Path, Path]], directory: Path, error: OSError) -> None:
        """Raises NotKeptError when some files could not be put back either."""
        for path, target in reversed(moved):
            try:
                if os.path.lexists(path):
                    raise FileExistsError(errno.EEXIST, "something else is there now")
                os.rename(target, path)
            except OSError:
                raise NotKeptError(
                    f"Some files were moved before it failed ({error.strerror or error}), and could not be "
                    f"moved back. Restore the run from the trash: {directory}"
                ) from None
        _remove_entry(directory)

    # ── and back ─────────────────────────────────────────────────────────────────────────────────────────

    def move_out(self, entry: TrashEntry) -> None:
        """Raises WorkspaceError, NotKeptError."""
        directory = self._directory / entry.id
        try:
            with locked(self._workspace):
                self._move_out_locked(entry, directory)
        except OSError as error:
            raise NotKeptError(_not_moved(error, directory)) from None

    def _move_out_locked(self, entry: TrashEntry, directory: Path) -> None:
        moves: list[tuple[Path, Path]] = []
        missing = 0
        for below in entry.files:
            source, target = directory / FILES / below, self._root / below
            is_there = os.path.lexists(target)
            if not os.path.lexists(source):
                missing += not is_there  # one that is there was never moved
                continue
            if is_there:
                raise WorkspaceError(f"Something else is in its place, which is not written over: {target}")
            moves.append((source, target))
        real_root = os.path.realpath(self._root)
        real_files = os.path.join(real_root, WORKSPACE_DIRECTORY, DIRECTORY, entry.id, FILES)
        for source, target in moves:
            if not _is_really_in(source.parent, real_files):
                raise WorkspaceError(f"This is not in the trash, but elsewhere by a link: {source}")
            if not _is_really_in(target.parent, real_root):
                raise WorkspaceError(f"Its place is outside of the log directory now, by a link: {target}")
        for done, (source, target) in enumerate(moves):
            try:
                target.parent.mkdir(parents=True, exist_ok=True)
                os.rename(source, target)
            except OSError as error:
                if not done:
                    raise
                raise NotKeptError(
                    f"Only {done:,} of {len(moves):,} files were put back ({error.strerror or error}); the "
                    f"others are still in the trash, and can be restored later: {directory}"
                ) from None
        _remove_entry(directory)
        if missing:
            raise WorkspaceError(
                f"{missing:,} of its {len(entry.files):,} files are not in the trash any more; the others "
                f"were put back: {self._root}"
            )


def _read(path: Path, name: str) -> TrashEntry | None:
    """None when it makes no sense: paths in it are where files will be moved to."""
    try:
        found = json.loads(read_file(path, limit_bytes=MAX_MANIFEST_BYTES))
        return _entry(found, name)
    except (OSError, ValueError, OverflowError, RecursionError, KeyError, TypeError):
        return None


def _entry(found: Any, name: str) -> TrashEntry:
    if found["format"] != FORMAT or found["version"] != VERSION:
        raise ValueError("not ours")
    files = found["files"]
    if not isinstance(files, list) or not all(map(_is_below, files)) or not isinstance(found["run"], str):
        raise ValueError("paths that lead elsewhere")
    deleted_s, size_bytes = float(found["deleted_s"]), int(found["size_bytes"])
    if not 0 <= deleted_s < _LATEST_S or not 0 <= size_bytes < 2**63:
        raise ValueError("no time, or no size")
    return TrashEntry(name, found["run"], deleted_s, size_bytes, tuple(files))


def _is_below(path: object) -> bool:
    """Whether the path stays below the root, and out of the workspace."""
    if not isinstance(path, str) or not path or "\0" in path:
        return False
    parts = path.split("/")
    return not any(part in ("", ".", "..") for part in parts) and parts[0] != WORKSPACE_DIRECTORY


def _is_really_in(directory: Path, real: str) -> bool:
    """Whether it is this place, which has no links in it, or one below, after following all links; it need
    not exist."""
    return os.path.commonpath([real, os.path.realpath(directory)]) == real


def _remove_empty(directory: Path, root: Path) -> None:
    """The directory and those around it, as long as they are empty and below the root."""
    while directory != root and root in directory.parents:
        try:
            os.rmdir(directory)
        except OSError:
            return
        directory = directory.parent


def _remove_entry(directory: Path) -> None:
    """What is left of an entry without files: empty directories and the manifest, which goes last."""
    for current, _, _ in os.walk(directory / FILES, topdown=False):
        with suppress(OSError):
            os.rmdir(current)
    if not os.path.lexists(directory / FILES):
        with suppress(OSError):
            os.unlink(directory / MANIFEST)
        with suppress(OSError):
            os.rmdir(directory)


def _not_moved(error: OSError, place: Path) -> str:
    if error.errno == errno.EXDEV:
        return (
            "Its files are on another file system than the trash. Files are only moved, never copied, so "
            f"nothing was done: {place}"
        )
    return f"Its files could not be moved ({error.strerror or error}); nothing was done: {place}"
