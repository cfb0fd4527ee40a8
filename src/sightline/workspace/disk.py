"""Reading and writing small files in directories that others can write to as well.

A log directory may come from anywhere: a link or a pipe in place of a file of ours must lead nobody's bytes
into another file, and nobody's thread into an endless wait. So links are not followed, only regular files are
opened, and everything has a largest size.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from sightline.workspace.errors import NotKeptError

if sys.platform != "win32":
    import fcntl

LOCK_NAME = "lock"
LOCK_TIMEOUT_S = 5.0
"""Whoever holds the lock writes a few lines. Longer than this takes only a file system that hangs."""

_LOCK_PAUSE_S = 0.005
_NO_LINKS = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
# Locks that the file system does not have; those who share it then go without.
_NO_LOCKS = {errno.ENOLCK, errno.ENOTSUP, errno.ENOSYS, errno.EINVAL}


# All but the bit that lends a user's rights.
_SHARED_DIRECTORY = 0o3777


class Mark(NamedTuple):
    """Tells one state of a file from another."""

    device: int
    inode: int
    size_bytes: int
    modified_ns: int

    @property
    def identity(self) -> tuple[int, int]:
        return self.device, self.inode


def mark_of(facts: os.stat_result) -> Mark:
    return Mark(facts.st_dev, facts.st_ino, facts.st_size, facts.st_mtime_ns)


def mark_at(path: Path) -> Mark | None:
    """None when there is no regular file."""
    try:
        facts = os.lstat(path)
    except OSError:
        return None
    return mark_of(facts) if stat.S_ISREG(facts.st_mode) else None


def is_directory(path: Path) -> bool:
    """Whether there is a directory, and no link to one."""
    try:
        return stat.S_ISDIR(os.lstat(path).st_mode)
    except OSError:
        return False


def make_directory(path: Path) -> None:
    """If it is not there. Whoever may write to the directory around it may write to it, too: colleagues share
    log directories, and a umask would lock them out. Raises OSError."""
    try:
        path.mkdir()
    except FileExistsError:
        if not is_directory(path):
            message = "a link or a file is in its place, and is left alone"
            raise OSError(errno.ENOTDIR, message) from None
        return
    with suppress(OSError):
        os.chmod(path, stat.S_IMODE(os.stat(path.parent).st_mode) & _SHARED_DIRECTORY | 0o700)


@contextmanager
def opened(path: Path, flags: int = os.O_RDONLY) -> Iterator[int]:
    """A descriptor of a regular file. Raises OSError, also for links, pipes and directories.

    A file that is made is shared as its directory is.
    """
    descriptor = os.open(path, flags | _NO_LINKS, 0o666)
    try:
        facts = os.fstat(descriptor)
        if not stat.S_ISREG(facts.st_mode):
            raise OSError(errno.EINVAL, "not a regular file")
        if flags & os.O_CREAT and facts.st_size == 0:
            with suppress(OSError):  # somebody else's
                os.fchmod(descriptor, os.stat(path.parent).st_mode & 0o666 | 0o600)
        yield descriptor
    finally:
        os.close(descriptor)


def read_file(path: Path, *, limit_bytes: int) -> bytes:
    """All of it. Raises OSError; EFBIG when it is larger than the limit."""
    with opened(path) as descriptor:
        data = read_at(descriptor, 0, limit_bytes + 1)
    if len(data) > limit_bytes:
        raise OSError(errno.EFBIG, f"larger than {limit_bytes:,} bytes")
    return data


def read_at(descriptor: int, offset: int, most_bytes: int) -> bytes:
    """From there to the end, or as much as was asked for."""
    pieces = []
    while most_bytes > 0:
        piece = os.pread(descriptor, min(most_bytes, 1 << 20), offset)
        if not piece:
            break
        pieces.append(piece)
        offset += len(piece)
        most_bytes -= len(piece)
    return b"".join(pieces)


def append(path: Path, data: bytes) -> None:
    """All of it at the end, on disk when this returns; or nothing, and OSError. The caller has the lock.

    A line that somebody could not finish stays as it is: ours begin on a line of their own.
    """
    with opened(path, os.O_RDWR | os.O_APPEND | os.O_CREAT) as descriptor:
        size = os.fstat(descriptor).st_size
        if size and os.pread(descriptor, 1, size - 1) != b"\n":
            data = b"\n" + data
        try:
            _write_all(descriptor, data)
            os.fsync(descriptor)
        except OSError:
            with suppress(OSError):
                os.ftruncate(descriptor, size)
            raise


def write_whole(path: Path, data: bytes, *, is_new: bool = False) -> None:
    """In place of what is there, at once and on disk when this returns; what was there stays if it fails.

    ``is_new``: raises FileExistsError when something is there. Raises OSError.
    """
    temporary = path.with_name(f".{path.name[:40]}.{uuid.uuid4().hex[:8]}.new")
    try:
        with opened(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL) as descriptor:
            _write_all(descriptor, data)
            os.fsync(descriptor)
        if is_new and os.path.lexists(path):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
        os.replace(temporary, path)
    except OSError:
        with suppress(OSError):
            os.unlink(temporary)
        raise
    sync_directory(path.parent)


def _write_all(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def sync_directory(path: Path) -> None:
    """So that new names in it survive a power cut, where the file system can promise that."""
    with suppress(OSError):
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


@contextmanager
def locked(directory: Path) -> Iterator[None]:
    """One writer at a time, over all processes that use the directory. Raises NotKeptError, OSError."""
    with opened(directory / LOCK_NAME, os.O_RDWR | os.O_CREAT) as descriptor:
        _lock(descriptor, directory)
        yield  # closing the descriptor lets go of the lock


def _lock(descriptor: int, directory: Path) -> None:
    if sys.platform == "win32":
        return  # it has no locks of this kind; writes are short and go to the end
    end_s = time.monotonic() + LOCK_TIMEOUT_S
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except OSError as error:
            if error.errno in _NO_LOCKS:
                return
            if time.monotonic() > end_s:
                raise NotKeptError(
                    f"Another program has been writing there for {LOCK_TIMEOUT_S:.0f} s; nothing was "
                    f"changed. Try again: {directory}"
                ) from None
        time.sleep(_LOCK_PAUSE_S)
