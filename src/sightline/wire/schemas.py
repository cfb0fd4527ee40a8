"""Requests and answers in JSON, as types. The OpenAPI document and web/src/wire/generated.ts are made from
them.

Words are those of model/: run, tag, series, step, wall time. Runs are named by number on the wire, because a
page with a thousand runs names them often; a number means the same run for as long as ``server_id`` stays the
same. Times are wall times in seconds. JSON has no number for what is not finite, so those travel as the words
"NaN", "Infinity" and "-Infinity", as TensorBoard sends them.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from sightline.model.choices import RunStatus

API_VERSION = 1

MAX_INTEGER = 2**53 - 1
"""The greatest whole number that every reader of JSON takes as it is."""

Number = float | str
"""A float, or the word for one that is not finite."""

ServerId = Annotated[str, Meta(max_length=100)]


class LogDirectory(Struct, frozen=True):
    """One root that is watched."""

    path: str
    prefix: str
    """What its runs' names begin with; empty for none."""
    exists: bool


class Environment(Struct, frozen=True):
    """What the page has to know once."""

    version: str
    api_version: int
    server_id: str
    """Of this start of the server: run numbers and revisions of another one mean nothing."""
    window_title: str
    log_directories: list[LogDirectory]
    is_following: bool
    """False: the log was read once and is not watched."""
    histogram_interval: int | None
    """From the settings file, for a hint where histograms are missing; None without one."""


class ReadProgress(Struct, frozen=True):
    """How much of the log has been read."""

    files_done: int
    files_total: int
    bytes_done: int
    bytes_total: int
    is_done: bool


class RunTable(Struct, frozen=True):
    """Runs as columns: element i of each list is about the same run."""

    server_id: str
    revision: int
    """Ask with ``since`` this number for what changes from here on."""
    is_complete: bool
    """True: these are all runs. False: only those that are new or changed since."""
    id: list[int]
    name: list[str]
    status: list[RunStatus]
    is_status_known: list[bool]
    """False: nobody recorded the end; the status is concluded from the time of the last write."""
    started_s: list[float | None]
    last_seen_s: list[float | None]
    last_step: list[int | None]
    points: list[int]
    """Scalar points, superseded ones included."""
    size_bytes: list[int]
    read_fraction: list[float]
    """Of the run's bytes; 1 when all is read."""
    damage_count: list[int]
    removed: list[int]
    """Runs that are gone since."""
    progress: ReadProgress


class TagEntry(Struct, frozen=True):
    """One tag of one kind, over all runs."""

    tag: str
    kind: str
    """scalar, image, audio, text, histogram, … : the words of model/kinds.py."""
    display_name: str
    description: str
    """Markdown, as it was logged, of the first run that has one."""
    runs: list[int]
    """Run numbers as pairs of first and last: [0, 4, 7, 7] are 0 to 4, and 7. Ascending."""


class TagTable(Struct, frozen=True):
    """Every tag, by natural order of names."""

    server_id: str
    revision: int
    tags: list[TagEntry]


class RunsParameters(Struct, frozen=True):
    """Only what changed since a revision of this start of the server; without both, everything."""

    since: Annotated[int, Meta(ge=0, le=MAX_INTEGER)] | None = None
    server_id: ServerId | None = None


class RunParameters(Struct, frozen=True):
    id: Annotated[int, Meta(ge=0, le=MAX_INTEGER)]
    server_id: ServerId | None = None
    """As in ``ExportRequest``."""


class RunFile(Struct, frozen=True):
    name: str
    size_bytes: int
    read_bytes: int
    records: int
    writer: str
    damage_count: int
    error: str


class RunSession(Struct, frozen=True):
    """One start of the run, as its writer told it."""

    status: str
    started_s: float
    last_seen_s: float
    command: str
    commit: str
    error: str
    facts: dict[str, str]
    """Host, versions and so on, as text."""


class RunDetails(Struct, frozen=True):
    id: int
    name: str
    directories: list[str]
    files: list[RunFile]
    sessions: list[RunSession]


class DamageEntry(Struct, frozen=True):
    run: str
    file: str
    offset: int
    length: int
    text: str
    """One line for people."""


class DamageReport(Struct, frozen=True):
    damage: list[DamageEntry]
    """The first thousand."""
    damage_count: int
    warnings: list[str]
    """What worked differently than asked: directories without permission, flags with nothing to do …"""


class Hello(Struct, frozen=True):
    """Event ``hello``: the first on a stream."""

    server_id: str
    revision: int


class ChangeEvent(Struct, frozen=True):
    """Event ``change``: what is new. The page asks for what it shows."""

    revision: int
    runs: list[int]
    """That grew, appeared, or changed status."""
    tags: list[str] | None
    """That have new points in any of them; None: too many to name."""
    reset: list[int]
    """Runs whose earlier points may be gone (a file was replaced)."""
    removed: list[int]
    has_new_series: bool
    """A tag appeared in a run that did not have it: ask for the tags."""


class ErrorBody(Struct, frozen=True):
    """Every error of the API looks like this."""

    error: str
    """What happened, and what to do."""


class Column(Struct, frozen=True, tag_field=None):
    """Where a column of numbers lies in a frame (frame.py), and how its elements become numbers.

    Types f64, f32 and u32: ``count`` little-endian elements at ``offset`` bytes behind the header;
    number i = base + scale × element i. Type range: no bytes at all; number i = base + scale × i.
    """

    type: Literal["f64", "f32", "u32", "range"]
    offset: int
    base: float
    scale: float
