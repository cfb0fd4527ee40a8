"""One change by a person, and the line of ``edits.jsonl`` that it becomes.

A line says what holds from then on, not what the person typed: a note is stored as it was after merging. So
reading is only ever putting later lines over earlier ones, and no reader has to merge as we do.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import msgspec

LINE_VERSION = 1

MAX_LINE_BYTES = 2 << 20
"""The longest note in the longest spelling of JSON has a third of this."""

EDIT_KINDS = frozenset(
    {
        *("name", "note", "add_label", "remove_label", "color", "favourite", "archive"),
        *("annotate", "remove_annotation", "group_color", "default_view"),
    }
)

_MAX_STEP = 2**63 - 1


@dataclass(frozen=True)
class Annotation:
    """A note pinned to a point of a chart."""

    id: str
    tag: str = ""
    run: str = ""
    step: int = 0
    text: str = ""


@dataclass(frozen=True)
class Edit:
    """See ``wire.workspace_schemas.Edit``, which says what each field means to each kind."""

    id: str
    kind: str
    run: str = ""
    text: str | None = None
    is_on: bool = True
    base: str | None = None
    key: str = ""
    annotation: Annotation | None = None


class DamagedLineError(ValueError):
    """A line that cannot have been written by us as a whole."""


class NewerLineError(ValueError):
    """A line of a later version, or of a kind that only that knows."""


def line_from_edit(edit: Edit, *, time_s: float) -> bytes:
    """With the line break at the end."""
    fields: dict[str, Any] = {"version": LINE_VERSION, "id": edit.id, "time": time_s, "kind": edit.kind}
    if edit.run:
        fields["run"] = edit.run
    if edit.key:
        fields["key"] = edit.key
    if edit.kind in ("favourite", "archive"):
        fields["is_on"] = edit.is_on
    elif edit.annotation is not None:
        fields["annotation"] = vars(edit.annotation)
    else:
        fields["text"] = edit.text
    return json_bytes(fields) + b"\n"


def edit_from_line(line: bytes) -> Edit:
    """Raises DamagedLineError or NewerLineError."""
    if len(line) > MAX_LINE_BYTES:
        raise DamagedLineError("longer than any line that is written")
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise DamagedLineError(str(error)) from None
    if not isinstance(fields, dict) or not isinstance(fields.get("version"), int):
        raise DamagedLineError("no object with a version")
    if fields["version"] > LINE_VERSION:
        raise NewerLineError
    try:
        edit = msgspec.convert(fields, Edit)
    except msgspec.ValidationError as error:
        raise DamagedLineError(str(error)) from None
    if edit.annotation is not None and not is_step(edit.annotation.step):
        raise DamagedLineError("a step of more than 64 bits")
    if edit.kind not in EDIT_KINDS:
        raise NewerLineError
    return edit


def json_bytes(value: Any, *, indent: int | None = None) -> bytes:
    """As people read it; what UTF-8 has no place for is escaped. Raises ValueError, RecursionError."""
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent).encode()
    except UnicodeEncodeError:
        return json.dumps(value, allow_nan=False, indent=indent).encode()


def is_step(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= _MAX_STEP
