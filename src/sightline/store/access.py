"""Bytes and side files of runs, wherever their files lie: on disk (read by the core) or in an object store.

The store does not know the readers of remote roots; they register here by the little they have to offer.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from sightline.model.errors import FileGoneError
from sightline.store.side_files import SideFiles, find_side_files

if TYPE_CHECKING:
    from sightline._core import FileInfo, Index


class StreamReader(Protocol):
    """Where the bytes of files come from that the core does not open itself."""

    def owns(self, file_id: int) -> bool: ...

    def read(self, file_id: int, offset: int, length: int) -> bytes:
        """Raises FileGoneError."""

    def side_files(self, run: str) -> SideFiles: ...


class FileAccess:
    """What a run needs beside the index."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self.root_directories: Sequence[str] = ()
        """Local roots; a projector config in one of them serves all runs below it."""
        self.stream_readers: list[StreamReader] = []

    def read(self, file: FileInfo, offset: int, length: int) -> bytes:
        """Raises FileGoneError when the bytes cannot be had any more."""
        if file.is_stream:
            return self._read_stream(file, offset, length)
        try:
            return self._index.read(file.id, offset, length)
        except OSError as error:
            raise FileGoneError(file.path, error.strerror or str(error)) from error

    def _read_stream(self, file: FileInfo, offset: int, length: int) -> bytes:
        for reader in self.stream_readers:
            if reader.owns(file.id):
                return reader.read(file.id, offset, length)
        raise FileGoneError(file.path, "nobody reads its store any more")

    def side_files(self, run: str) -> SideFiles:
        """What lies beside the run's event files now (local), or did at the last listing (remote)."""
        directories = [path for path in self._index.run_directories(run) if "://" not in path]
        roots = [root for root in self.root_directories if _holds_any(root, directories)]
        found = [find_side_files(directories, roots=roots)]
        found += [reader.side_files(run) for reader in self.stream_readers]
        return SideFiles(
            projector=tuple(sorted({path for files in found for path in files.projector})),
            profile=tuple(sorted({path for files in found for path in files.profile})),
        )


def _holds_any(root: str, directories: Sequence[str]) -> bool:
    inside = root.rstrip(os.sep) + os.sep
    return any((directory + os.sep).startswith(inside) for directory in directories)
