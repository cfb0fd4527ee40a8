"""What the answers with pictures have in common: which value is meant, and the headers they carry."""

from __future__ import annotations

from dataclasses import dataclass

from sightline.dashboards.context import Context
from sightline.dashboards.images.schemas import FACTS_HEADER, PictureAddress, PictureFacts
from sightline.dashboards.named_values import named_value, value_at
from sightline.media.pictures import PictureHeader
from sightline.model.byte_source import ByteSource
from sightline.model.errors import MediaError
from sightline.model.kinds import Kind
from sightline.query.media_items import FoundItem
from sightline.wire.routes import no_sample
from sightline.wire.structs import struct_of
from sightline.wire.text import wire_json
from sightline.wire.value_schemas import ItemParameters


@dataclass(frozen=True)
class FoundPicture:
    """One encoded picture of a value."""

    data: ByteSource
    """Not in memory; ``data[:]`` is."""
    samples: int
    name: str
    """A word that means this picture for as long as the server runs."""


def find_value(context: Context, request: ItemParameters) -> FoundItem:
    """The value that a request names, of which nothing is read. Raises ApiError 404 and 409,
    UnknownNameError."""
    return named_value(context, request, Kind.image)


def picture_at(context: Context, address: PictureAddress) -> FoundPicture:
    """That of an address within a request that was checked."""
    return picture_in(value_at(context, address, Kind.image), address.sample)


def picture_in(value: FoundItem, sample: int) -> FoundPicture:
    """Raises ApiError 404, DataError."""
    samples = value.open().samples
    if not samples:
        raise MediaError("There is no picture at this step: an empty batch was logged")
    if sample >= len(samples):
        raise no_sample(sample, len(samples))
    return FoundPicture(samples[sample], len(samples), f"{value.identity}-{sample}")


def facts_headers(
    found: FoundPicture,
    facts: PictureHeader,
    *,
    is_original: bool,
    is_grey: bool | None = None,
    **changes: int,
) -> dict[str, str]:
    """``is_grey``: None where only the header was looked at. ``changes``: what the body has otherwise than
    the picture as it was logged."""
    answer = struct_of(
        PictureFacts,
        facts,
        size_bytes=len(found.data),
        samples=found.samples,
        is_original=is_original,
        is_grey=facts.channels in (1, 2) if is_grey is None else is_grey,
        **changes,
    )
    return {FACTS_HEADER: wire_json(answer).decode("ascii")}
