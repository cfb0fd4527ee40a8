"""Facts of films from their containers: size, duration, number of frames. Nothing is decoded.

MP4 is a tree of boxes (length, name, content), WebM one of elements (identity, length, content, both of
variable width). Only the branches that hold facts are entered, and a walk ends after so many steps whatever
the file says; a fact that cannot be found is 0.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from sightline.media.headers.boxes import MAX_STEPS, Steps, boxes_of
from sightline.media.headers.numbers import unpack_at
from sightline.media.types import picture_type
from sightline.model.byte_source import ByteSource


@dataclass(frozen=True)
class FilmHeader:
    mime_type: str
    width: int = 0
    height: int = 0
    frames: int = 0
    duration_s: float = 0.0


def film_header(data: ByteSource) -> FilmHeader:
    """Of an MP4 or WebM film; whatever is odd is unknown."""
    found = picture_type(data)
    try:
        if found == "video/mp4":
            return _mp4(data)
        if found == "video/webm":
            return _webm(data)
    except (struct.error, IndexError, OverflowError, ZeroDivisionError):
        pass  # cut off, or lengths that lead out of the file
    return FilmHeader(found)


def film_in_boxes(data: ByteSource) -> FilmHeader:
    """The film in an ISO container of whatever brand: MP4, or an animated AVIF."""
    try:
        return _mp4(data)
    except (struct.error, IndexError, OverflowError, ZeroDivisionError):
        return FilmHeader("video/mp4")


# ── MP4 ──────────────────────────────────────────────────────────────────────────────────────────────────


_HANDLERS = (b"vide", b"pict")
"""Of tracks with pictures: films, and the animations of AVIF."""


def _mp4(data: ByteSource) -> FilmHeader:
    steps = Steps()
    duration_s = 0.0
    for name, start, end, _ in boxes_of(data, 0, len(data), steps):
        if name != b"moov":
            continue
        film = FilmHeader("video/mp4")
        for inner, inner_start, inner_end, _ in boxes_of(data, start, end, steps):
            if inner == b"mvhd":
                duration_s = _duration_s(data, inner_start)
            elif inner == b"trak" and not film.width:
                film = _track(data, inner_start, inner_end, steps) or film
        return FilmHeader("video/mp4", film.width, film.height, film.frames, film.duration_s or duration_s)
    return FilmHeader("video/mp4")


def _duration_s(data: ByteSource, start: int) -> float:
    """Of ``mvhd`` and ``mdhd``, which begin alike."""
    if data[start] == 1:
        timescale, duration = unpack_at(">IQ", data, start + 20)
        unknown = 2**64 - 1
    else:
        timescale, duration = unpack_at(">II", data, start + 12)
        unknown = 2**32 - 1
    return duration / timescale if timescale and duration != unknown else 0.0


def _track(data: ByteSource, start: int, end: int, steps: Steps) -> FilmHeader | None:
    """None when it is not one of pictures."""
    width = height = frames = 0
    duration_s = 0.0
    is_video = False
    for name, box_start, box_end, _ in boxes_of(data, start, end, steps):
        if name == b"tkhd":
            at = box_start + (88 if data[box_start] == 1 else 76)
            width, height = (fixed >> 16 for fixed in unpack_at(">II", data, at))
        elif name == b"mdia":
            for inner, inner_start, inner_end, _ in boxes_of(data, box_start, box_end, steps):
                if inner == b"hdlr":
                    is_video = data[inner_start + 8 : inner_start + 12] in _HANDLERS
                elif inner == b"mdhd":
                    duration_s = _duration_s(data, inner_start)
                elif inner == b"minf":
                    frames = _sample_count(data, inner_start, inner_end, steps)
    return FilmHeader("video/mp4", width, height, frames, duration_s) if is_video else None


def _sample_count(data: ByteSource, start: int, end: int, steps: Steps) -> int:
    for name, table_start, table_end, _ in boxes_of(data, start, end, steps):
        if name != b"stbl":
            continue
        for inner, at, inner_end, _ in boxes_of(data, table_start, table_end, steps):
            if inner == b"stts":
                (entries,) = unpack_at(">I", data, at + 4)
                entries = min(entries, (inner_end - at - 8) // 8, MAX_STEPS)
                return sum(unpack_at(">I", data, at + 8 + 8 * row)[0] for row in range(entries))
    return 0


# ── WebM ─────────────────────────────────────────────────────────────────────────────────────────────────

_SEGMENT, _INFO, _TIMESTAMP_SCALE, _DURATION = 0x18538067, 0x1549A966, 0x2AD7B1, 0x4489
_TRACKS, _TRACK_ENTRY, _TRACK_NUMBER, _TRACK_TYPE = 0x1654AE6B, 0xAE, 0xD7, 0x83
_VIDEO, _PIXEL_WIDTH, _PIXEL_HEIGHT = 0xE0, 0xB0, 0xBA
_CLUSTER, _SIMPLE_BLOCK, _BLOCK_GROUP, _BLOCK = 0x1F43B675, 0xA3, 0xA0, 0xA1
_VIDEO_TRACK = 1
_DEFAULT_SCALE_NS = 1_000_000


def _number(data: ByteSource, pos: int, *, keeps_marker: bool) -> tuple[int, int]:
    """A number of variable width, and where it ends; −1: all bits set, which means unknown."""
    first = data[pos]
    width = 9 - first.bit_length()
    if width > 8:
        raise IndexError
    piece = data[pos : pos + width]
    if len(piece) < width:
        raise IndexError
    value = int.from_bytes(piece, "big")
    if not keeps_marker:
        value &= (1 << 7 * width) - 1
        if value == (1 << 7 * width) - 1:
            value = -1
    return value, pos + width


def _elements(data: ByteSource, start: int, end: int, steps: Steps) -> Iterator[tuple[int, int, int]]:
    """Identity, begin and end of the content of each element; one of unknown length reaches to the end."""
    pos = start
    while pos < end:
        steps.take()
        identity, pos = _number(data, pos, keeps_marker=True)
        length, pos = _number(data, pos, keeps_marker=False)
        content_end = end if length < 0 else min(end, pos + length)
        yield identity, pos, content_end
        # Clusters are entered as if what is in them lay beside them: live streams leave their length open.
        pos = pos if identity == _CLUSTER else content_end


def _unsigned(data: ByteSource, start: int, end: int) -> int:
    return int.from_bytes(data[start : min(end, start + 8)], "big")


def _webm(data: ByteSource) -> FilmHeader:
    steps = Steps()
    found = _WebmFacts()
    try:
        for identity, start, end in _elements(data, 0, len(data), steps):
            if identity == _SEGMENT:
                _read_segment(data, start, end, steps, found)
                break
    except (struct.error, IndexError):
        found.is_cut = True
    duration_s = found.duration * found.scale_ns / 1e9
    return FilmHeader(
        "video/webm",
        found.width,
        found.height,
        0 if found.is_cut else found.frames,
        duration_s if 0 <= duration_s < float("inf") else 0.0,
    )


@dataclass
class _WebmFacts:
    width: int = 0
    height: int = 0
    track: int = 0
    scale_ns: int = _DEFAULT_SCALE_NS
    duration: float = 0.0
    """In units of the scale."""
    frames: int = 0
    is_cut: bool = False


def _read_segment(data: ByteSource, start: int, end: int, steps: Steps, found: _WebmFacts) -> None:
    for identity, inner_start, inner_end in _elements(data, start, end, steps):
        if identity == _INFO:
            for name, at, until in _elements(data, inner_start, inner_end, steps):
                if name == _TIMESTAMP_SCALE:
                    found.scale_ns = _unsigned(data, at, until)
                elif name == _DURATION and until - at in (4, 8):
                    (found.duration,) = struct.unpack(">f" if until - at == 4 else ">d", data[at:until])
        elif identity == _TRACKS:
            for name, at, until in _elements(data, inner_start, inner_end, steps):
                if name == _TRACK_ENTRY and not found.width:
                    _read_track(data, at, until, steps, found)
        elif identity == _SIMPLE_BLOCK:
            found.frames += _number(data, inner_start, keeps_marker=False)[0] == found.track
        elif identity == _BLOCK_GROUP:
            for name, at, _ in _elements(data, inner_start, inner_end, steps):
                if name == _BLOCK:
                    found.frames += _number(data, at, keeps_marker=False)[0] == found.track


def _read_track(data: ByteSource, start: int, end: int, steps: Steps, found: _WebmFacts) -> None:
    number = kind = width = height = 0
    for identity, at, until in _elements(data, start, end, steps):
        if identity == _TRACK_NUMBER:
            number = _unsigned(data, at, until)
        elif identity == _TRACK_TYPE:
            kind = _unsigned(data, at, until)
        elif identity == _VIDEO:
            for name, value_start, value_end in _elements(data, at, until, steps):
                if name == _PIXEL_WIDTH:
                    width = _unsigned(data, value_start, value_end)
                elif name == _PIXEL_HEIGHT:
                    height = _unsigned(data, value_start, value_end)
    if kind == _VIDEO_TRACK:
        found.track, found.width, found.height = number, width, height
