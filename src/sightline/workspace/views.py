"""Saved views: one small JSON file each, made to be read, checked in and sent around.

    views/paper.json     {"format": "sightline-view", "version": 1, "name": "paper", "view": {…}}

What is in ``view`` belongs to the page and is kept as it is. The name in the file counts; the name of the
file is made from it so that every file system takes it. A file that is damaged, or of a newer version, is
listed with what is wrong with it and never written over.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import re
import time
import unicodedata
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sightline.model.errors import UnknownNameError
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
from sightline.workspace.errors import ConflictError, NotKeptError, WorkspaceError
from sightline.workspace.places import Place
from sightline.workspace.state import MAX_VIEW_NAME_LENGTH

FORMAT = "sightline-view"
VERSION = 1
DIRECTORY = "views"
TRASH_DIRECTORY = Path("trash") / "views"
ENDING = ".json"

MAX_FILE_BYTES = 8 << 20
MAX_VIEWS = 1000
MAX_DEPTH = 100
"""Of lists and objects in each other."""

_PLAIN_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,79}")
# Names that Windows has given away.
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?", re.IGNORECASE)
_MAX_STEM_BYTES = 80


@dataclass(frozen=True)
class View:
    """One file."""

    name: str
    path: Path
    saved_s: float
    revision: str
    """Hash of the file's bytes."""
    problem: str = ""
    content: dict[str, Any] = field(default_factory=dict)
    """Everything in the file; empty with a problem."""
    said_name: str = ""
    """With a problem: what the file itself says its name is, as far as that can be read."""

    @property
    def view(self) -> Any:
        return self.content.get("view")


