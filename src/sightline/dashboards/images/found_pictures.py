"""What the answers with pictures have in common: which value is meant, and the headers they carry."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from sightline.media.facts import MediaFacts
from sightline.model.errors import MediaError, UnknownNameError
from sightline.model.kinds import Kind
from sightline.query.media_items import find_series, position_of
from sightline.wire.media_schemas import FACTS_HEADER, PictureFacts
from sightline.wire.routes import ApiError, Context, check_server_id
from sightline.wire.text import wire_json

SANDBOX = {"content-security-policy": "sandbox; default-src 'none'"}
"""Should anybody open the address itself: whatever the bytes are, they run nothing and load nothing."""

MAX_VALUE_BYTES = 512 << 20
"""Of all pictures of one step, which are read together."""

_NO_LETTER = re.compile(r"[^A-Za-z0-9.-]+")
_MAX_NAME_LENGTH = 80
_SUFFIX_OF_TYPE = {
    "image/png": "png",
    "image/jpeg": "jpg",
    "image/gif": "gif",
    "image/webp": "webp",
    "image/bmp": "bmp",
    "image/avif": "avif",
    "video/mp4": "mp4",
    "video/webm": "webm",
}


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
    run = context.run_name(address.run)
    if run is None:
        raise ApiError(404, f"There is no run of this number: {address.run}")
    series = find_series(context.store, run, Kind.image, address.tag)
    if series is None:
        raise UnknownNameError("image tag", address.tag)
    position = position_of(series, index=address.index, step=address.step)
    size_bytes = int(series.size_bytes[position])
    if size_bytes > MAX_VALUE_BYTES:
        raise MediaError(f"The pictures of this step are too large to be read: {size_bytes:,} bytes")
    samples = series[position].samples
    if not samples:
        raise MediaError("There is no picture at this step: an empty batch was logged")
    if address.sample >= len(samples):
        raise ApiError(
            404, f"There is no sample {address.sample} at this step: it has {len(samples):,}, from 0 on"
        )
    return FoundPicture(samples[address.sample], len(samples), series.identity(position))


def etag(context: Context, found: FoundPicture, *parts: object) -> str:
    """Identities are valid for one start of the server."""
    return '"' + "-".join(str(part) for part in (context.server_id, found.identity, *parts)) + '"'


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
    return {**SANDBOX, FACTS_HEADER: wire_json(answer).decode("ascii")}


def file_name(address: Any, mime_type: str) -> str:
    """Says what is inside, in letters that every file system and every header takes."""
    stem = _NO_LETTER.sub("_", address.tag).strip("._")[:_MAX_NAME_LENGTH] or "picture"
    sample = f"_sample_{address.sample}" if address.sample else ""
    return f"{stem}_step_{address.step}{sample}.{suffix(mime_type)}"


def suffix(mime_type: str) -> str:
    return _SUFFIX_OF_TYPE.get(mime_type, "bin")
