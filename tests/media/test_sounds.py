"""Sounds: what the header lies about, and peaks as other decoders see them."""

from __future__ import annotations

import io
import struct
import warnings
import wave
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from sightline.formats.wav import read_wav
from sightline.media import sounds as module
from sightline.media.sounds import float_pieces, overview, sound_type
from sightline.model.errors import MediaError

RATE_HZ = 8_000
PCM, FLOAT, A_LAW, MU_LAW, EXTENSIBLE = 1, 3, 6, 7, 0xFFFE


def chunk(name: bytes, body: bytes, *, size: int | None = None) -> bytes:
    return name + struct.pack("<I", len(body) if size is None else size) + body + bytes(len(body) % 2)


def fmt(
    tag: int, channels: int, bits: int, *, rate_hz: int = RATE_HZ, frame_bytes: int | None = None
) -> bytes:
    frame = channels * bits // 8 if frame_bytes is None else frame_bytes
    return struct.pack("<HHIIHH", tag, channels, rate_hz, rate_hz * frame, frame, bits)


def riff(*chunks: bytes, magic: bytes = b"RIFF", size: int | None = None) -> bytes:
    body = b"WAVE" + b"".join(chunks)
    return magic + struct.pack("<I", len(body) if size is None else size) + body


def plain(samples: NDArray[Any], tag: int = PCM) -> bytes:
    """A file as in the book, of samples [frames, channels]."""
    head = fmt(tag, samples.shape[1], 8 * samples.itemsize)
    return riff(chunk(b"fmt ", head), chunk(b"data", samples.tobytes()))


def noise(frames: int = 1000, channels: int = 2, seed: int = 0) -> NDArray[np.float64]:
    return np.random.default_rng(seed).uniform(-0.9, 0.9, (frames, channels))