class ViewStore:
    """The views of one place. Not safe for threads: ``Workspace`` has a lock."""

    def __init__(self, place: Place, *, now: Callable[[], float] = time.time) -> None:
        self._place = place
        self._now = now
        self._known: dict[Path, tuple[Mark, View]] = {}
        self._views: dict[str, View] = {}
        self.problems: list[str] = []
        self.signature: tuple[object, ...] = ()
        """Another one whenever a file is new, gone or different."""

    def refresh(self) -> None:
        """Look at the files, and read those that are not as they were."""
        known: dict[Path, tuple[Mark, View]] = {}
        views: dict[str, View] = {}
        self.problems = []
        for directory in self._place.directories:
            # The user's own stand over those beside the logs.
            views.update(self._views_in(directory / DIRECTORY, known))
        self._known = known
        self._views = views
        self.signature = tuple((path, mark) for path, (mark, _) in known.items())

    def _views_in(self, directory: Path, known: dict[Path, tuple[Mark, View]]) -> dict[str, View]:
        views: dict[str, View] = {}
        for path in self._paths_in(directory):
            mark = mark_at(path)
            if mark is None:
                continue
            before = self._known.get(path)
            view = before[1] if before is not None and before[0] == mark else _read_view(path, mark)
            known[path] = mark, view
            if view.name in views:
                problem = f"Another file has a view of the same name: {views[view.name].path.name}"
                view = View(f"{view.name} ({path.name})", path, view.saved_s, view.revision, problem)
            views[view.name] = view
        return views

    def _paths_in(self, directory: Path) -> list[Path]:
        if not is_directory(directory):
            return []
        try:
            names = sorted(name for name in os.listdir(directory) if _is_view_file(name))
        except OSError as error:
            self.problems.append(f"Views cannot be listed ({error.strerror}): {directory}")
            return []
        if len(names) > MAX_VIEWS:
            self.problems.append(
                f"Only the first {MAX_VIEWS:,} of {len(names):,} views are looked at: {directory}"
            )
        return [directory / name for name in names[:MAX_VIEWS]]

    # ── asked and changed ────────────────────────────────────────────────────────────────────────────────

    def all(self) -> list[View]:
        """By name."""
        return sorted(self._views.values(), key=lambda view: (view.name.casefold(), view.name))

    def get(self, name: str) -> View | None:
        return self._views.get(name)

    def find(self, name: str) -> View | None:
        """As ``get``, for who only looks: a file that cannot be used is listed by its own name, and is found
        by that of the view too."""
        file_name = file_stem(name) + ENDING
        broken = (
            view
            for view in self.all()
            if view.problem and (view.said_name == name or view.path.name == file_name)
        )
        return self.get(name) or next(broken, None)

    def _named(self, name: str) -> View:
        view = self.get(name)
        if view is None:
            raise UnknownNameError("view", name, self._views)
        return view

    def save(self, name: str, view: dict[str, Any], *, base: str | None, rename_from: str | None) -> View:
        """Raises ConflictError, WorkspaceError, NotKeptError; nothing has changed then."""
        name = _checked_name(name)
        if depth_of(view) > MAX_DEPTH:
            raise WorkspaceError(f"A view has {MAX_DEPTH} levels at most; this one has more")
        try:
            directory = self._place.make()
            with locked(directory):
                self.refresh()
                return self._save_locked(directory / DIRECTORY, name, view, base, rename_from)
        except OSError as error:
            raise NotKeptError(
                f"The view could not be saved ({error.strerror or error}): {self._place.written}"
            ) from None

    def _save_locked(
        self, directory: Path, name: str, view: dict[str, Any], base: str | None, rename_from: str | None
    ) -> View:
        old_name = name if rename_from is None else rename_from
        is_renaming = old_name != name
        old = self.get(old_name)
        if is_renaming and self.get(name) is not None:
            raise ConflictError(f"There is a view of this name already: {name!r}")
        if is_renaming and old is None:
            raise UnknownNameError("view", old_name, self._views)
        _check_base(old, old_name, base)
        if old is None and len(self._views) >= MAX_VIEWS:
            raise WorkspaceError(f"There are {MAX_VIEWS:,} views already; remove some of them first")
        # Whatever else a person or a later version put into the file stays in it.
        content = {**(old.content if old else {}), "format": FORMAT, "version": VERSION, "name": name}
        content["view"] = view
        data = json_bytes(content, indent=2) + b"\n"
        if len(data) > MAX_FILE_BYTES:
            raise WorkspaceError(f"A view has {MAX_FILE_BYTES >> 20} MB at most; this one has more")
        make_directory(directory)
        is_in_place = old is not None and not is_renaming and old.path.parent == directory
        path = old.path if old is not None and is_in_place else _free_path(directory, name)
        write_whole(path, data, is_new=not is_in_place)
        if is_renaming and old is not None and old.path.parent == directory:
            self._move_to_trash(old)
        self.refresh()
        saved = self.get(name)
        if saved is None:
            raise NotKeptError(f"The view was removed again by somebody else: {path}")
        return saved

    def remove(self, name: str) -> None:
        """To the trash. Raises UnknownNameError, NotKeptError."""
        self.refresh()
        self._named(name)
        try:
            directory = self._place.make()
            with locked(directory):
                self.refresh()
                view = self._named(name)
                if view.path.parent != directory / DIRECTORY:
                    raise NotKeptError(f"This view is where nothing can be changed: {view.path}")
                self._move_to_trash(view)
                self.refresh()
        except OSError as error:
            raise NotKeptError(
                f"The view could not be removed ({error.strerror or error}): {self._place.written}"
            ) from None

    def _move_to_trash(self, view: View) -> None:
        trash = view.path.parent.parent / TRASH_DIRECTORY
        for directory in (trash.parent, trash):
            make_directory(directory)
        moment = time.strftime("%Y%m%d-%H%M%S", time.gmtime(self._now()))
        os.rename(view.path, trash / f"{view.path.stem}-{moment}-{uuid.uuid4().hex[:8]}{ENDING}")


def _check_base(old: View | None, name: str, base: str | None) -> None:
    if old is None:
        if base is not None:
            raise ConflictError(f"Somebody else removed or renamed this view meanwhile: {name!r}")
        return
    if old.problem:
        raise ConflictError(
            f"The view of this name cannot be read, and so is not written over: {old.problem}: {old.path}"
        )
    if base is None:
        raise ConflictError(f"There is a view of this name already: {name!r}")
    if base != old.revision:
        raise ConflictError(f"Somebody else saved this view meanwhile: {name!r}")


