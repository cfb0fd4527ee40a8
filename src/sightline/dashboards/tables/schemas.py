"""What travels between the page and this dashboard: tables, matrices, HTML and figures."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from sightline.wire.schemas import MAX_INTEGER, Number
from sightline.wire.value_schemas import (
    ItemParameters,
    ThumbnailSize,
)

MAX_TABLE_ROWS = 1_000


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
    filters: Annotated[list[TableFilter], Meta(max_length=100)] = field(default_factory=list)
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
