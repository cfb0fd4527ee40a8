"""Where the workspace of a root is kept: in ``.sightline`` inside of it, so that it travels with the logs.

Where that cannot be (a remote root, a single file, no permission), in the user's data directory, under a name
made from the root's path. Both are read, the user's own over the one beside the logs; once the user's own
exists it is the one that is written, so that later edits are never hidden by earlier ones.

Looking never makes a directory; the first edit does.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from sightline.model.places import WORKSPACE_DIRECTORY
from sightline.workspace.disk import LOCK_NAME, is_directory, make_directory
from sightline.workspace.errors import NotKeptError

EDITS_NAME = "edits.jsonl"

# A full disk is none of these: whoever makes room wants the edits beside the logs.
_CLOSED_TO_US = {errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.EEXIST}


class RootLike(Protocol):
    """What has to be known of a root of the log (``readers.roots.Root``)."""

    @property
    def path(self) -> str: ...
    @property
    def prefix(self) -> str: ...
    @property
    def is_remote(self) -> bool: ...
    @property
    def is_file(self) -> bool: ...


def data_directory(environment: Mapping[str, str] = os.environ, *, platform: str = sys.platform) -> Path:
    """The place where the platform keeps what programs store for a user."""
    home = Path(environment["HOME"]) if environment.get("HOME") else Path.home()
    if platform == "darwin":
        return home / "Library" / "Application Support" / "sightline"
    if platform == "win32" and (local := environment.get("LOCALAPPDATA")):
        return Path(local) / "sightline"
    base = environment.get("XDG_DATA_HOME", "")
    # The XDG rules say that a relative path in the variable must be ignored.
    return (Path(base) if os.path.isabs(base) else home / ".local" / "share") / "sightline"


class Place:
    """The one or two directories of one root."""

    def __init__(self, root: RootLike, *, data: Path | None = None) -> None:
        self._root = root
        is_local_directory = not root.is_remote and not root.is_file
        self.beside = Path(root.path) / WORKSPACE_DIRECTORY if is_local_directory else None
        """Inside the root; None where there is no inside."""
        self.private = _private_directory(root, data_directory() if data is None else data)
        self._reason = ""

    @property
    def directories(self) -> list[Path]:
        """Those to read, in the order of reading; they need not exist."""
        return [self.private] if self.beside is None else [self.beside, self.private]

    @property
    def written(self) -> Path:
        """Where the next edit goes, by what the disk looks like now."""
        if self.beside is None or is_directory(self.private) or self._obstacle(self.beside):
            return self.private
        return self.beside

    @property
    def problem(self) -> str:
        """Why it is not kept beside the logs, or not at all; one sentence, empty when all is well."""
        if self._is_waiting:
            return f"Nothing can be saved before the log directory is there: {self._root.path}"
        if self.written == self.beside:
            return ""
        if not _may_be_made(self.private):
            return f"Nothing can be saved, because {self._why_private()}, nor can this: {self.private}"
        return (
            f"What is added to this log is kept for you alone, because {self._why_private()}: {self.private}"
        )

    @property
    def is_writable(self) -> bool:
        return not self._is_waiting and _may_be_made(self.written)

    def make(self) -> Path:
        """The directory to write to, made if need be. Raises NotKeptError."""
        if self._is_waiting:
            raise NotKeptError(self.problem)
        if self.written == self.beside:
            try:
                make_directory(self.beside)
                return self.beside
            except OSError as error:
                if error.errno not in _CLOSED_TO_US:
                    raise NotKeptError(f"This cannot be saved ({_words(error)}): {self.beside}") from None
                self._reason = f"the log directory cannot be written ({_words(error)})"
        try:
            self.private.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise NotKeptError(f"This cannot be saved ({_words(error)}): {self.private}") from None
        return self.private

    # ── why ──────────────────────────────────────────────────────────────────────────────────────────────

    @property
    def _is_waiting(self) -> bool:
        return self.beside is not None and not self.beside.parent.is_dir()

    def _why_private(self) -> str:
        if self._root.is_remote:
            return "nothing is written to remote logs"
        if self.beside is None:
            return "the log is a single file"
        return self._obstacle(self.beside) or "it was begun there when the log directory could not be written"

    def _obstacle(self, path: Path) -> str:
        """What is in the way of a directory beside the logs; empty: nothing."""
        if self._reason:
            return self._reason
        if os.path.lexists(path) and not is_directory(path):
            what = "a link" if path.is_symlink() else "a file"
            return f"{WORKSPACE_DIRECTORY} in the log directory is {what}"
        if not _may_be_made(path):
            return "the log directory cannot be written"
        if any(not _may_be_changed(path / name) for name in (LOCK_NAME, EDITS_NAME)):
            return f"{WORKSPACE_DIRECTORY} in the log directory belongs to somebody else"
        return ""


def _may_be_made(path: Path) -> bool:
    """Whether the directory can be written, or made, as far as permissions tell."""
    while not os.path.lexists(path) and path != path.parent:
        path = path.parent
    return path.is_dir() and os.access(path, os.W_OK | os.X_OK)


def _may_be_changed(path: Path) -> bool:
    return not os.path.lexists(path) or os.access(path, os.W_OK)


def _private_directory(root: RootLike, data: Path) -> Path:
    real = root.path if root.is_remote else os.path.realpath(root.path)
    name = re.sub(r"[^A-Za-z0-9_-]+", "-", real.rstrip("/").rpartition("/")[2])[:40].strip("-")
    code = hashlib.sha256(os.fsencode(real)).hexdigest()[:16]
    return data / "workspaces" / f"{name or 'log'}-{code}"


def _words(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
