"""One sound of one step, to be played or drawn."""

from __future__ import annotations

from typing import NamedTuple

from sightline.dashboards.audio.media_types import ENDINGS, UNKNOWN_MEDIA_TYPE
from sightline.media.sounds import overview, playable, sound_type
from sightline.model.errors import MediaError
from sightline.model.kinds import Kind
from sightline.query.media_items import find_item
from sightline.wire.file_names import value_file_name
from sightline.wire.media_schemas import PeaksParameters, SoundParameters, SoundPeaks
from sightline.wire.routes import (
    Binary,
    Context,
    Encoded,
    check_server_id,
    etag_of,
    known_run,
    no_sample,
)
from sightline.wire.text import wire_json

_MOST_LABEL_CHARS = 100_000


class _FoundSound(NamedTuple):
    data: bytes
    label: str
    samples: int
    step: int
    identity: str


def sound_of(context: Context, request: SoundParameters) -> Binary:
    found = _find(context, request)
    etag = etag_of(context, "sound", found.identity, request.sample, int(request.download))
    if request.download:
        media_type = _type_of_download(found.data)
        ending = ENDINGS.get(media_type, "bin")
        name = value_file_name(
            request.tag, step=found.step, sample=request.sample, ending=ending, otherwise="sound"
        )
        return Binary(found.data, media_type, etag=etag, file_name=name)
    body, media_type = playable(found.data)
    return Binary(body, media_type, etag=etag)


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
    etag = etag_of(context, "peaks", found.identity, request.sample, request.buckets)
    return Encoded(wire_json(answer), etag=etag)


def _find(context: Context, request: SoundParameters | PeaksParameters) -> _FoundSound:
    """Raises ApiError 404 or UnknownNameError when there is no such sound, DataError when it cannot be
    read."""
    check_server_id(context, request.server_id)
    run = known_run(context, request.run)
    found = find_item(context.store, run, Kind.audio, request.tag, index=request.index, step=request.step)
    item = found.read()
    if request.sample >= len(item.samples):
        raise no_sample(request.sample, len(item.samples))
    label = item.labels[request.sample] if request.sample < len(item.labels) else ""
    return _FoundSound(item.samples[request.sample], label, len(item.samples), item.step, found.identity)


def _type_of_download(data: bytes) -> str:
    try:
        return sound_type(data)
    except MediaError:
        return UNKNOWN_MEDIA_TYPE
