"""Requests and answers about pictures, sounds, texts and tables, as types. Like scalar_schemas.py a part of
schemas.py, whose words and rules hold here too.

One value of a tag is named by run, tag, index and step. The index is its place in the answer of ``POST
media/series``; the step is there because positions move when a job is restarted: an index at
which another step is found is not believed, and the step is looked for instead.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from sightline.wire.scalar_schemas import MAX_RUNS_PER_QUERY, Tag
from sightline.wire.schemas import MAX_INTEGER, Number, ServerId

MAX_SERIES_QUERIES = 512
MAX_ZIP_ITEMS = 10_000
MAX_PEAKS = 8_192
MAX_TABLE_ROWS = 1_000
MAX_TEXT_CHARS = 4 << 20

FACTS_HEADER = "sightline-facts"
"""Of an answer that is a picture: ``PictureFacts`` as JSON in ASCII."""

MediaKind = Literal["image", "audio", "text", "table", "html", "plotly", "confusion_matrix", "tensor"]
RunNumber = Annotated[int, Meta(ge=0, le=MAX_INTEGER)]
Index = Annotated[int, Meta(ge=0, le=MAX_INTEGER)]
Step = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
Sample = Annotated[int, Meta(ge=0, le=1_000_000)]
ThumbnailSize = Literal[128, 256, 512, 1024]


# ── series ───────────────────────────────────────────────────────────────────────────────────────────────


class MediaQuery(Struct, frozen=True):
    """One tag of one kind in some runs."""

    kind: MediaKind
    tag: Tag
    runs: Annotated[list[RunNumber], Meta(max_length=MAX_RUNS_PER_QUERY)]


class MediaSeriesRequest(Struct, frozen=True, kw_only=True):
    queries: Annotated[list[MediaQuery], Meta(max_length=MAX_SERIES_QUERIES)]
    server_id: ServerId | None = None


class MediaSeriesEntry(Struct, frozen=True):
    """Every value of one tag in one run. Elements of the lists are in the order of ``index``."""

    query: int
    """Which of the request's queries it answers."""
    run: int
    step: list[int]
    """Never falling."""
    wall_s: list[Number]
    samples: int
    """Pictures or sounds at one step: the greater number of the first and the last value, 0 when neither
    could be read. 1 for other kinds."""
    superseded_count: int


class MediaSeriesAnswer(Struct, frozen=True):
    server_id: str
    revision: int
    series: list[MediaSeriesEntry]
    """Runs without the tag are left out."""


class MediaStepsAnswer(Struct, frozen=True):
    server_id: str
    revision: int
    steps: list[int]
    """At which any of them has a value; ascending, each once."""


class ItemParameters(Struct, frozen=True, kw_only=True):
    """One value of a tag."""

    run: RunNumber
    tag: Tag
    index: Index
    step: Step
    server_id: ServerId | None = None


# ── pictures and films ───────────────────────────────────────────────────────────────────────────────────


class PictureParameters(ItemParameters, frozen=True, kw_only=True):
    """One picture as it was logged."""

    sample: Sample = 0
    download: bool = False


class ThumbnailParameters(ItemParameters, frozen=True, kw_only=True):
    """One picture for a grid: never larger than asked for, in either direction."""

    sample: Sample = 0
    size: ThumbnailSize = 256


class PixelsParameters(ItemParameters, frozen=True, kw_only=True):
    """One picture, to be taken apart."""

    sample: Sample = 0


class PictureFacts(Struct, frozen=True):
    """What the encoded picture or film says about itself (not what the summary says)."""

    mime_type: str
    width: int
    height: int
    """0 × 0: unknown, as of films in containers that are not looked into."""
    bits: int
    """Of one channel of one pixel."""
    channels: int
    size_bytes: int
    samples: int
    """Pictures at this step."""
    frames: int
    """1: a still. 0: a film whose frames are not counted."""
    duration_s: float
    """Of a film; 0 when unknown."""
    is_original: bool
    """The body holds the bytes as they were logged."""
    is_grey: bool
    """Without colour. Of the thumbnail of a still by its pixels, whatever channels the file has; of
    everything else by the file's header."""
    is_cut: bool = False
    """The file ends before its film does: frames may be missing. Only GIFs tell."""


