"""One sound of one step, to be played or drawn."""

from __future__ import annotations

from typing import NamedTuple

from sightline.dashboards.audio.schemas import (
    ENDINGS,
    UNKNOWN_MEDIA_TYPE,
    PeaksParameters,
    SoundParameters,
    SoundPeaks,
)
from sightline.dashboards.context import Context
from sightline.dashboards.named_values import named_value
from sightline.media.sounds import overview, sound_type
from sightline.model.byte_source import ByteSource
from sightline.model.errors import MediaError
from sightline.model.kinds import Kind
from sightline.query.media_items import FoundItem
from sightline.wire.file_names import value_file_name
from sightline.wire.routes import Binary, Encoded, Promised, etag_of, no_sample
from sightline.wire.structs import struct_of
from sightline.wire.text import wire_json

_MOST_LABEL_CHARS = 100_000


class _FoundSound(NamedTuple):
    data: ByteSource
    label: str
    samples: int
    step: int


def sound_of(context: Context, request: SoundParameters) -> Promised:
    value = named_value(context, request, Kind.audio)
    etag = etag_of(context, "sound", value.identity, request.sample, int(request.download))

    def make() -> Binary:
        found = _sound_in(value, request.sample)
        if not request.download:
            return Binary(found.data, sound_type(found.data))
        media_type = _type_of_download(found.data)
        ending = ENDINGS.get(media_type, "bin")
        name = value_file_name(
            request.tag, step=found.step, sample=request.sample, ending=ending, otherwise="sound"
        )
        return Binary(found.data, media_type, file_name=name)

    return Promised(etag, make)


def peaks_of(context: Context, request: PeaksParameters) -> Promised:
    value = named_value(context, request, Kind.audio)
    etag = etag_of(context, "peaks", value.identity, request.sample, request.buckets)

    def make() -> Encoded:
        found = _sound_in(value, request.sample)
        answer = struct_of(
            SoundPeaks,
            overview(found.data, buckets=request.buckets),
            label=found.label[:_MOST_LABEL_CHARS],
            samples=found.samples,
            size_bytes=len(found.data),
        )
        return Encoded(wire_json(answer))

    return Promised(etag, make)


def _sound_in(value: FoundItem, sample: int) -> _FoundSound:
    """Raises ApiError 404 when there is no such sound, DataError when it cannot be read."""
    item = value.open()
    if sample >= len(item.samples):
        raise no_sample(sample, len(item.samples))
    label = item.labels[sample] if sample < len(item.labels) else ""
    return _FoundSound(item.samples[sample], label, len(item.samples), item.step)


def _type_of_download(data: ByteSource) -> str:
    try:
        return sound_type(data)
    except MediaError:
        return UNKNOWN_MEDIA_TYPE
