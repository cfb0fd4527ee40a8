"""What people added to a log: one object over all its roots, safe for threads.

A run's edits are kept with the root that the run belongs to, under its name inside of that root: so they
travel with the directory, whatever else is shown beside it. Views, the default view and the colours of groups
are about the log as a whole, and go to the first root.
"""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sightline.workspace.edit_store import EditResult, EditStore
from sightline.workspace.edits import Annotation, Edit
from sightline.workspace.errors import WorkspaceError
from sightline.workspace.places import Place, RootLike
from sightline.workspace.state import RunNotes
from sightline.workspace.trash import Moved, Trash, TrashEntry
from sightline.workspace.views import View, ViewStore

_ROOT_RUN = "."
"""What a run is called whose files lie in the root itself."""

_OF_THE_LOG = ("group_color", "default_view")


@dataclass(frozen=True)
class Snapshot:
    """Everything at one moment, with names as the log has them. Not to be changed."""

    version: int
    is_writable: bool
    place: str
    runs: Mapping[str, RunNotes]
    annotations: Sequence[Annotation]
    group_colors: Mapping[str, str]
    views: Sequence[View]
    default_view: str | None
    trash: Sequence[TrashEntry]
    problems: Sequence[str]


@dataclass(frozen=True)
class Restored:
    """What became of one entry of the trash."""

    run: str
    error: str = ""


class Workspace:
    """Made from the roots of a log; looks at no file before it is asked."""

    def __init__(
        self,
        roots: Sequence[RootLike],
        *,
        on_change: Callable[[int], None] = lambda version: None,
        now: Callable[[], float] = time.time,
        data: Path | None = None,
    ) -> None:
        self._lock = threading.RLock()
        self._on_change = on_change
        self._now = now
        self._rooms = [_Room(root, now=now, data=data) for root in roots]
        self._signature: tuple[object, ...] = ()
        self._snapshot: Snapshot | None = None
        # Later starts of a server have greater versions than earlier ones, so that one never stands for two
        # states.
        self._version = int(now() * 1000)

    # ── asked ────────────────────────────────────────────────────────────────────────────────────────────

    def refresh(self) -> int:
        """Look at the files, and read what is new; returns the version. A few ``stat`` while nothing is."""
        with self._lock:
            for room in self._rooms:
                room.refresh()
            self._first.views.refresh()
            return self._notice()

    def snapshot(self) -> Snapshot:
        with self._lock:
            version = self.refresh()
            if self._snapshot is None or self._snapshot.version != version:
                self._snapshot = self._make_snapshot(version)
            return self._snapshot

    def view(self, name: str) -> View | None:
        with self._lock:
            self._first.views.refresh()
            return self._first.views.find(name)

    # ── changed ──────────────────────────────────────────────────────────────────────────────────────────

    def apply(self, edits: Sequence[Edit]) -> tuple[int, list[EditResult]]:
        """(version, what became of each)"""
        with self._lock:
            self.refresh()
            by_room: dict[_Room, list[int]] = {}
            for position, edit in enumerate(edits):
                by_room.setdefault(self._room_for(edit), []).append(position)
            results: list[EditResult | None] = [None] * len(edits)
            for room, positions in by_room.items():
                for position, result in zip(
                    positions, room.apply([edits[position] for position in positions]), strict=True
                ):
                    results[position] = result
            return self._notice(), [result for result in results if result is not None]

    def save_view(
        self, name: str, view: dict[str, Any], *, base: str | None = None, rename_from: str | None = None
    ) -> View:
        """Raises ConflictError, UnknownNameError, WorkspaceError; nothing has changed then."""
        with self._lock:
            self._first.edits.refresh()
            is_default = rename_from is not None and self._first.edits.state.default_view == rename_from
            saved = self._first.views.save(name, view, base=base, rename_from=rename_from)
            if is_default and rename_from != name:
                self._first.edits.apply([Edit(uuid.uuid4().hex, "default_view", text=name)])
            self._notice()
            return saved

    def remove_view(self, name: str) -> None:
        """Raises UnknownNameError, WorkspaceError."""
        with self._lock:
            try:
                self._first.views.remove(name)
            finally:
                self._notice()

    def delete(self, runs: Mapping[str, Sequence[str]], *, is_dry: bool = False) -> dict[str, Moved]:
        """Move these files of these runs to the trash, each run by itself. Thousands take a while, in which
        all else goes on: moving needs no lock but that of the directory."""
        moved = {run: self._delete(run, paths, is_dry=is_dry) for run, paths in runs.items()}
        self.refresh()
        return moved

    def _delete(self, run: str, paths: Sequence[str], *, is_dry: bool) -> Moved:
        room = self._room_of(run)
        try:
            if room.trash is None:
                raise WorkspaceError("Only runs in local log directories can be deleted")
            return room.trash.move_in(room.inner_name(run), paths, is_dry=is_dry)
        except WorkspaceError as error:
            return Moved(None, error=str(error))

    def restore(self, ids: Sequence[str]) -> dict[str, Restored]:
        """Put runs back where they were, each by itself, while all else goes on."""
        with self._lock:
            self.refresh()
            in_trash = {
                entry.id: (room, room.trash, entry)
                for room in self._rooms
                if room.trash is not None
                for entry in room.trash.entries
            }
        restored: dict[str, Restored] = {}
        for entry_id in dict.fromkeys(ids):
            if entry_id not in in_trash:
                restored[entry_id] = Restored("", "It is not in the trash (any more)")
                continue
            room, trash, entry = in_trash[entry_id]
            try:
                trash.move_out(entry)
                restored[entry_id] = Restored(room.outer_name(entry.run))
            except WorkspaceError as error:
                restored[entry_id] = Restored(room.outer_name(entry.run), str(error))
        self.refresh()
        return restored

    # ── behind it ────────────────────────────────────────────────────────────────────────────────────────

    @property
    def _first(self) -> _Room:
        return self._rooms[0]

    def _room_for(self, edit: Edit) -> _Room:
        if edit.kind in _OF_THE_LOG:
            return self._first
        if edit.kind == "annotate" and edit.annotation is not None:
            return self._room_of(edit.annotation.run)
        if edit.kind == "remove_annotation":
            has_it = (room for room in self._rooms if edit.text in room.edits.state.annotations)
            return next(has_it, self._first)
        return self._room_of(edit.run)

    def _room_of(self, run: str) -> _Room:
        """The root that a run belongs to: the one with the longest prefix that its name begins with."""
        fitting = [room for room in self._rooms if room.has(run)]
        return max(fitting, key=lambda room: len(room.prefix), default=self._first)

    def _notice(self) -> int:
        """Tell of it when something is different from the last time."""
        signature = (self._first.views.signature, *(room.signature for room in self._rooms))
        if signature != self._signature:
            is_first = self._signature == ()
            self._signature = signature
            self._version = max(self._version + 1, int(self._now() * 1000))
            if not is_first:
                self._on_change(self._version)
        return self._version

    def _make_snapshot(self, version: int) -> Snapshot:
        first = self._first
        views = first.views.all()
        usable = {view.name for view in views if not view.problem}
        default_view = first.edits.state.default_view
        runs: dict[str, RunNotes] = {}
        annotations: list[Annotation] = []
        trash: list[TrashEntry] = []
        for room in self._rooms:
            runs.update({room.outer_name(run): notes for run, notes in room.edits.state.runs.items()})
            annotations += [
                replace(one, run=room.outer_name(one.run)) for one in room.edits.state.annotations.values()
            ]
            if room.trash is not None:
                trash += [replace(entry, run=room.outer_name(entry.run)) for entry in room.trash.entries]
        return Snapshot(
            version=version,
            is_writable=any(room.place.is_writable for room in self._rooms),
            place=str(first.place.written),
            runs=runs,
            annotations=annotations,
            group_colors=dict(first.edits.state.group_colors),
            views=views,
            # One that was removed may come back: it is then the default again.
            default_view=default_view if default_view in usable else None,
            trash=sorted(trash, key=lambda entry: -entry.deleted_s),
            # What keeps everything from being saved comes first.
            problems=[*(line for room in self._rooms for line in room.problems), *first.views.problems],
        )


