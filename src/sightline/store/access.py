"""The way from a run to the core, and to the bytes of its files: on disk (read by the core) or far away.

The store does not know the readers of remote roots; they register here by the little they have to offer.
Everything of a log that asks the core does so through ``FileAccess.index``. That is where a forked child is
stopped: the fork copied the core's locks in whatever state they were, so that a question could wait for ever.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from sightline.model.errors import FileGoneError, UserError
from sightline.store import stored_bytes
from sightline.store.kept import Kept
from sightline.store.layouts import Layout
from sightline.store.side_files import SideFiles, find_side_files

if TYPE_CHECKING:
    from sightline._core import FileInfo, Index

_STATISTICS_BYTES = 32 << 20


@dataclass(frozen=True, slots=True)
class Place:
    """Where the bytes of one value lie."""

    file_id: int
    generation: int
    """Of the file's content: another number means another content, in which the offset tells nothing."""
    offset: int
    length: int


class StreamReader(Protocol):
    """Where the bytes of files come from that the core does not open itself."""

    def owns(self, file_id: int) -> bool: ...

    def read(self, file_id: int, offset: int, length: int) -> bytes:
        """Raises FileGoneError."""

    def side_files(self, run: str) -> SideFiles: ...


class FileAccess:
    """What a run needs to answer."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._process_id = os.getpid()
        self.root_directories: Sequence[str] = ()
        """Local roots; a projector config in one of them serves all runs below it."""
        self.stream_readers: list[StreamReader] = []
        self.layouts: Kept[Layout] = Kept()
        self.statistics: Kept[Any] = Kept(_STATISTICS_BYTES)
        """What questions compute from all values of a series (``MediaSeries.identity_of_all``)."""

    @property
    def is_foreign(self) -> bool:
        """True in a child that was forked after the log had been opened."""
        return os.getpid() != self._process_id

    @property
    def index(self) -> Index:
        """Raises UserError in a forked child."""
        if self.is_foreign:
            raise UserError("The log was opened in another process: open the log again in this one")
        return self._index

    def read(self, file: FileInfo, place: Place) -> bytes:
        """Raises FileGoneError when the bytes cannot be had any more."""
        index = self.index
        if file.is_stream:
            return self._read_stream(file, place)
        try:
            return index.read(place.file_id, place.offset, place.length, place.generation)
        except OSError as error:
            raise FileGoneError(file.path, error.strerror or str(error)) from error

    def page_bytes(self, file_id: int) -> int:
        """How much of a file is read at once where little is asked for."""
        return stored_bytes.FAR_PAGE_BYTES if self.is_far(file_id) else stored_bytes.PAGE_BYTES

    def is_far(self, file_id: int) -> bool:
        """True for files that the core cannot read itself."""
        return any(reader.owns(file_id) for reader in self.stream_readers)

    def _read_stream(self, file: FileInfo, place: Place) -> bytes:
        self._check_generation(file, place)
        for reader in self.stream_readers:
            if reader.owns(place.file_id):
                data = reader.read(place.file_id, place.offset, place.length)
                self._check_generation(file, place)  # it may have been replaced while we waited
                return data
        raise FileGoneError(file.path, "nobody reads its store any more")

    def _check_generation(self, file: FileInfo, place: Place) -> None:
        if self.index.generation(place.file_id) != place.generation:
            raise FileGoneError(file.path)

    def side_files(self, run: str) -> SideFiles:
        """What lies beside the run's event files now (local), or did at the last listing (remote)."""
        directories = [path for path in self.index.run_directories(run) if "://" not in path]
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
