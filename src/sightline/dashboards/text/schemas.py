"""What travels between the page and this dashboard: texts."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from sightline.wire.schemas import MAX_INTEGER, Number, ServerId
from sightline.wire.value_schemas import (
    MAX_RUNS_PER_QUERY,
    MAX_SERIES_QUERIES,
    ItemParameters,
    RunNumber,
    Tag,
)

MAX_TEXT_CHARS = 4 << 20


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
