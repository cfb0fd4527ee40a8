"""What travels between the page and this dashboard."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from sightline.wire.value_schemas import ItemParameters

MAX_VALUES = 100
"""Of one answer. Each of them is read from its file."""


class SkeletonParameters(ItemParameters, frozen=True, kw_only=True):
    """Names the last value of the answer."""

    count: Annotated[int, Meta(ge=1, le=MAX_VALUES)] = 1
    """How many values: the named one and those before it."""


class SkeletonAnswer(Struct, frozen=True):
    """Element i of both lists is about the same value."""

    steps: list[int]
    """Never falling."""
    texts: list[str]
    """Type and shape; of a value that cannot be read, why."""
