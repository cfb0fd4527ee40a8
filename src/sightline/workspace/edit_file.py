"""One ``edits.jsonl``, read as it grows. It is only ever appended to, by us and by other servers.

A last line without its end is left for later: somebody may be writing it. A line that makes no sense is
counted and passed over, one of a newer version too; neither is ever changed, so that nothing is lost that a
person wrote. There is no compaction: a line has a hundred bytes, and people write a few hundred in a year.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from sightline.workspace.disk import Mark, mark_at, mark_of, opened, read_at
from sightline.workspace.edits import DamagedLineError, Edit, NewerLineError, edit_from_line
from sightline.workspace.errors import RefusedError

MAX_FILE_BYTES = 64 << 20
"""Half a million edits. What lies beyond is not read, and said so."""

_TAIL_BYTES = 256


class EditFile:
    """Follows one file; it need not exist. Not safe for threads."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.forget()

    def forget(self) -> None:
        """Begin anew with the next reading."""
        self.offset = 0
        """Everything before it has been read."""
        self.damaged_count = 0
        self.newer_count = 0
        self.error = ""
        self._mark: Mark | None = None
        self._tail = b""

    @property
    def is_empty(self) -> bool:
        return self.offset == 0

    @property
    def is_full(self) -> bool:
        return self._mark is not None and self._mark.size_bytes >= MAX_FILE_BYTES

    @property
    def is_changed(self) -> bool:
        """Whether the file is not as it was when it was read last; costs one ``stat``."""
        return mark_at(self.path) != self._mark

    @property
    def is_replaced(self) -> bool:
        """Whether what was read is not the beginning of what is there now."""
        if self._mark is None or self.is_empty:
            return False
        now = mark_at(self.path)
        if now is None or now.identity != self._mark.identity or now.size_bytes < self.offset:
            return True
        if now == self._mark:
            return False
        try:
            with opened(self.path) as descriptor:
                return read_at(descriptor, self.offset - len(self._tail), len(self._tail)) != self._tail
        except OSError:
            return True

    def read_on(self, take: Callable[[Edit], object]) -> None:
        """Give every edit that is new to ``take``, in order; what that refuses counts as damaged."""
        self.error = ""
        try:
            with opened(self.path) as descriptor:
                mark = mark_of(os.fstat(descriptor))  # before reading: what comes meanwhile is a change
                data = read_at(descriptor, self.offset, MAX_FILE_BYTES - self.offset)
        except (FileNotFoundError, NotADirectoryError):
            self._mark = None
            return
        except OSError as error:
            self._mark = mark_at(self.path)
            self.error = error.strerror or str(error)
            return
        self._mark = mark
        whole = data[: data.rfind(b"\n") + 1]
        for line in whole.split(b"\n"):
            if line.strip():
                self._take_line(line, take)
        self.offset += len(whole)
        self._tail = (self._tail + whole)[-_TAIL_BYTES:]

    def _take_line(self, line: bytes, take: Callable[[Edit], object]) -> None:
        try:
            take(edit_from_line(line))
        except NewerLineError:
            self.newer_count += 1
        except (DamagedLineError, RefusedError):
            self.damaged_count += 1

    @property
    def obstacle(self) -> str:
        """Why nothing can be added; empty: it can."""
        if self.error:
            return f"What was added to this log cannot be read ({self.error}): {self.path}"
        if self.is_full:
            return (
                f"The file is larger than {MAX_FILE_BYTES >> 20} MB; the rest of it is not read, and no more "
                f"is added. Move it away to begin anew: {self.path}"
            )
        return ""

    @property
    def problems(self) -> list[str]:
        """One sentence each, for people."""
        found = [self.obstacle] if self.obstacle else []
        if self.damaged_count:
            lines = "1 line is" if self.damaged_count == 1 else f"{self.damaged_count:,} lines are"
            found.append(f"{lines} damaged, left out and kept as they were: {self.path}")
        if self.newer_count:
            edits = "1 edit" if self.newer_count == 1 else f"{self.newer_count:,} edits"
            found.append(f"{edits} of a newer version of Sightline, left out and kept: {self.path}")
        return found
