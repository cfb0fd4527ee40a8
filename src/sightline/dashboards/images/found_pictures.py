"""What the answers with pictures have in common: which value is meant, and the headers they carry."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sightline.media.facts import MediaFacts
from sightline.model.errors import MediaError
from sightline.model.kinds import Kind
from sightline.query.media_items import find_item
from sightline.wire.media_schemas import FACTS_HEADER, PictureFacts
from sightline.wire.routes import Context, check_server_id, known_run, no_sample
from sightline.wire.text import wire_json


@dataclass(frozen=True)
class FoundPicture:
    """One encoded picture of a value."""

    data: bytes
    samples: int
    identity: str
    """Of the value: another word when the log holds something else there."""


def find_picture(context: Context, request: Any) -> FoundPicture:
    """``request`` names a value and a sample of it. Raises ApiError 404 and 409, UnknownNameError,
    DataError."""
    check_server_id(context, request.server_id)
    return picture_at(context, request)


def picture_at(context: Context, address: Any) -> FoundPicture:
    """Like ``find_picture``, for an address within a request that was checked."""
    run = known_run(context, address.run)
    found = find_item(context.store, run, Kind.image, address.tag, index=address.index, step=address.step)
    samples = found.read().samples
    if not samples:
        raise MediaError("There is no picture at this step: an empty batch was logged")
    if address.sample >= len(samples):
        raise no_sample(address.sample, len(samples))
    return FoundPicture(samples[address.sample], len(samples), found.identity)


def facts_headers(
    found: FoundPicture, facts: MediaFacts, *, is_original: bool, **changes: int
) -> dict[str, str]:
    """``changes``: what the body has otherwise than the picture as it was logged."""
    told = {
        "width": facts.width,
        "height": facts.height,
        "bits": facts.bits,
        "channels": facts.channels,
        **changes,
    }
    answer = PictureFacts(
        mime_type=facts.mime_type,
        **told,
        size_bytes=facts.size_bytes,
        samples=found.samples,
        frames=facts.frames,
        duration_s=facts.duration_s,
        is_original=is_original,
    )
    return {FACTS_HEADER: wire_json(answer).decode("ascii")}
