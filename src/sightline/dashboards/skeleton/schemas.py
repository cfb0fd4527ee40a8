"""What travels between the page and this dashboard."""

from __future__ import annotations

from msgspec import Struct

from sightline.wire.media_schemas import RunNumber
from sightline.wire.scalar_schemas import Tag
from sightline.wire.schemas import ServerId


class SkeletonRequest(Struct, frozen=True, kw_only=True):
    run: RunNumber
    tag: Tag
    server_id: ServerId | None = None


class SkeletonAnswer(Struct, frozen=True):
    """Element i of both lists is about the same value."""

    steps: list[int]
    """Never falling."""
    texts: list[str]
    """Type and shape; of a value that cannot be read, why."""
