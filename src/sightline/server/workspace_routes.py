"""Routes about what people add to a log: edits, views, the trash; and the hyper-parameters of runs.

They translate between the words of the wire and those of ``sightline.workspace``, which does the work.
Deleting is decided here: only the server knows which files belong to a run, and whether somebody still writes
them.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec

from sightline import workspace as kept
from sightline.model.errors import UnknownNameError, UserError
from sightline.query.run_status import status_of, story_of
from sightline.query.run_table import run_rows_of
from sightline.readers.roots import is_event_file_name
from sightline.server.context import ServerContext
from sightline.wire import workspace_schemas as wire
from sightline.wire.routes import ApiError, ApiRoute, Encoded, check_server_id
from sightline.wire.structs import struct_of
from sightline.wire.text import wire_json, wire_text

if TYPE_CHECKING:
    from sightline.query.stored_types import Run

MAX_EDITS_BYTES = 8 << 20

DELETE_NOT_ALLOWED = (
    "This server may not delete runs. Whoever starts it can allow it: sightline --allow-delete …; what is "
    "deleted then goes to a trash folder, and can be restored"
)
STILL_RUNNING = (
    "This run is still being written. End the program that writes it, or wait until it has been silent for a "
    "while"
)


# ── asked ───────────────────────────────────────────────────────────────────────────────────────────────


def run_fields(context: ServerContext, request: wire.FieldsParameters) -> Encoded:
    check_server_id(context, request.server_id)
    return context.run_fields.encoded()


def workspace(context: ServerContext, _: None) -> Encoded:
    snapshot = context.workspace.snapshot()
    answer = struct_of(
        wire.Workspace,
        snapshot,
        is_delete_allowed=context.options.is_delete_allowed,
        runs=[
            struct_of(wire.RunEdits, notes, run=run, labels=list(notes.labels))
            for run, notes in snapshot.runs.items()
        ],
        annotations=[struct_of(wire.Annotation, annotation) for annotation in snapshot.annotations],
        views=[struct_of(wire.ViewInfo, view) for view in snapshot.views],
        trash=[struct_of(wire.TrashEntry, entry, file_count=len(entry.files)) for entry in snapshot.trash],
    )
    return Encoded(wire_json(answer), etag=f'"{context.server_id}-workspace-{snapshot.version}"')


def saved_view(context: ServerContext, request: wire.ViewParameters) -> Encoded:
    view = context.workspace.view(request.name)
    if view is None:
        raise UnknownNameError("view", request.name, [one.name for one in context.workspace.snapshot().views])
    if view.problem:
        raise ApiError(422, f"This view cannot be opened. {view.problem}: {view.path}")
    # Not by msgspec: a file that a person wrote may have whole numbers of any length.
    return Encoded(kept.json_bytes({"name": view.name, "revision": view.revision, "view": view.view}))


# ── changed ─────────────────────────────────────────────────────────────────────────────────────────────


def edit(context: ServerContext, request: wire.EditsRequest) -> wire.EditsAnswer:
    version, results = context.workspace.apply([_kept_edit(one) for one in request.edits])
    return wire.EditsAnswer(
        version,
        [struct_of(wire.EditResult, result, inverse=_wire_edit(result.inverse)) for result in results],
    )


def save_view(context: ServerContext, request: wire.SaveView) -> wire.ViewInfo:
    try:
        saved = context.workspace.save_view(
            request.name, request.view, base=request.base, rename_from=request.rename_from
        )
    except kept.ConflictError as error:
        raise ApiError(409, str(error)) from None
    return struct_of(wire.ViewInfo, saved)


def remove_view(context: ServerContext, request: wire.RemoveView) -> None:
    context.workspace.remove_view(request.name)


def delete_runs(context: ServerContext, request: wire.DeleteRuns) -> wire.DeleteAnswer:
    from sightline.query.run_files import count_other_files  # brings NumPy

    _check_delete_allowed(context)
    names = list(dict.fromkeys(request.runs))
    now_s = time.time()
    gone = kept.Moved(None, error="There is no such run (any more)")
    moved = dict.fromkeys(names, gone)
    paths: dict[str, list[str]] = {}
    kept_counts = dict.fromkeys(names, 0)
    for row in run_rows_of(context.store, names):
        run = context.store.get(row.name)
        if run is None:
            continue
        status, _ = status_of(row, story_of(context.store, row), now_s)
        if status == "running":
            moved[row.name] = kept.Moved(None, error=STILL_RUNNING)
        else:
            paths[row.name] = _own_files(context, run)
            kept_counts[row.name] = count_other_files(run.directories, paths[row.name])
    moved.update(context.workspace.delete(paths, is_dry=request.is_dry))
    if any(one.entry_id is not None for one in moved.values()):
        _look_again(context)
    return wire.DeleteAnswer(
        [
            struct_of(
                wire.DeletedRun,
                one,
                run=name,
                trash_id=one.entry_id,
                kept_count=kept_counts[name],
                error=wire_text(one.error),
            )
            for name, one in moved.items()
        ]
    )


def restore_runs(context: ServerContext, request: wire.RestoreRuns) -> wire.RestoreAnswer:
    _check_delete_allowed(context)
    restored = context.workspace.restore(request.ids)
    if restored:
        _look_again(context)
    return wire.RestoreAnswer(
        [wire.RestoredRun(entry_id, one.run, one.error) for entry_id, one in restored.items()]
    )


# ── the parts ───────────────────────────────────────────────────────────────────────────────────────────


def _check_delete_allowed(context: ServerContext) -> None:
    if not context.options.is_delete_allowed:
        raise ApiError(403, DELETE_NOT_ALLOWED)


def _own_files(context: ServerContext, run: Run) -> list[str]:
    from sightline.query.run_files import event_files_of, own_side_files_of  # brings NumPy

    beside = own_side_files_of(context.store, run)
    # A file that is named like an event file belongs to the run that has it as one.
    others = [path for path in beside if not is_event_file_name(os.path.basename(path))]
    return [*event_files_of(run), *others]


def _look_again(context: ServerContext) -> None:
    """So that pages learn of it at once, also where nothing tells of changes."""
    with suppress(UserError):  # a log that was closed meanwhile
        context.log.refresh()


def _kept_edit(edit: wire.Edit) -> kept.Edit:
    fields = msgspec.structs.asdict(edit)
    if edit.annotation is not None:
        fields["annotation"] = kept.Annotation(**msgspec.structs.asdict(edit.annotation))
    return kept.Edit(**fields)


def _wire_edit(edit: kept.Edit | None) -> wire.Edit | None:
    if edit is None or edit.annotation is None:
        return None if edit is None else struct_of(wire.Edit, edit)
    return struct_of(wire.Edit, edit, annotation=struct_of(wire.Annotation, edit.annotation))


WORKSPACE_ROUTES: tuple[ApiRoute, ...] = (
    ApiRoute(
        "GET", "runs/fields", "Hyper-parameters of all runs", run_fields, answer=wire.RunFields, errors=(409,)
    ),
    ApiRoute("GET", "workspace", "Everything that people added to the log", workspace, answer=wire.Workspace),
    ApiRoute(
        "POST",
        "workspace/edits",
        "Change names, notes, labels, colours, annotations",
        edit,
        max_body_bytes=MAX_EDITS_BYTES,
    ),
    ApiRoute("GET", "workspace/view", "One saved view", saved_view, answer=wire.SavedView, errors=(404,)),
    ApiRoute("POST", "workspace/view", "Save a view", save_view, errors=(404, 409)),
    ApiRoute(
        "POST", "workspace/view/remove", "Move a view to the trash", remove_view, status=204, errors=(404,)
    ),
    ApiRoute("POST", "workspace/delete", "Move the files of runs to the trash", delete_runs, is_patient=True),
    ApiRoute("POST", "workspace/restore", "Put runs back from the trash", restore_runs, is_patient=True),
)
