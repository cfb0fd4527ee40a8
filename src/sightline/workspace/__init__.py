"""What people add to a log (names, notes, labels, colours, annotations, views), and the trash: all files.

workspace   one object over all roots of a log         places      in which directory, and why
edits       one change, as a line of edits.jsonl       edit_file   that file, read as it grows
state       what all edits come to                     edit_store  several files, and adding to one
merging     two people changed one note                views       saved views, one file each
trash       files of deleted runs                      disk        careful reading and writing
"""

from sightline.workspace.edit_store import EditResult
from sightline.workspace.edits import Annotation, Edit, json_bytes
from sightline.workspace.errors import ConflictError, NotKeptError, WorkspaceError
from sightline.workspace.state import RunNotes
from sightline.workspace.trash import Moved, TrashEntry
from sightline.workspace.views import View
from sightline.workspace.workspace import Restored, Snapshot, Workspace

__all__ = [
    "Annotation",
    "ConflictError",
    "Edit",
    "EditResult",
    "Moved",
    "NotKeptError",
    "Restored",
    "RunNotes",
    "Snapshot",
    "TrashEntry",
    "View",
    "Workspace",
    "WorkspaceError",
    "json_bytes",
]
