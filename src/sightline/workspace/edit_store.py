"""The edits of one root: read from one or two files, and added to one of them.

Both servers of two people on one directory work: whoever adds something has the lock, reads what others added
until then, decides by that, and appends.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from sightline.workspace.disk import append, locked
from sightline.workspace.edit_file import EditFile
from sightline.workspace.edits import Edit, line_from_edit
from sightline.workspace.errors import NotKeptError, RefusedError, WorkspaceError
from sightline.workspace.places import EDITS_NAME, Place
from sightline.workspace.state import Applied, State

MAX_KNOWN_RESULTS = 1000
"""So many results are kept for edits that come a second time, after a lost answer."""


@dataclass(frozen=True)
class EditResult:
    """What became of one edit."""

    id: str
    inverse: Edit | None = None
    text: str | None = None
    conflict: str | None = None
    error: str = ""

    @property
    def is_applied(self) -> bool:
        return self.error == ""


class EditStore:
    """Not safe for threads: ``Workspace`` has a lock."""

    def __init__(self, place: Place, *, now: Callable[[], float] = time.time) -> None:
        self._place = place
        self._now = now
        self._files = [EditFile(directory / EDITS_NAME) for directory in place.directories]
        self._known_results: dict[str, EditResult] = {}
        self.state = State()
        self.revision = 0
        """Grows whenever something was read."""

    def refresh(self) -> None:
        """Read what is new; cheap while nothing is."""
        if not any(file.is_changed for file in self._files):
            return
        self.revision += 1
        # What lies in the first file comes before all of the second.
        is_late = any(
            earlier.is_changed and not later.is_empty
            for earlier, later in zip(self._files, self._files[1:], strict=False)
        )
        if is_late or any(file.is_replaced for file in self._files):
            self._begin_anew()
        for file in self._files:
            file.read_on(self.state.apply)

    def apply(self, edits: Sequence[Edit]) -> list[EditResult]:
        """Decide about each, in order, and keep what changes something. Never raises for a single edit, nor
        for a disk that does not take them: each result says what became of it."""
        try:
            directory = self._place.make()
            with locked(directory):
                return self._apply_locked(edits, directory / EDITS_NAME)
        except (OSError, WorkspaceError) as error:
            message = str(error)
            if isinstance(error, OSError):
                message = f"This could not be saved ({error.strerror or error}): {self._place.written}"
            self._begin_anew()
            return [EditResult(edit.id, error=message) for edit in edits]

    def _apply_locked(self, edits: Sequence[Edit], path: Path) -> list[EditResult]:
        self.refresh()
        file = next(file for file in self._files if file.path == path)
        if file.obstacle:
            raise NotKeptError(file.obstacle)
        lines: list[bytes] = []
        results = [self._apply_one(edit, lines) for edit in edits]
        if lines:
            append(file.path, b"".join(lines))
            for result in results:
                self._remember(result)
            self.refresh()  # our own lines, which the state knows by their ids
        return results

    def _apply_one(self, edit: Edit, lines: list[bytes]) -> EditResult:
        known = self._known_results.get(edit.id)
        if known is not None and edit.id in self.state.seen_ids:
            return known
        try:
            applied: Applied = self.state.apply(edit)
        except RefusedError as error:
            return EditResult(edit.id, conflict=error.conflict, error=error.message)
        if applied.stored is not None:
            lines.append(line_from_edit(applied.stored, time_s=self._now()))
        return EditResult(edit.id, applied.inverse, applied.text)

    def _remember(self, result: EditResult) -> None:
        if result.inverse is not None:
            self._known_results[result.id] = result
            if len(self._known_results) > MAX_KNOWN_RESULTS:
                del self._known_results[next(iter(self._known_results))]

    def _begin_anew(self) -> None:
        self.state = State()
        for file in self._files:
            file.forget()

    @property
    def problems(self) -> list[str]:
        return [problem for file in self._files for problem in file.problems]
