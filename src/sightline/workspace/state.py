"""What all edits of one place come to: the same function applies a new edit and one that is read again.

A new edit is checked, merged with what others did, and comes with the edit that takes it back. What is stored
of it (``Applied.stored``) says what holds from then on, so that applying it once more, in another process or
after a restart, gives the same.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from sightline.workspace.edits import Annotation, Edit, is_step
from sightline.workspace.errors import RefusedError
from sightline.workspace.merging import merged

MAX_NAME_LENGTH = 1000
MAX_NOTE_LENGTH = 100_000
MAX_LABEL_LENGTH = 100
MAX_LABELS = 100
"""Of one run."""
MAX_RUNS = 100_000
MAX_ANNOTATIONS = 20_000
MAX_GROUP_COLORS = 20_000
MAX_VIEW_NAME_LENGTH = 200

_COLOR = re.compile(r"#[0-9a-f]{6}")


@dataclass(frozen=True)
class RunNotes:
    """What people said about one run."""

    display_name: str | None = None
    note: str = ""
    labels: tuple[str, ...] = ()
    color: str | None = None
    is_favourite: bool = False
    is_archived: bool = False


_NOTHING = RunNotes()


class Applied(NamedTuple):
    """What an edit did."""

    stored: Edit | None
    """As it is to be kept; None: nothing changed."""
    undo: Mapping[str, Any] | None = None
    """What is different in the edit that takes it back."""
    text: str | None = None
    """note: what it says now."""

    @property
    def inverse(self) -> Edit | None:
        """A new one each time, with an id of its own. Made when asked for: most edits are only read again."""
        if self.stored is None or self.undo is None:
            return None
        return replace(self.stored, **{"id": uuid.uuid4().hex, "base": None, **self.undo})


@dataclass
class State:
    runs: dict[str, RunNotes] = field(default_factory=dict)
    """Runs about which nobody said anything (any more) are not in there."""
    annotations: dict[str, Annotation] = field(default_factory=dict)
    group_colors: dict[str, str] = field(default_factory=dict)
    default_view: str | None = None
    seen_ids: set[str] = field(default_factory=set)

    def apply(self, edit: Edit) -> Applied:
        """Raises RefusedError; nothing has changed then. An edit that was applied before changes nothing."""
        if edit.id in self.seen_ids:
            return Applied(None, text=self._note_of(edit))
        applied = _KINDS[edit.kind](self, edit)
        if applied.stored is not None:
            self.seen_ids.add(edit.id)
        return applied

    def _note_of(self, edit: Edit) -> str | None:
        return self.runs.get(edit.run, _NOTHING).note if edit.kind == "note" else None

    # ── runs ─────────────────────────────────────────────────────────────────────────────────────────────

    def _notes(self, run: str) -> RunNotes:
        if not run:
            raise RefusedError("The edit does not say which run it is about")
        notes = self.runs.get(run)
        if notes is None and len(self.runs) >= MAX_RUNS:
            raise RefusedError(f"There is something written about {MAX_RUNS:,} runs already; no more fit in")
        return notes or _NOTHING

    def _keep(self, run: str, notes: RunNotes) -> None:
        if notes == _NOTHING:
            self.runs.pop(run, None)
        else:
            self.runs[run] = notes

    def _set(self, edit: Edit, field: str, value: str | None) -> Applied:
        notes = self._notes(edit.run)
        old = getattr(notes, field)
        if value == old:
            return Applied(None)
        self._keep(edit.run, replace(notes, **{field: value}))  # type: ignore[arg-type]
        return Applied(_stored(edit, value), {"text": old})

    def _switch(self, edit: Edit, field: str) -> Applied:
        notes = self._notes(edit.run)
        if getattr(notes, field) == edit.is_on:
            return Applied(None)
        self._keep(edit.run, replace(notes, **{field: edit.is_on}))  # type: ignore[arg-type]
        return Applied(edit, {"is_on": not edit.is_on})

    def name(self, edit: Edit) -> Applied:
        text = " ".join((edit.text or "").split()) or None
        _check_length(text, MAX_NAME_LENGTH, "A name")
        return self._set(edit, "display_name", text)

    def color(self, edit: Edit) -> Applied:
        return self._set(edit, "color", _color(edit))

    def favourite(self, edit: Edit) -> Applied:
        return self._switch(edit, "is_favourite")

    def archive(self, edit: Edit) -> Applied:
        return self._switch(edit, "is_archived")

    def note(self, edit: Edit) -> Applied:
        notes = self._notes(edit.run)
        text = edit.text or ""
        if edit.base is not None:
            both = merged(edit.base, text, notes.note)
            if both is None:
                raise RefusedError(
                    "Somebody else changed the same lines of this note: put both together, then save again",
                    conflict=notes.note,
                )
            text = both
        _check_length(text, MAX_NOTE_LENGTH, "A note")
        if text == notes.note:
            return Applied(None, text=text)
        self._keep(edit.run, replace(notes, note=text))
        # With the text as base: what others write until it is taken back stays.
        return Applied(_stored(edit, text), {"text": notes.note, "base": text}, text)

    def add_label(self, edit: Edit) -> Applied:
        notes, label = self._notes(edit.run), _label(edit)
        if label in notes.labels:
            return Applied(None)
        if len(notes.labels) >= MAX_LABELS:
            raise RefusedError(f"A run has {MAX_LABELS} labels at most")
        self._keep(edit.run, replace(notes, labels=(*notes.labels, label)))
        return Applied(_stored(edit, label), {"kind": "remove_label", "text": label})

    def remove_label(self, edit: Edit) -> Applied:
        notes, label = self._notes(edit.run), _label(edit)
        if label not in notes.labels:
            return Applied(None)
        self._keep(edit.run, replace(notes, labels=tuple(one for one in notes.labels if one != label)))
        return Applied(_stored(edit, label), {"kind": "add_label", "text": label})

    # ── annotations ──────────────────────────────────────────────────────────────────────────────────────

    def annotate(self, edit: Edit) -> Applied:
        new = edit.annotation
        if new is None or not new.id:
            raise RefusedError("The edit has no annotation, or one without an id")
        if not is_step(new.step):
            raise RefusedError("The step of an annotation has 64 bits at most")
        _check_length(new.text, MAX_NOTE_LENGTH, "The text of an annotation")
        old = self.annotations.get(new.id)
        if old == new:
            return Applied(None)
        if old is None and len(self.annotations) >= MAX_ANNOTATIONS:
            raise RefusedError(f"There are {MAX_ANNOTATIONS:,} annotations already; no more fit in")
        self.annotations[new.id] = new
        if old is None:
            return Applied(edit, {"kind": "remove_annotation", "text": new.id, "annotation": None})
        return Applied(edit, {"annotation": old})

    def remove_annotation(self, edit: Edit) -> Applied:
        if not edit.text:
            raise RefusedError("The edit does not say which annotation goes")
        old = self.annotations.pop(edit.text, None)
        if old is None:
            return Applied(None)
        return Applied(edit, {"kind": "annotate", "text": None, "annotation": old})

    # ── the log as a whole ───────────────────────────────────────────────────────────────────────────────

    def group_color(self, edit: Edit) -> Applied:
        color = _color(edit)
        old = self.group_colors.get(edit.key)
        if color == old:
            return Applied(None)
        if color is None:
            del self.group_colors[edit.key]
        elif old is None and len(self.group_colors) >= MAX_GROUP_COLORS:
            raise RefusedError(f"{MAX_GROUP_COLORS:,} groups have a colour already; no more fit in")
        else:
            self.group_colors[edit.key] = color
        return Applied(_stored(edit, color), {"text": old})

    def choose_default_view(self, edit: Edit) -> Applied:
        name, old = edit.text or None, self.default_view
        _check_length(name, MAX_VIEW_NAME_LENGTH, "The name of a view")
        if name == old:
            return Applied(None)
        self.default_view = name
        return Applied(_stored(edit, name), {"text": old})


_KINDS: Mapping[str, Callable[[State, Edit], Applied]] = {
    "name": State.name,
    "note": State.note,
    "add_label": State.add_label,
    "remove_label": State.remove_label,
    "color": State.color,
    "favourite": State.favourite,
    "archive": State.archive,
    "annotate": State.annotate,
    "remove_annotation": State.remove_annotation,
    "group_color": State.group_color,
    "default_view": State.choose_default_view,
}


def _stored(edit: Edit, text: str | None) -> Edit:
    is_same = edit.text == text and edit.base is None
    return edit if is_same else replace(edit, text=text, base=None)


def _label(edit: Edit) -> str:
    label = " ".join((edit.text or "").split())
    if not label:
        raise RefusedError("A label has at least one letter")
    _check_length(label, MAX_LABEL_LENGTH, "A label")
    return label


def _color(edit: Edit) -> str | None:
    color = (edit.text or "").lower()
    if color and not _COLOR.fullmatch(color):
        raise RefusedError(f"A colour is written like #1f77b4, not {edit.text!r:.40}")
    return color or None


def _check_length(text: str | None, most: int, what: str) -> None:
    if text is not None and len(text) > most:
        raise RefusedError(f"{what} has {most:,} characters at most; this one has {len(text):,}")