class FramesHeader(Struct, frozen=True):
    """Of ``GET images/frames``. The body: the length of this header as little-endian u32, the header as JSON,
    then the frames one after the other, each an encoded picture."""

    mime_type: str
    """Of every frame."""
    width: int
    height: int
    durations_ms: list[int]
    """How long each is shown; one 0 for a still."""
    sizes: list[int]
    """Bytes of each frame in the body."""
    is_cut: bool
    """Frames at the end are missing: the file is damaged there."""


class PictureAddress(Struct, frozen=True):
    run: RunNumber
    tag: Tag
    index: Index
    step: Step
    sample: Sample = 0


class PictureZipRequest(Struct, frozen=True, kw_only=True):
    pictures: Annotated[list[PictureAddress], Meta(min_length=1, max_length=MAX_ZIP_ITEMS)]
    server_id: ServerId | None = None


# ── sounds ───────────────────────────────────────────────────────────────────────────────────────────────


class SoundParameters(ItemParameters, frozen=True, kw_only=True):
    sample: Sample = 0
    download: bool = False
    """True: the bytes as they were logged. False: what browsers can play."""


class PeaksParameters(ItemParameters, frozen=True, kw_only=True):
    sample: Sample = 0
    buckets: Annotated[int, Meta(ge=1, le=MAX_PEAKS)] = 1_024


class SoundPeaks(Struct, frozen=True):
    """A sound at a glance."""

    mime_type: str
    label: str
    """Markdown, as it was logged."""
    samples: int
    """Sounds at this step."""
    size_bytes: int
    is_decoded: bool
    """False: not a WAV file. The page decodes it to learn what follows, which is 0 or empty here."""
    rate_hz: int
    channels: int
    bits: int
    duration_s: float
    rms: float
    """Root of the mean square of all samples: how loud it is; 1 is full scale."""
    least: list[float]
    """Of all channels, in each of the equal stretches; −1 to 1 is full scale."""
    greatest: list[float]
    note: str
    """What is wrong with the file, though it can be played; empty when nothing is."""


# ── texts ────────────────────────────────────────────────────────────────────────────────────────────────


class TextParameters(ItemParameters, frozen=True, kw_only=True):
    limit: Annotated[int, Meta(ge=0, le=MAX_TEXT_CHARS)] = 262_144
    """Characters at most, over all cells."""


class TextAnswer(Struct, frozen=True):
    """Text, or a table of texts."""

    step: int
    wall_s: Number
    shape: list[int]
    """As it was logged: [] is one text; torch's [1] as well."""
    rows: int
    columns: int
    """Of ``cells``; beyond two dimensions only the first slice is there."""
    cells: list[str]
    """By row; cut ones are shorter, and missing ones are left out at the end."""
    total_chars: int
    is_cut: bool
    notes: list[str]
    """Bytes that were not UTF-8, slices that are left out: a sentence each."""


class TextSearchQuery(Struct, frozen=True):
    tag: Tag
    runs: Annotated[list[RunNumber], Meta(max_length=MAX_RUNS_PER_QUERY)]


class TextSearchRequest(Struct, frozen=True, kw_only=True):
    text: Annotated[str, Meta(min_length=1, max_length=1_000)]
    is_case_sensitive: bool = False
    queries: Annotated[list[TextSearchQuery], Meta(max_length=MAX_SERIES_QUERIES)]
    skip: Annotated[int, Meta(ge=0, le=MAX_INTEGER)] = 0
    """Values that an earlier answer has searched already."""
    server_id: ServerId | None = None


class TextHit(Struct, frozen=True):
    query: int
    run: int
    index: int
    step: int
    wall_s: Number
    count: int
    """How often it is in there."""
    before: str
    match: str
    after: str
    """The first place, with a few words around it."""


class TextSearchAnswer(Struct, frozen=True):
    hits: list[TextHit]
    searched: int
    """Values that have been looked at so far, ``skip`` included: the next ``skip``."""
    total: int
    is_complete: bool
    problems: list[str]


