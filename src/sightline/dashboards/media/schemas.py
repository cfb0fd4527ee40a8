"""What travels between the page and this dashboard."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from sightline.model.kinds import Kind
from sightline.wire.schemas import Column, ServerId
from sightline.wire.value_schemas import (
    MAX_RUNS_PER_QUERY,
    MAX_SERIES_QUERIES,
    RunNumber,
    Tag,
    ValueFrame,
)


class MediaQuery(Struct, frozen=True):
    """One tag of one kind in some runs."""

    kind: Kind
    tag: Tag
    runs: Annotated[list[RunNumber], Meta(max_length=MAX_RUNS_PER_QUERY)]


class MediaSeriesRequest(Struct, frozen=True, kw_only=True):
    queries: Annotated[list[MediaQuery], Meta(max_length=MAX_SERIES_QUERIES)]
    server_id: ServerId | None = None


class MediaFrame(ValueFrame, frozen=True, kw_only=True):
    samples: int
    """Pictures or sounds at one step: the greater number of the first and the last value, 0 when neither
    could be read. 1 for other kinds."""


class MediaFrameHeader(Struct, frozen=True):
    """The JSON at the beginning of a frame of ``POST media/series``."""

    server_id: str
    revision: int
    series: list[MediaFrame]


class StepsFrameHeader(Struct, frozen=True):
    """The JSON at the beginning of a frame of ``POST media/steps``."""

    server_id: str
    revision: int
    count: int
    steps: Column
    """At which any of the series has a value; ascending, each once."""