# ── files ───────────────────────────────────────────────────────────────────────────────────────────────


def _is_view_file(name: str) -> bool:
    return name.lower().endswith(ENDING) and not name.startswith(".")


def _read_view(path: Path, mark: Mark) -> View:
    saved_s = mark.modified_ns / 1e9
    revision, problem = "", ""
    content: dict[str, Any] = {}
    try:
        data = read_file(path, limit_bytes=MAX_FILE_BYTES)
        revision = hashlib.sha256(data).hexdigest()[:16]
        content, problem = _content_of(data)
    except OSError as error:
        problem = f"It cannot be read: {error.strerror or error}"
    name = content.get("name", "")
    if problem:
        said_name = name if _is_good_name(name) else ""
        return View(path.stem, path, saved_s, revision, problem, said_name=said_name)
    return View(name, path, saved_s, revision, content=content)


def _content_of(data: bytes) -> tuple[dict[str, Any], str]:
    """(what is in the file, as far as it is one of a view; why it cannot be used)"""
    try:
        content = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return {}, "It is damaged: not JSON"
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        return {}, f'It is no view: "format" is not "{FORMAT}"'
    version = content.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        return content, "It is damaged: it has no version"
    if version > VERSION:
        return content, f"It was saved by a newer version of Sightline (version {version} of the format)"
    if not isinstance(content.get("view"), dict) or depth_of(content) > MAX_DEPTH + 1:
        return content, "It is damaged: it has no view inside"
    if not _is_good_name(content.get("name")):
        return {}, f"It is damaged: it has no name of 1 to {MAX_VIEW_NAME_LENGTH} characters"
    try:
        json_bytes(content)
    except ValueError:
        return content, "It is damaged: it has a number that JSON has no place for"
    return content, ""


def depth_of(value: Any) -> int:
    """Levels of lists and objects. Ends soon after ``MAX_DEPTH``, and never recurses."""
    level: list[Any] = [value]
    depth = 0
    while level and depth <= MAX_DEPTH + 1:
        level = [
            child
            for one in level
            if isinstance(one, (dict, list))
            for child in (one.values() if isinstance(one, dict) else one)
        ]
        depth += 1
    return depth


def _checked_name(name: str) -> str:
    if not _is_good_name(name):
        raise WorkspaceError(
            f"The name of a view has 1 to {MAX_VIEW_NAME_LENGTH} characters, no spaces at its ends and no "
            "line breaks"
        )
    return name


def _is_good_name(name: object) -> bool:
    return (
        isinstance(name, str)
        and 0 < len(name) <= MAX_VIEW_NAME_LENGTH
        and name == name.strip()
        and not any(unicodedata.category(sign) in ("Cc", "Cs", "Zl", "Zp") for sign in name)
    )


def file_stem(name: str) -> str:
    """A name that every file system takes, and that no other view's name gives.

    >>> file_stem("paper")
    'paper'
    >>> file_stem("../Paper: fig. 1")
    'paper-fig-1-4e6937e7'
    """
    if _PLAIN_NAME.fullmatch(name) and not _RESERVED.fullmatch(name):
        return name
    # Letters of any script stay, in one spelling; case, which not all file systems tell apart, does not.
    plain = unicodedata.normalize("NFC", unicodedata.normalize("NFKC", name).casefold())
    words = re.sub(r"[\W_]+", "-", plain).strip("-")
    short = words.encode()[:_MAX_STEM_BYTES].decode(errors="ignore").strip("-")
    code = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{short or 'view'}-{code}"


def _free_path(directory: Path, name: str) -> Path:
    return next(path for path in _paths_for(directory, name) if not os.path.lexists(path))


def _paths_for(directory: Path, name: str) -> Iterator[Path]:
    stem = file_stem(name)
    yield directory / f"{stem}{ENDING}"
    for number in itertools.count(2):
        yield directory / f"{stem}-{number}{ENDING}"
