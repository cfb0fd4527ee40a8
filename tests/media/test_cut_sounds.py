"""Sounds whose end is missing, as real encoders write them."""

from __future__ import annotations

import io
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.media.cut_sounds import cut_note
from sightline.media.sounds import overview

av = pytest.importorskip("av")

RATE_HZ, DURATION_S = 48_000, 2
MP3_FRAME = b"\xff\xfb\x90\0" + bytes(413)


def sound(container: str, codec: str) -> bytes:
    values = np.random.default_rng(0).normal(0, 3_000, RATE_HZ * DURATION_S).astype(np.int16)
    out = io.BytesIO()
    with av.open(out, "w", format=container) as file:
        stream = file.add_stream(codec, rate=RATE_HZ, layout="mono")
        whole = av.AudioFrame.from_ndarray(values[np.newaxis], format="s16", layout="mono")
        whole.sample_rate = RATE_HZ
        context = stream.codec_context
        frame_size = context.frame_size or 4_096
        cutter = av.AudioResampler(context.format, "mono", RATE_HZ, frame_size=frame_size)
        for frame in [*cutter.resample(whole), *cutter.resample(None)]:
            file.mux(stream.encode(frame))
        file.mux(stream.encode(None))
    return out.getvalue()


SOUNDS = {
    "audio/flac": ("flac", "flac"),
    "audio/mpeg": ("mp3", "libmp3lame"),
    "audio/ogg": ("ogg", "libopus"),
}


@pytest.fixture(scope="module", params=SOUNDS)
def encoded(request: pytest.FixtureRequest) -> bytes:
    container, codec = SOUNDS[request.param]
    if codec not in av.codecs_available:
        pytest.skip(f"no {codec}")
    return sound(container, codec)


def test_a_whole_sound_has_nothing_wrong(encoded: bytes) -> None:
    assert overview(encoded, buckets=4).note == ""


@pytest.mark.parametrize("share", [0.001, 0.1, 0.5, 0.9])
def test_a_sound_without_its_end_says_so(encoded: bytes, share: float) -> None:
    assert overview(encoded[: int(share * len(encoded))], buckets=4).note.startswith("The file is cut off")


@pytest.mark.skipif("flac" not in av.codecs_available, reason="no flac")
def test_of_flac_it_is_known_how_much_is_there() -> None:
    data = sound("flac", "flac")
    assert "(about 1.0 of 2.0 s are there)" in cut_note(data[: len(data) // 2], "audio/flac")


def test_nothing_is_said_where_nothing_is_known() -> None:
    for note in (
        cut_note(MP3_FRAME * 3, "audio/mpeg"),
        cut_note(b"\x1aE\xdf\xa3" + bytes(10), "audio/webm"),
        cut_note(struct.pack(">I4s", 16, b"ftyp") + b"M4A " + bytes(4) + b"\0\0\0\x08moov", "audio/mp4"),
    ):
        assert note == ""
    assert "table of contents" in cut_note(struct.pack(">I4s", 16, b"ftyp") + b"M4A " + bytes(4), "audio/mp4")


@given(
    st.sampled_from([b"fLaC", b"ID3", b"OggS", b"\xff\xfb", b"fLaC\0\0\0\x22" + bytes(10) + b"\1" * 24]),
    st.binary(max_size=200),
    st.sampled_from(["audio/flac", "audio/mpeg", "audio/ogg", "audio/mp4"]),
)
def test_nothing_is_raised_whatever_the_bytes_are(begin: bytes, rest: bytes, mime_type: str) -> None:
    assert isinstance(cut_note(begin + rest, mime_type), str)


def test_a_tail_full_of_beginnings_is_not_looked_through() -> None:
    head = b"fLaC" + b"\x80\0\0\x22" + struct.pack(">HH", 4096, 4096) + bytes(6)
    head += struct.pack(">II", RATE_HZ << 12, 10_000) + bytes(16)
    assert cut_note(head + b"\xff\xf8" * 500_000, "audio/flac") == "The file is cut off: its end is missing"