def as_integers(values: NDArray[np.float64], bits: int) -> bytes:
    if bits == 8:
        return bytes((np.round(values * 127) + 128).astype(np.uint8))
    whole = np.round(values * (2 ** (bits - 1) - 1)).astype("<i4")
    return bytes(whole.view(np.uint8).reshape(-1, 4)[:, : bits // 8].tobytes())


def file_of(values: NDArray[np.float64], bits: int) -> bytes:
    """Written by the standard library."""
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(values.shape[1])
        file.setsampwidth(bits // 8)
        file.setframerate(RATE_HZ)
        file.writeframes(as_integers(values, bits))
    return out.getvalue()


def decoded_by_scipy(data: bytes) -> NDArray[np.float64]:
    """Samples [frames, channels], full scale is 1."""
    wavfile = pytest.importorskip("scipy.io.wavfile")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        rate_hz, samples = wavfile.read(io.BytesIO(data))
    assert rate_hz == RATE_HZ
    values: NDArray[np.float64] = samples.reshape(len(samples), -1).astype(np.float64)
    if samples.dtype == np.uint8:
        values = (values - 128) / 128
    elif samples.dtype.kind == "i":
        values /= 2.0 ** (8 * samples.itemsize - 1)
    return values


def decoded(data: bytes) -> NDArray[np.float32]:
    wav = read_wav(data)
    pieces = list(float_pieces(data, wav, max_frames=wav.frames))
    return np.concatenate(pieces) if pieces else np.zeros((0, wav.channels), np.float32)


# ── widths ───────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("bits", [8, 16, 24, 32])
@pytest.mark.parametrize("channels", [1, 2, 5])
def test_integers_of_every_width_are_read_as_scipy_does(bits: int, channels: int) -> None:
    data = file_of(noise(channels=channels), bits)
    np.testing.assert_allclose(decoded(data), decoded_by_scipy(data), atol=1e-7)
    seen = overview(data, buckets=10)
    assert (seen.rate_hz, seen.channels, seen.bits, seen.note) == (RATE_HZ, channels, bits, "")
    assert seen.duration_s == 1000 / RATE_HZ


@pytest.mark.parametrize("dtype", ["<f4", "<f8"])
def test_floats_are_read_as_scipy_does(dtype: str) -> None:
    data = plain(noise().astype(dtype), FLOAT)
    np.testing.assert_allclose(decoded(data), decoded_by_scipy(data), atol=1e-7)


@pytest.mark.parametrize("tag", [A_LAW, MU_LAW, 0x55, 0x1234])
def test_other_codings_are_for_the_browser(tag: int) -> None:
    data = plain(np.arange(256, dtype=np.uint8).reshape(-1, 1), tag)
    seen = overview(data, buckets=4)
    assert (seen.mime_type, seen.is_decoded, seen.least, seen.duration_s) == ("audio/wav", False, (), 0)


@pytest.mark.parametrize(("tag", "bits"), [(PCM, 16), (PCM, 24), (FLOAT, 32)])
def test_the_extensible_header_says_what_the_short_one_does(tag: int, bits: int) -> None:
    values = noise()
    body = values.astype("<f4").tobytes() if tag == FLOAT else as_integers(values, bits)
    guid = struct.pack("<H", tag) + bytes.fromhex("000000001000800000aa00389b71")
    long = fmt(EXTENSIBLE, 2, bits) + struct.pack("<HHI", 22, bits, 3) + guid
    data = riff(chunk(b"fmt ", long), chunk(b"data", body))
    short = riff(chunk(b"fmt ", fmt(tag, 2, bits)), chunk(b"data", body))
    np.testing.assert_array_equal(decoded(data), decoded(short))


def test_an_extensible_header_without_its_extension_is_taken_for_integers() -> None:
    body = as_integers(noise(), 16)
    data = riff(chunk(b"fmt ", fmt(EXTENSIBLE, 2, 16)), chunk(b"data", body))
    expected = riff(chunk(b"fmt ", fmt(PCM, 2, 16)), chunk(b"data", body))
    np.testing.assert_array_equal(decoded(data), decoded(expected))


def test_24_bits_in_four_bytes_are_read_by_the_bytes() -> None:
    whole = (np.round(noise() * (2**23 - 1)).astype("<i4")) << 8
    data = riff(chunk(b"fmt ", fmt(PCM, 2, 24, frame_bytes=8)), chunk(b"data", whole.tobytes()))
    np.testing.assert_allclose(decoded(data), whole / 2**31, atol=1e-7)


# ── sizes that lie ───────────────────────────────────────────────────────────────────────────────────────

SAMPLES = np.round(noise() * 32767).astype("<i2")
HEADER = chunk(b"fmt ", fmt(PCM, 2, 16))
PLAIN = riff(HEADER, chunk(b"data", SAMPLES.tobytes()))


@pytest.mark.parametrize("open_size", [0, 0xFFFFFFFF])
def test_a_length_left_open_by_a_streaming_writer_is_that_of_what_is_there(open_size: int) -> None:
    data = riff(HEADER, chunk(b"data", SAMPLES.tobytes(), size=open_size), size=open_size)
    assert "leaves the length open" in overview(data, buckets=4).note
    np.testing.assert_array_equal(decoded(data), decoded(PLAIN))


def test_an_empty_sound_is_told() -> None:
    seen = overview(riff(HEADER, chunk(b"data", b"")), buckets=4)
    assert (seen.duration_s, seen.least, seen.note) == (0, (), "The sound has no samples")


def test_a_file_that_is_cut_short_has_the_frames_that_are_there() -> None:
    whole = riff(HEADER, chunk(b"data", SAMPLES.tobytes()))
    data = whole[: -1001 * 2 + 1]  # in the middle of a sample
    seen = overview(data, buckets=4)
    assert seen.note == f"The file is cut short: {len(data) - 44:,} of 4,000 bytes of sound are there"
    assert seen.duration_s == 499 / RATE_HZ


def test_an_incomplete_last_frame_is_left_out() -> None:
    data = riff(HEADER, chunk(b"data", SAMPLES.tobytes() + b"\1\2\3"))
    assert overview(data, buckets=4).note == "The last frame is incomplete and left out"
    np.testing.assert_array_equal(decoded(data), decoded(PLAIN))


def test_chunks_around_the_sound_are_passed_over_with_their_padding() -> None:
    odd = chunk(b"LIST", b"odd")
    data = riff(odd, HEADER, odd, chunk(b"data", SAMPLES.tobytes()), odd)
    np.testing.assert_array_equal(decoded(data), decoded(PLAIN))


def test_wrong_rates_of_bytes_and_frames_do_not_count() -> None:
    wrong = struct.pack("<HHIIHH", PCM, 2, RATE_HZ, 1, 77, 16)
    data = riff(chunk(b"fmt ", wrong), chunk(b"data", SAMPLES.tobytes()))
    np.testing.assert_array_equal(decoded(data), decoded(PLAIN))


# ── what cannot be read ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "is empty"),
        (b"<svg onload=alert(1)>", "no sound of a known type"),
        (b"\x89PNG\r\n\x1a\n" + bytes(30), "no sound, but image/png"),
        (b"RIFF\0\0\0\0WAVE", "ends within its header"),
        (riff(chunk(b"fmt ", b"short")), "cut short"),
        (riff(HEADER), "no samples"),
        (riff(chunk(b"data", b"1234")), "no format chunk"),
        (riff(chunk(b"fmt ", fmt(PCM, 0, 16)), chunk(b"data", b"1234")), "no channels"),
        (riff(chunk(b"fmt ", fmt(PCM, 1, 16, rate_hz=0)), chunk(b"data", b"1234")), "0 samples per second"),
        (riff(chunk(b"junk", b"", size=0xFFFFFFF0), HEADER), "ends within its header"),
        (riff(*[chunk(b"junk", b"")] * 10_001, HEADER), "more than 10,000 chunks"),
    ],
)
def test_what_is_no_sound_has_a_sentence(data: bytes, sentence: str) -> None:
    with pytest.raises(MediaError, match=sentence):
        overview(data, buckets=4)


@pytest.mark.parametrize("head", [fmt(PCM, 1, 0), fmt(PCM, 1, 4096), fmt(FLOAT, 1, 16)])
def test_samples_of_unusual_widths_are_for_the_browser(head: bytes) -> None:
    assert not overview(riff(chunk(b"fmt ", head), chunk(b"data", b"1234")), buckets=4).is_decoded


@pytest.mark.parametrize(
    ("data", "mime_type"),
    [
        (b"ID3\4" + bytes(10), "audio/mpeg"),
        (b"\xff\xfb\x90\0" + bytes(10), "audio/mpeg"),
        (b"OggS" + bytes(10), "audio/ogg"),
        (b"fLaC" + bytes(10), "audio/flac"),
        (bytes(4) + b"ftypM4A " + bytes(4), "audio/mp4"),
        (b"\x1aE\xdf\xa3" + bytes(10), "audio/webm"),
    ],
)
def test_other_sounds_are_passed_through(data: bytes, mime_type: str) -> None:
    assert sound_type(data) == mime_type
    seen = overview(data, buckets=4)
    assert (seen.mime_type, seen.is_decoded, seen.least, seen.duration_s) == (mime_type, False, (), 0)


# ── peaks ────────────────────────────────────────────────────────────────────────────────────────────────


@settings(deadline=None)  # a busy machine is not a failure
@given(
    frames=st.integers(0, 300),
    channels=st.integers(1, 3),
    buckets=st.integers(1, 40),
    piece=st.integers(1, 100),
    seed=st.integers(0, 100),
)
def test_peaks_are_those_of_all_samples(
    frames: int, channels: int, buckets: int, piece: int, seed: int
) -> None:
    values = noise(frames, channels, seed).astype("<f4")
    data = plain(values, FLOAT)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "PIECE_VALUES", piece)
        seen = overview(data, buckets=buckets)
    count = min(buckets, frames)
    edges = [frames * i // count for i in range(count + 1)] if count else []
    expected = [values[a:b] for a, b in pairwise(edges)]
    np.testing.assert_allclose(seen.least, [one.min() for one in expected], rtol=1e-4)
    np.testing.assert_allclose(seen.greatest, [one.max() for one in expected], rtol=1e-4)
    if frames:
        assert seen.rms == pytest.approx(np.sqrt(np.mean(values.astype(np.float64) ** 2)))


def test_what_is_no_number_is_silent_and_told() -> None:
    values = noise().astype("<f4")
    values[3, 0], values[4, 1], values[5, 0] = np.nan, np.inf, -np.inf
    data = plain(values, FLOAT)
    seen = overview(data, buckets=1000)
    assert seen.note == "3 samples are no numbers; they are drawn as silence"
    assert np.isfinite([*seen.least, *seen.greatest, seen.rms]).all()


def test_very_long_sounds_are_looked_at_only_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_VALUES", 1000)
    seen = overview(plain(np.full((1000, 2), 1000, "<i2")), buckets=10)
    assert seen.greatest == pytest.approx([0.030518] * 5 + [0] * 5, rel=1e-4)
    assert "The waveform ends after" in seen.note
    assert seen.duration_s == 1000 / RATE_HZ
    assert seen.rms == pytest.approx(1000 / 32768)


# ── damage of any kind ───────────────────────────────────────────────────────────────────────────────────

SEEDS = [
    plain(SAMPLES[:20]),
    plain(noise(20).astype("<f8"), FLOAT),
    plain(np.arange(40, dtype=np.uint8).reshape(-1, 2), A_LAW),
    riff(
        chunk(b"fmt ", fmt(EXTENSIBLE, 2, 24) + struct.pack("<HHIH", 22, 24, 3, PCM) + bytes(14)),
        chunk(b"LIST", b"odd"),
        chunk(b"data", as_integers(noise(20), 24)),
    ),
]


@settings(deadline=None)
@given(
    seed=st.sampled_from(SEEDS),
    changes=st.lists(st.tuples(st.integers(0, 300), st.integers(0, 255)), max_size=8),
    cut=st.integers(0, 300),
    tail=st.binary(max_size=20),
    buckets=st.integers(1, 50),
)
def test_damaged_files_are_shown_or_refused(
    seed: bytes, changes: list[tuple[int, int]], cut: int, tail: bytes, buckets: int
) -> None:
    damaged = bytearray(seed[: len(seed) - cut] if cut < len(seed) else seed)
    for place, value in changes:
        if place < len(damaged):
            damaged[place] = value
    data = bytes(damaged) + tail
    try:
        seen = overview(data, buckets=buckets)
    except MediaError:
        return
    assert len(seen.least) == len(seen.greatest) <= buckets
    assert np.isfinite([*seen.least, *seen.greatest, seen.rms, seen.duration_s]).all()