# ── tables and figures ───────────────────────────────────────────────────────────────────────────────────


class TableFilter(Struct, frozen=True):
    """A row stays when its cell holds the text (without regard to case) and lies between the bounds."""

    column: Annotated[int, Meta(ge=0, le=100_000)]
    text: Annotated[str, Meta(max_length=1_000)] = ""
    least: float | None = None
    greatest: float | None = None


class TableView(ItemParameters, frozen=True, kw_only=True):
    """The rows of a table that are wanted, and their order. Missing cells (and NaN) come last, both ways."""

    text: Annotated[str, Meta(max_length=1_000)] = ""
    """Somewhere in the row."""
    filters: Annotated[list[TableFilter], Meta(max_length=100)] = []
    sort_by: Annotated[int, Meta(ge=0, le=100_000)] | None = None
    is_descending: bool = False


class TableRequest(TableView, frozen=True, kw_only=True):
    offset: Annotated[int, Meta(ge=0, le=MAX_INTEGER)] = 0
    limit: Annotated[int, Meta(ge=1, le=MAX_TABLE_ROWS)] = 100


class TableExportRequest(TableView, frozen=True, kw_only=True):
    is_exact: bool = False
    """True: texts as they were logged, also those that a spreadsheet would take for formulas."""


class TableExportParameters(ItemParameters, frozen=True, kw_only=True):
    """The whole table as a file."""

    is_exact: bool = False


class TableColumn(Struct, frozen=True):
    name: str
    type: Literal["number", "bool", "text", "time", "image", "any"]


class TableImage(Struct, frozen=True):
    """A picture in a cell; ``GET tables/image`` has it."""

    row: int
    column: int
    width: int
    height: int


TableCell = None | bool | int | float | str | TableImage
"""Numbers that are not finite, or too large for a browser, are text."""


class LongCell(Struct, frozen=True):
    """A text that was cut for the answer; ``GET tables/cell`` has all of it."""

    row: int
    """Of the answer's rows."""
    column: int
    chars: int


class TableAnswer(Struct, frozen=True):
    columns: list[TableColumn]
    """The first thousand; a file has all of them."""
    total_columns: int
    total_rows: int
    matching_rows: int
    row_numbers: list[int]
    """Of each row in the table as it was logged."""
    rows: list[list[TableCell]]
    long_cells: list[LongCell]


class TableCellParameters(ItemParameters, frozen=True, kw_only=True):
    row: Annotated[int, Meta(ge=0, le=MAX_INTEGER)]
    """In the table as it was logged."""
    column: Annotated[int, Meta(ge=0, le=100_000)]


class TableImageParameters(TableCellParameters, frozen=True, kw_only=True):
    size: ThumbnailSize | None = None
    """None: as it was logged."""
    download: bool = False


class FigureParameters(ItemParameters, frozen=True, kw_only=True):
    """A Plotly figure, as the JSON that was logged."""

    download: bool = False


class MatrixAnswer(Struct, frozen=True):
    """``counts[i][j]``: how often class i was taken for class j."""

    labels: list[str]
    counts: list[list[Number]]


class PageParameters(ItemParameters, frozen=True, kw_only=True):
    """Logged HTML as a document of its own, shut in by its headers."""

    scripts: bool = False
    """They may run. Needs the server's id, which no logged document knows: none lets its own scripts run."""
    is_fitted: bool = False
    """True: a script of ours, and no other, tells the page around it how high it is."""
    is_dark: bool = False
    """The page around it is; heeded by HTML that has no colours of its own."""
    download: bool = False
    """True: the HTML as it was logged, to be saved."""


class PageFacts(Struct, frozen=True):
    """What a person should know before letting logged HTML do anything."""

    size_bytes: int
    has_scripts: bool
    remote_hosts: list[str]
    """Where it would load from if it were let; it is not. The first of them by name."""
    remote_host_count: int
    """Of all that were found."""
    is_looked_through: bool
    """False: there was too much to look at, so that there may be scripts and hosts which are not told."""
