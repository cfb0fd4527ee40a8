"""Requests and answers about what people add to a log, as types: names, notes, labels, colours, annotations,
saved views, the trash. The words and rules of schemas.py hold here too.

Runs are named by name here, not by number: what people write outlives the server's numbers.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from sightline.model.choices import FieldKind
from sightline.wire.schemas import ServerId

MAX_NOTE_LENGTH = 100_000
MAX_LABEL_LENGTH = 100
MAX_EDITS = 10_000

RunName = Annotated[str, Meta(max_length=65_536)]
EditId = Annotated[str, Meta(min_length=1, max_length=64)]


class RunEdits(Struct, frozen=True):
    """What people said about one run; runs about which nobody said anything are not listed."""

    run: str
    display_name: str | None
    note: str
    """Markdown."""
    labels: list[str]
    color: str | None
    """#rrggbb; None: the page chooses."""
    is_favourite: bool
    is_archived: bool


class Annotation(Struct, frozen=True):
    """A note pinned to a point of a chart."""

    id: EditId
    tag: Annotated[str, Meta(max_length=65_536)]
    """The tag or formula of the line."""
    run: RunName
    step: int
    text: Annotated[str, Meta(max_length=MAX_NOTE_LENGTH)]


class ViewInfo(Struct, frozen=True):
    name: str
    """Also the name of its file, without the ending."""
    saved_s: float
    revision: str
    """Another one after each change."""
    problem: str
    """Why it cannot be opened (damaged, of a newer version); empty: it can."""


class TrashEntry(Struct, frozen=True):
    id: str
    run: str
    deleted_s: float
    size_bytes: int
    file_count: int


class Workspace(Struct, frozen=True):
    """Everything that people added, but for the contents of views."""

    version: int
    """Grows with each change in any way."""
    is_writable: bool
    """False: nothing can be saved; ``problems`` says why."""
    is_delete_allowed: bool
    place: str
    """Where it is kept, for people."""
    runs: list[RunEdits]
    annotations: list[Annotation]
    group_colors: dict[str, str]
    """#rrggbb by the group's key."""
    views: list[ViewInfo]
    default_view: str | None
    trash: list[TrashEntry]
    problems: list[str]
    """What could not be read or kept, one sentence each."""


class Edit(Struct, frozen=True, omit_defaults=True):
    """One change by a person. Sent twice (after a lost answer) it counts once."""

    id: EditId
    kind: Literal[
        "name",
        "note",
        "add_label",
        "remove_label",
        "color",
        "favourite",
        "archive",
        "annotate",
        "remove_annotation",
        "group_color",
        "default_view",
    ]
    run: RunName = ""
    """Empty for annotations, group colours and the default view."""
    text: Annotated[str, Meta(max_length=MAX_NOTE_LENGTH)] | None = None
    """The new name, note, label, colour, or name of the default view; the id of an annotation that goes.
    None or empty: none any more."""
    is_on: bool = True
    """favourite, archive: on or off."""
    base: Annotated[str, Meta(max_length=MAX_NOTE_LENGTH)] | None = None
    """note: the text that the writer started from. Somebody else's changes since are merged with these; where
    both changed the same lines, nothing is saved and the answer has both."""
    key: Annotated[str, Meta(max_length=65_536)] = ""
    """group_color: of which group."""
    annotation: Annotation | None = None
    """annotate: new, or in place of the one with the same id."""


class EditsRequest(Struct, frozen=True):
    edits: Annotated[list[Edit], Meta(min_length=1, max_length=MAX_EDITS)]


class EditResult(Struct, frozen=True):
    id: str
    is_applied: bool
    inverse: Edit | None
    """The edit that takes it back, with an id of its own; None when nothing changed."""
    text: str | None
    """note: what it says now."""
    conflict: str | None
    """note, not applied: what somebody else made of it meanwhile, to be put together by hand."""
    error: str
    """Why it was not applied; empty when it was."""


class EditsAnswer(Struct, frozen=True):
    version: int
    results: list[EditResult]


class ViewParameters(Struct, frozen=True):
    name: Annotated[str, Meta(min_length=1, max_length=200)]


class SavedView(Struct, frozen=True):
    name: str
    revision: str
    view: Any
    """As the page wrote it: web/src/state/view-file.ts."""


class SaveView(Struct, frozen=True):
    name: Annotated[str, Meta(min_length=1, max_length=200)]
    view: dict[str, Any]
    base: Annotated[str, Meta(max_length=100)] | None = None
    """The revision that this replaces. None: a new view. Another one is there by now: 409, nothing is
    lost."""
    rename_from: Annotated[str, Meta(max_length=200)] | None = None


class RemoveView(Struct, frozen=True):
    name: Annotated[str, Meta(min_length=1, max_length=200)]


class DeleteRuns(Struct, frozen=True):
    """Move the files of runs to the trash."""

    runs: Annotated[list[RunName], Meta(min_length=1, max_length=10_000)]
    is_dry: bool = False
    """Only say what would happen."""


class DeletedRun(Struct, frozen=True):
    run: str
    trash_id: str | None
    """None: nothing was moved (see error), or nothing should be."""
    file_count: int
    size_bytes: int
    kept_count: int
    """Other files in the run's directory, which stay where they are."""
    error: str


class DeleteAnswer(Struct, frozen=True):
    runs: list[DeletedRun]


class RestoreRuns(Struct, frozen=True):
    ids: Annotated[list[EditId], Meta(min_length=1, max_length=10_000)]


class RestoredRun(Struct, frozen=True):
    id: str
    run: str
    error: str


class RestoreAnswer(Struct, frozen=True):
    runs: list[RestoredRun]


class RunField(Struct, frozen=True):
    """One hyper-parameter: element i of both lists is about the same run."""

    name: str
    kind: FieldKind
    """text when runs disagree about the kind."""
    run: list[int]
    value: list[float | str | bool]


class RunFields(Struct, frozen=True):
    """Hyper-parameters of all runs, by name."""

    server_id: str
    revision: int
    fields: list[RunField]


class FieldsParameters(Struct, frozen=True):
    server_id: ServerId | None = None


class WorkspaceEvent(Struct, frozen=True):
    """Event ``workspace``: somebody changed something; ask for it."""

    version: int
