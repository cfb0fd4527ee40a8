"""How requests name runs, tags and values: the types that the requests of several dashboards share.

One value of a tag is named by run, tag, index and step. The index is its place in the answer of ``POST
media/series``; the step is there because positions move when a job is restarted: an index at which another
step is found is not believed, and the step is looked for instead.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from sightline.wire.schemas import MAX_INTEGER, ServerId

MAX_RUNS_PER_QUERY = 100_000
MAX_SERIES_QUERIES = 512

Tag = Annotated[str, Meta(max_length=65_536)]
RunNumber = Annotated[int, Meta(ge=0, le=MAX_INTEGER)]
Index = Annotated[int, Meta(ge=0, le=MAX_INTEGER)]
Step = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
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
