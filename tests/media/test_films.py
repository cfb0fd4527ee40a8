"""Facts and posters of films, against what was encoded."""

from __future__ import annotations

import io
import struct
import sys
from typing import Any

import av
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sightline.media import film_posters
from sightline.media.facts import facts_of
from sightline.media.films import FilmHeader, film_header
from sightline.media.headers import boxes
from sightline.media.thumbnails import thumbnail
from sightline.model.errors import MediaError
from tests.media.encoded import decode, rgba

FRAMES, RATE = 20, 10
COLOR = (200, 90, 30)


def film(container: str, codec: str, *, width: int = 64, height: int = 48, **options: Any) -> bytes:
    out = io.BytesIO()
    with av.open(out, "w", format=container, options=options) as writer:
        stream = writer.add_stream(codec, rate=RATE)
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        values = np.full((height, width, 3), COLOR, np.uint8)
        for _ in range(FRAMES):
            writer.mux(stream.encode(av.VideoFrame.from_ndarray(values, format="rgb24")))
        writer.mux(stream.encode())
    return out.getvalue()


MP4 = film("mp4", "libx264")
WEBM = film("webm", "libvpx-vp9")
BOTH = pytest.mark.parametrize(("data", "mime_type"), [(MP4, "video/mp4"), (WEBM, "video/webm")])


@BOTH
def test_facts_come_from_the_container(data: bytes, mime_type: str) -> None:
    facts = facts_of(data)
    assert (facts.mime_type, facts.width, facts.height) == (mime_type, 64, 48)
    assert facts.frames == FRAMES
    assert facts.duration_s == pytest.approx(FRAMES / RATE)
    assert (facts.bits, facts.channels, facts.size_bytes) == (8, 3, len(data))


def test_a_film_in_pieces_does_not_tell_its_frames() -> None:
    fragmented = film("mp4", "libx264", movflags="frag_keyframe+empty_moov")
    header = film_header(fragmented)
    assert (header.width, header.height, header.frames) == (64, 48, 0)


def test_a_live_stream_does_not_tell_its_duration() -> None:
    header = film_header(film("webm", "libvpx", live="1"))
    assert header == FilmHeader("video/webm", 64, 48, frames=FRAMES, duration_s=0.0)


@BOTH
def test_the_poster_is_the_first_frame(data: bytes, mime_type: str) -> None:
    made = thumbnail(data, 32)
    assert not made.is_original
    assert decode(made.body).size == (32, 24)
    assert np.abs(rgba(made.body)[..., :3] - COLOR).mean() < 6


@BOTH
def test_without_a_decoder_the_browser_is_asked(
    data: bytes, mime_type: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "av", None)
    with pytest.raises(MediaError, match=r"the browser has to make the picture.*sightline\[video\]"):
        thumbnail(data, 32)


def test_a_film_that_is_too_large_is_not_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    at = MP4.index(b"tkhd") + 4 + 76
    huge = MP4[:at] + struct.pack(">II", 60_000 << 16, 60_000 << 16) + MP4[at + 8 :]
    monkeypatch.setattr(av, "open", None)
    with pytest.raises(MediaError, match="60,000 × 60,000 pixels"):
        thumbnail(huge, 32)


def test_other_codecs_are_not_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(film_posters, "_CODECS", frozenset(("vp9",)))
    with pytest.raises(MediaError, match="h264"):
        thumbnail(MP4, 32)


def test_a_damaged_film_is_a_sentence() -> None:
    with pytest.raises(MediaError, match="film"):
        thumbnail(MP4[:200], 32)
    with pytest.raises(MediaError, match="film"):
        thumbnail(WEBM[:60], 32)


def test_endless_boxes_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boxes, "MAX_STEPS", 10)
    data = b"\0\0\0\x08ftyp" + b"\0\0\0\x08free" * 50 + MP4
    assert film_header(data) == FilmHeader("video/mp4")


@settings(max_examples=200, deadline=None)
@given(
    seed=st.sampled_from([MP4, WEBM, film("webm", "libvpx", live="1")]),
    changes=st.lists(
        st.tuples(st.floats(0, 1, exclude_max=True), st.binary(min_size=1, max_size=8)), max_size=6
    ),
    kept=st.floats(0, 1),
)
def test_changed_films_never_raise(seed: bytes, changes: list[tuple[float, bytes]], kept: float) -> None:
    data = bytearray(seed)
    for place, piece in changes:
        at = int(place * len(data))
        data[at : at + len(piece)] = piece
    header = film_header(bytes(data[: int(kept * len(data))]))
    assert header.duration_s >= 0
    assert header.frames >= 0
