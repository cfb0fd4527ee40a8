"""What travels between the page and this dashboard."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from sightline.model.kinds import Kind
from sightline.wire.schemas import Number, ServerId
from sightline.wire.value_schemas import (
    MAX_RUNS_PER_QUERY,
    MAX_SERIES_QUERIES,
    RunNumber,
    Tag,
)


class MediaQuery(Struct, frozen=True):
    """One tag of one kind in some runs."""

    kind: Kind
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