class _Room:
    """What belongs to one root."""

    def __init__(self, root: RootLike, *, now: Callable[[], float], data: Path | None) -> None:
        self.prefix = root.prefix
        self.place = Place(root, data=data)
        self.edits = EditStore(self.place, now=now)
        self.views = ViewStore(self.place, now=now)
        self.trash = Trash(Path(root.path), now=now) if self.place.beside is not None else None

    def refresh(self) -> None:
        self.edits.refresh()
        if self.trash is not None:
            self.trash.refresh()

    def has(self, run: str) -> bool:
        return not self.prefix or run == self.prefix or run.startswith(f"{self.prefix}/")

    def inner_name(self, run: str) -> str:
        """Of a run as the log calls it: without the prefix, so that the edits travel with the directory."""
        if not self.prefix or not run or not self.has(run):
            return run
        return run[len(self.prefix) + 1 :] or _ROOT_RUN

    def outer_name(self, run: str) -> str:
        if not self.prefix or not run:
            return run
        return self.prefix if run == _ROOT_RUN else f"{self.prefix}/{run}"

    def apply(self, edits: Sequence[Edit]) -> list[EditResult]:
        results = self.edits.apply([_renamed(edit, self.inner_name) for edit in edits])
        return [
            replace(result, inverse=_renamed(result.inverse, self.outer_name)) if result.inverse else result
            for result in results
        ]

    @property
    def signature(self) -> tuple[object, ...]:
        trash = () if self.trash is None else self.trash.signature
        return self.edits.revision, trash, self.place.written, tuple(self.problems)

    @property
    def problems(self) -> list[str]:
        own = self.place.problem
        return [
            *([own] if own else []),
            *self.edits.problems,
            *([] if self.trash is None else self.trash.problems),
        ]


def _renamed(edit: Edit, name: Callable[[str], str]) -> Edit:
    annotation = edit.annotation
    if annotation is not None:
        annotation = replace(annotation, run=name(annotation.run))
    return replace(edit, run=name(edit.run), annotation=annotation)
