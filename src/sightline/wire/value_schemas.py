"""How requests name runs, tags and values: the types that the requests of several dashboards share.

One value of a tag is named by run, tag, index and step. The index is its place in the answer of ``POST
media/series``; the step is there because positions move when a job is restarted: an index at which another
step is found is not believed, and the step is looked for instead.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from sightline.wire.schemas import MAX_INTEGER, Column, ServerId

MAX_RUNS_PER_QUERY = 100_000
MAX_SERIES_QUERIES = 512

Tag = Annotated[str, Meta(max_length=65_536)]
RunNumber = Annotated[int, Meta(ge=0, le=MAX_INTEGER)]
Index = Annotated[int, Meta(ge=0, le=MAX_INTEGER)]
Step = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
ValueCount = Annotated[int, Meta(ge=1, le=1_000_000)]
Sample = Annotated[int, Meta(ge=0, le=1_000_000)]
ThumbnailSize = Literal[128, 256, 512, 1024]


class ValueAddress(Struct, frozen=True):
    """One value of a tag, within a request."""

    run: RunNumber
    tag: Tag
    index: Index
    step: Step


class ItemParameters(ValueAddress, frozen=True, kw_only=True):
    """One value of a tag, as a request of its own."""

    server_id: ServerId | None = None


class TagQuery(Struct, frozen=True):
    """One tag in some runs."""

    tag: Tag
    runs: Annotated[list[RunNumber], Meta(max_length=MAX_RUNS_PER_QUERY)]


class ChoiceQuery(TagQuery, frozen=True, kw_only=True):
    """One tag in some runs, and which of its values; all of them unless it says otherwise."""

    most_values: ValueCount | None = None
    """So many, evenly chosen, with the first and the last."""
    at_steps: Annotated[list[Step], Meta(max_length=1000)] | None = None
    """The last value at or before each of these steps; the first one where there is none."""


class ChoiceRequest(Struct, frozen=True, kw_only=True):
    """Runs without the tag are left out of the answer."""

    queries: Annotated[list[ChoiceQuery], Meta(max_length=MAX_SERIES_QUERIES)]
    server_id: ServerId | None = None


class ValueFrame(Struct, frozen=True, kw_only=True):
    """Every value of one tag in one run; columns have ``count`` elements unless they say otherwise."""

    query: int
    """Which of the queries it answers."""
    run: int
    count: int
    """Values; a value's index is its place."""
    superseded_count: int
    """Values that a restarted job wrote again, which are not here."""
    step: Column
    """Never falling."""
    wall: Column


class DecodedFrame(ValueFrame, frozen=True, kw_only=True):
    """Values that are columns of numbers themselves, which are laid end to end."""

    state: Column
    """0: good. 1: damaged. 2: the file is gone or was replaced, ask again. Those have a size of 0."""
    size: Column
    """Buckets or thresholds of each value."""
    size_sum: int
    """Of all values together."""
