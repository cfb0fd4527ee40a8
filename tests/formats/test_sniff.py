"""Headers of media, made by real encoders where there is one."""

from __future__ import annotations

import io
import wave

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.formats.sniff import mime_type


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
def test_the_type_is_read_from_the_image(kind: str, options: dict[str, object], expected: str) -> None:
    data = picture(kind, **options)
    assert mime_type(data) == expected


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


_starts = st.sampled_from(
    [picture("PNG"), picture("JPEG"), picture("GIF"), picture("BMP"), picture("WEBP"), sound(), b""]
)


@given(_starts, st.integers(0, 80), st.binary(max_size=40))
def test_damaged_headers_never_raise(start: bytes, kept: int, rest: bytes) -> None:
    mime_type(start[:kept] + rest)
