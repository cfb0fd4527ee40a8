"""One sound of one step, to be played or drawn."""

from __future__ import annotations

import re
from typing import NamedTuple

from sightline.dashboards.audio.media_types import SUFFIXES, UNKNOWN_MEDIA_TYPE
from sightline.media.sounds import overview, playable, sound_type
from sightline.model.errors import MediaError, UnknownNameError
from sightline.model.kinds import Kind
from sightline.query.media_items import find_item
from sightline.wire.media_schemas import PeaksParameters, SoundParameters, SoundPeaks
from sightline.wire.routes import Binary, Context, Encoded, check_server_id
from sightline.wire.text import wire_json

# Opened by itself, the answer can neither run nor load anything, whatever a browser takes it for.
_HEADERS = {"content-security-policy": "sandbox; default-src 'none'"}
_NOT_IN_FILE_NAMES = re.compile(r"[^A-Za-z0-9._-]+")
_MOST_LABEL_CHARS = 100_000


class _FoundSound(NamedTuple):
    data: bytes
    label: str
    samples: int
    step: int
    identity: str


def sound_of(context: Context, request: SoundParameters) -> Binary:
    found = _find(context, request)
    etag = f'"{context.server_id}-sound-{found.identity}-{request.sample}-{int(request.download)}"'
    if request.download:
        media_type = _type_of_download(found.data)
        file_name = _file_name(request, found.step, SUFFIXES.get(media_type, ".bin"))
        return Binary(found.data, media_type, etag=etag, file_name=file_name, headers=_HEADERS)
    body, media_type = playable(found.data)
    return Binary(body, media_type, etag=etag, headers=_HEADERS)


def peaks_of(context: Context, request: PeaksParameters) -> Encoded:
    found = _find(context, request)
    seen = overview(found.data, buckets=request.buckets)
    answer = SoundPeaks(
        mime_type=seen.mime_type,
        label=found.label[:_MOST_LABEL_CHARS],
        samples=found.samples,
        size_bytes=len(found.data),
        is_decoded=seen.is_decoded,
        rate_hz=seen.rate_hz,
        channels=seen.channels,
        bits=seen.bits,
        duration_s=seen.duration_s,
        rms=seen.rms,
        least=list(seen.least),
        greatest=list(seen.greatest),
        note=seen.note,
    )
    etag = f'"{context.server_id}-peaks-{found.identity}-{request.sample}-{request.buckets}"'
    return Encoded(wire_json(answer), etag=etag)


def _find(context: Context, request: SoundParameters | PeaksParameters) -> _FoundSound:
    """Raises UnknownNameError when there is no such sound, DataError when it cannot be read."""
    check_server_id(context, request.server_id)
    run = context.run_name(request.run)
    if run is None:
        raise UnknownNameError("run", str(request.run))
    found = find_item(context.store, run, Kind.audio, request.tag, index=request.index, step=request.step)
    item = found.item
    if request.sample >= len(item.samples):
        raise UnknownNameError(f"sample of {request.tag!r} at step {item.step}", str(request.sample))
    label = item.labels[request.sample] if request.sample < len(item.labels) else ""
    return _FoundSound(item.samples[request.sample], label, len(item.samples), item.step, found.identity)


def _type_of_download(data: bytes) -> str:
    try:
        return sound_type(data)
    except MediaError:
        return UNKNOWN_MEDIA_TYPE


def _file_name(request: SoundParameters, step: int, suffix: str) -> str:
    """In ASCII, so that it can stand in a header."""
    stem = _NOT_IN_FILE_NAMES.sub("-", request.tag).strip("-.")[:100] or "sound"
    sample = f"-{request.sample + 1}" if request.sample else ""
    return f"{stem}-step-{step}{sample}{suffix}"
