"""Pictures taken apart: exact values of pixels, frames of animations."""

from __future__ import annotations

import struct

from sightline.dashboards.context import Context
from sightline.dashboards.images.picture_values import facts_headers, find_value, picture_in
from sightline.dashboards.images.schemas import FramesHeader, PixelsParameters
from sightline.dashboards.thumbnails import thumbnails_of
from sightline.media.frames import frames_of
from sightline.media.pixels import exact_pixels
from sightline.wire.routes import Binary, Promised, etag_of
from sightline.wire.text import wire_json


def pixels_of(context: Context, request: PixelsParameters) -> Promised:
    """The facts are those of the samples in the body, not of the file."""
    value = find_value(context, request)
    etag = etag_of(context, value.identity, request.sample, "p")

    def make() -> Binary:
        found = picture_in(value, request.sample)
        pixels = exact_pixels(found.data)
        headers = facts_headers(
            found,
            thumbnails_of(context).facts(found.data, found.name),
            is_original=False,
            width=pixels.width,
            height=pixels.height,
            channels=pixels.channels,
            bits=pixels.bits,
        )
        return Binary(pixels.samples, "application/octet-stream", headers=headers)

    return Promised(etag, make)


def framed(context: Context, request: PixelsParameters) -> Promised:
    """The length of the header, the header, and the frames one after the other."""
    value = find_value(context, request)
    etag = etag_of(context, value.identity, request.sample, "f")

    def make() -> Binary:
        found = picture_in(value, request.sample)
        frames = frames_of(found.data)
        told = FramesHeader(
            mime_type="image/png",
            width=frames.width,
            height=frames.height,
            durations_ms=list(frames.delays_ms),
            sizes=[len(picture) for picture in frames.pictures],
            is_cut=frames.is_cut,
        )
        header = wire_json(told)
        body = b"".join([struct.pack("<I", len(header)), header, *frames.pictures])
        facts = thumbnails_of(context).facts(found.data, found.name)
        headers = facts_headers(found, facts, is_original=False)
        return Binary(body, "application/octet-stream", headers=headers)

    return Promised(etag, make)
