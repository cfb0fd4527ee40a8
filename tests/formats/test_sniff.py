"""Headers of media, made by real encoders where there is one."""

from __future__ import annotations

import io
import struct
import wave

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.formats.sniff import WavFacts, image_size_px, mime_type, wav_facts


def picture(kind: str, **options: object) -> bytes:
    image = pytest.importorskip("PIL.Image")
    out = io.BytesIO()
    image.new("RGB", (37, 21), "red").save(out, kind, **options)
    return out.getvalue()


def sound(*, rate_hz: int = 8000, channels: int = 1, frames: int = 10) -> bytes:
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(2)
        file.setframerate(rate_hz)
        file.writeframes(bytes(2 * channels * frames))
    return out.getvalue()


@pytest.mark.parametrize(
    ("kind", "options", "expected"),
    [
        ("PNG", {}, "image/png"),
        ("JPEG", {}, "image/jpeg"),
        ("JPEG", {"progressive": True}, "image/jpeg"),
        ("JPEG", {"comment": b"x" * 60_000}, "image/jpeg"),
        ("GIF", {}, "image/gif"),
        ("BMP", {}, "image/bmp"),
        ("WEBP", {}, "image/webp"),
        ("WEBP", {"lossless": True}, "image/webp"),
        ("WEBP", {"exif": b"Exif\0\0"}, "image/webp"),  # the extended header
    ],
)
def test_type_and_size_are_read_from_the_image(kind: str, options: dict[str, object], expected: str) -> None:
    data = picture(kind, **options)
    assert mime_type(data) == expected
    assert image_size_px(data) == (37, 21)


def test_bitmaps_of_os_2_and_from_top_to_bottom_are_measured() -> None:
    os_2 = b"BM" + bytes(12) + struct.pack("<IHH", 12, 640, 480)
    assert image_size_px(os_2) == (640, 480)
    from_the_top = b"BM" + bytes(12) + struct.pack("<Iii", 40, 640, -480)
    assert image_size_px(from_the_top) == (640, 480)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"\x00\x00\x00\x18ftypisom", "video/mp4"),
        (b"\x00\x00\x00\x18ftypavif", "image/avif"),
        (b"\x1aE\xdf\xa3\x01", "video/webm"),
        (b"fLaC\x00", "audio/flac"),
        (b"OggS\x00", "audio/ogg"),
        (b"ID3\x04", "audio/mpeg"),
        (b"\xff\xfb\x90\x00", "audio/mpeg"),
        (b"RIFF\x00\x00\x00\x00WAVE", "audio/wav"),
        (b"RIFF\x00\x00\x00\x00AVI ", ""),
        (b"\xff\xf1\x50\x80", ""),  # AAC, whose layer is 0
        (b"hello", ""),
        (b"", ""),
    ],
)
def test_magic_bytes_name_the_type(data: bytes, expected: str) -> None:
    assert mime_type(data) == expected


@pytest.mark.parametrize(("container", "expected"), [("mp4", "video/mp4"), ("webm", "video/webm")])
def test_films_of_a_real_encoder_are_known(container: str, expected: str) -> None:
    av = pytest.importorskip("av")
    out = io.BytesIO()
    with av.open(out, "w", format=container) as file:
        stream = file.add_stream("libx264" if container == "mp4" else "libvpx-vp9", rate=4)
        stream.width = stream.height = 16
        stream.pix_fmt = "yuv420p"
        file.mux(stream.encode(av.VideoFrame(16, 16, "yuv420p")))
        file.mux(stream.encode(None))
    assert mime_type(out.getvalue()) == expected
    assert image_size_px(out.getvalue()) is None


def test_the_header_of_a_sound_tells_rate_channels_and_length() -> None:
    assert wav_facts(sound(rate_hz=44100, channels=2, frames=7)) == WavFacts(44100, 2, 7)


def test_a_sound_that_is_cut_off_has_the_frames_that_are_there() -> None:
    assert wav_facts(sound(frames=10)[:-6]) == WavFacts(8000, 1, 7)


def test_other_chunks_in_a_sound_are_passed_over() -> None:
    data = sound(frames=3)
    odd_chunk = b"LIST" + struct.pack("<I", 3) + b"abc\0"
    assert wav_facts(data[:12] + odd_chunk + data[12:]) == WavFacts(8000, 1, 3)


@pytest.mark.parametrize("data", [b"", b"RIFF\x00\x00\x00\x00WAVE", sound()[:30], picture("PNG")])
def test_what_is_no_sound_has_no_facts(data: bytes) -> None:
    assert wav_facts(data) is None


_starts = st.sampled_from(
    [picture("PNG"), picture("JPEG"), picture("GIF"), picture("BMP"), picture("WEBP"), sound(), b""]
)


@given(_starts, st.integers(0, 80), st.binary(max_size=40))
def test_damaged_headers_never_raise(start: bytes, kept: int, rest: bytes) -> None:
    data = start[:kept] + rest
    mime_type(data)
    wav_facts(data)
    size = image_size_px(data)
    assert size is None or len(size) == 2


def test_walks_end_in_files_that_are_made_of_nothing_but_chunks() -> None:
    """Before what they look for, which is how a test sees that they ended."""
    jpeg, wav = picture("JPEG"), sound()
    assert image_size_px(jpeg[:2] + b"\xff" * 1_000 + jpeg[2:]) == (37, 21)
    assert image_size_px(jpeg[:2] + b"\xff" * 20_000 + jpeg[2:]) is None
    assert wav_facts(wav[:12] + b"junk\0\0\0\0" * 1_000 + wav[12:]) == wav_facts(wav)
    assert wav_facts(wav[:12] + b"junk\0\0\0\0" * 20_000 + wav[12:]) is None
