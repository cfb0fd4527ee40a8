"""Posters of films, against what was encoded."""

from __future__ import annotations

import io
import sys
from typing import Any

import av
import numpy as np
import pytest

from sightline.media import film_posters
from sightline.media.pictures import facts_of
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
def test_only_the_type_of_a_film_is_known(data: bytes, mime_type: str) -> None:
    facts = facts_of(data)
    assert (facts.mime_type, facts.width, facts.height, facts.frames) == (mime_type, 0, 0, 0)
    assert (facts.bits, facts.channels, facts.duration_s) == (8, 3, 0.0)


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
    monkeypatch.setattr(film_posters, "MAX_PIXELS", 64 * 48 - 1)
    with pytest.raises(MediaError, match="64 × 48 pixels"):
        thumbnail(MP4, 32)


def test_other_codecs_are_not_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(film_posters, "_CODECS", frozenset(("vp9",)))
    with pytest.raises(MediaError, match="h264"):
        thumbnail(MP4, 32)


def test_a_damaged_film_is_a_sentence() -> None:
    with pytest.raises(MediaError, match="film"):
        thumbnail(MP4[:200], 32)
    with pytest.raises(MediaError, match="film"):
        thumbnail(WEBM[:60], 32)
