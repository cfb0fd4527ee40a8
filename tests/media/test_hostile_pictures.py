"""Pictures that lie, burst or break: nothing but MediaError, and nothing decoded beyond the limits."""

from __future__ import annotations

import struct
import tracemalloc
import zlib
from collections.abc import Callable

import numpy as np
import PIL.Image
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sightline.formats.picture_headers import gif, jpeg
from sightline.formats.picture_headers import png as png_chunks
from sightline.media import frames, pictures, pixels, thumbnails
from sightline.media.frames import frames_of
from sightline.media.pictures import check_may_be_shown, facts_of
from sightline.media.pixels import exact_pixels
from sightline.media.thumbnails import thumbnail
from sightline.model.byte_source import ByteSource
from sightline.model.errors import MediaError
from sightline.store.stored_bytes import StoredBytes
from tests.media.color_profiles import rgb_profile
from tests.media.encoded import (
    HAS_AVIF,
    animation,
    chunk,
    decode,
    deep_png,
    encode,
    exif,
    image,
    photo,
    png,
    png_bomb,
)

RGB = image(photo())
EVERY_WAY: dict[str, Callable[[bytes], object]] = {
    "thumbnail": lambda data: thumbnail(data, 128),
    "pixels": exact_pixels,
    "frames": frames_of,
}


@pytest.fixture
def without_decoding(monkeypatch: pytest.MonkeyPatch) -> None:
    """Handing anything to Pillow fails the test: a TypeError is no MediaError."""
    for module in (thumbnails, pixels, frames):
        monkeypatch.setattr(module, "opened", None)


def webp_canvas(width: int, height: int) -> bytes:
    size = struct.pack("<I", width - 1)[:3] + struct.pack("<I", height - 1)[:3]
    return b"RIFF\0\0\0\0WEBPVP8X" + struct.pack("<I", 10) + b"\0\0\0\0" + size + b"\0" * 20


def gif_canvas(width: int, height: int) -> bytes:
    """A small picture on a huge screen."""
    data = bytearray(encode(RGB.quantize(8), "GIF"))
    struct.pack_into("<HH", data, 6, width, height)
    return bytes(data)


def jpeg_of_size(width: int, height: int) -> bytes:
    data = bytearray(encode(RGB, "JPEG"))
    at = data.index(b"\xff\xc0")
    struct.pack_into(">HH", data, at + 5, height, width)
    return bytes(data)


def bmp_of_size(width: int, height: int) -> bytes:
    data = bytearray(encode(RGB, "BMP"))
    struct.pack_into("<ii", data, 18, width, height)
    return bytes(data)


BOMBS = {
    "png": png_bomb(),
    "gif with a huge screen": gif_canvas(65_535, 65_535),
    "webp with a huge canvas": webp_canvas(1 << 24, 1 << 24),
    "webp that takes as much memory as twice the pixels": webp_canvas(8_000, 8_000),
    "jpeg": jpeg_of_size(60_000, 60_000),
    "bmp": bmp_of_size(2**31 - 1, 2**31 - 1),
    "strip": png(width=70_000, height=1, rows=b"\0" + bytes(70_000)),
}


@pytest.mark.usefixtures("without_decoding")
@pytest.mark.parametrize("way", EVERY_WAY)
@pytest.mark.parametrize("name", BOMBS)
def test_bombs_are_refused_by_their_headers(name: str, way: str) -> None:
    with pytest.raises(MediaError, match=r"too (large|long) to be shown: [\d,]+ × [\d,]+ pixels"):
        EVERY_WAY[way](BOMBS[name])


def test_a_bomb_is_not_shown_as_it_is_either() -> None:
    with pytest.raises(MediaError, match="30,000 × 30,000 pixels"):
        check_may_be_shown(facts_of(BOMBS["png"]))


def test_more_bytes_than_the_limit_are_not_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    data = encode(RGB, "PNG")
    monkeypatch.setattr(pictures, "MAX_ENCODED_BYTES", len(data) - 1)
    with pytest.raises(MediaError, match=f"{len(data):,} bytes"):
        thumbnail(data, 128)


def test_a_png_that_claims_more_than_its_bytes_can_hold_makes_no_room_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(PIL.Image, "open", None)
    data = png(width=8_000, height=8_000, rows=b"\0" * 100, color_type=2)
    with pytest.raises(MediaError, match=r"claims 8,000 × 8,000 pixels, and has \d+ bytes"):
        thumbnail(data, 128)


def test_a_plain_picture_of_the_same_size_is_taken() -> None:
    """The bound on the ratio must not refuse what packs as well as anything can."""
    data = png(width=3_000, height=3_000, rows=bytes(3_000 * 3_001))
    assert decode(thumbnail(data, 128).body).size == (128, 128)


@pytest.mark.parametrize("scans", [thumbnails, pixels])
def test_a_jpeg_with_thousands_of_scans_is_refused(
    monkeypatch: pytest.MonkeyPatch, scans: object, without_decoding: None
) -> None:
    data = encode(RGB, "JPEG", progressive=True)
    assert jpeg.scan_count(data) > 3
    start = data.rindex(b"\xff\xda")
    many = data[:start] + data[start:-2] * (pictures.MAX_SCANS + 1) + data[-2:]
    with pytest.raises(MediaError, match="too long to decode"):
        EVERY_WAY["thumbnail" if scans is thumbnails else "pixels"](many)


# ── what hides in a PNG ──────────────────────────────────────────────────────────────────────────────────

ZEROS = zlib.compress(bytes(200 << 20), 9)
"""200 MB in 200 kB."""


@pytest.mark.parametrize("way", EVERY_WAY)
@pytest.mark.parametrize(
    "hidden",
    [
        (b"iCCP", b"profile\0\0" + ZEROS),
        (b"zTXt", b"Comment\0\0" + ZEROS),
        (b"iTXt", b"Comment\0\1\0\0\0" + ZEROS),
        (b"tEXt", b"Comment\0" + b"x" * (3 << 20)),
        (b"eXIf", b"II*\0" + b"\xff" * 1000),
    ],
    ids=lambda hidden: hidden[0].decode(),
)
def test_texts_and_profiles_are_never_unpacked(hidden: tuple[bytes, bytes], way: str) -> None:
    data = deep_png(np.full((4, 4, 1), 7, np.uint16), more=[hidden])
    tracemalloc.start()
    try:
        assert EVERY_WAY[way](data) is not None
        _, most_bytes = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most_bytes < 32 << 20  # a copy of what came in, at most; unpacked it is 200 MB


def test_endless_chunks_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(png_chunks, "MAX_CHUNKS", 100)
    data = png(width=1, height=1, rows=b"\0\0", more=[(b"junk", b"")] * 101)
    with pytest.raises(MediaError, match="more than 100 chunks"):
        facts_of(data)


def test_endless_blocks_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gif, "MAX_BLOCKS", 100)
    data = b"GIF89a\1\0\1\0\0\0\0" + b"\x21\xfe\0" * 101
    with pytest.raises(MediaError, match="more than 100 blocks"):
        facts_of(data)


def test_a_wrong_checksum_is_damage() -> None:
    data = bytearray(encode(RGB, "PNG"))
    data[29] ^= 1
    with pytest.raises(MediaError, match="The picture is damaged: "):
        thumbnail(bytes(data), 128)


# ── cut off ──────────────────────────────────────────────────────────────────────────────────────────────


def test_a_large_picture_without_its_pixels_is_cut_off_and_does_not_lie() -> None:
    data = encode(image(np.zeros((900, 900, 3), np.uint8)), "PNG")
    with pytest.raises(MediaError, match="The picture is cut off: its end is missing"):
        thumbnail(data[: len(data) // 2], 128)


@pytest.mark.parametrize("format_name", ["PNG", "JPEG", "GIF", "WEBP", "BMP"])
@pytest.mark.parametrize("share", [0.2, 0.5, 0.9])
def test_a_small_picture_that_is_cut_off_is_not_handed_on(format_name: str, share: float) -> None:
    noise = image(np.random.default_rng(0).integers(0, 256, (40, 40, 3), dtype=np.uint8))
    data = encode(noise, format_name)
    with pytest.raises(MediaError, match=r"cut off: its end is missing|it is cut off before a picture"):
        thumbnail(data[: int(len(data) * share)], 128)


def test_other_formats_of_pillow_are_never_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    real = PIL.Image.open

    def noted(*arguments: object, **options: object) -> PIL.Image.Image:
        asked.append(options["formats"])
        return real(*arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(PIL.Image, "open", noted)
    thumbnail(encode(RGB, "PNG"), 128)
    thumbnail(encode(RGB, "WEBP"), 128)
    for format_name in ("TIFF", "ICO", "PPM", "TGA", "JPEG2000", "PCX"):
        with pytest.raises(MediaError, match="not a picture of a known format"):
            thumbnail(encode(RGB, format_name), 128)
    assert asked == [("PNG",), ("WEBP",)]


def test_what_pillow_raises_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    data = encode(RGB, "PNG")
    for error in (
        MemoryError(),
        KeyError("x"),
        RecursionError(),
        SyntaxError("broken"),
        struct.error("short"),
    ):

        def fail(*_arguments: object, error: Exception = error, **_options: object) -> None:
            raise error

        monkeypatch.setattr(PIL.Image, "open", fail)
        with pytest.raises(MediaError):
            thumbnail(data, 128)


# ── anything ─────────────────────────────────────────────────────────────────────────────────────────────

SEEDS = [
    encode(RGB, "PNG"),
    encode(RGB.quantize(8), "PNG", transparency=1),
    deep_png(np.arange(300, dtype=np.uint16).reshape(10, 10, 3), is_interlaced=True),
    encode(RGB, "JPEG"),
    encode(RGB, "JPEG", progressive=True),
    encode(RGB, "WEBP"),
    encode(RGB, "WEBP", lossless=True),
    encode(RGB, "BMP"),
    encode(RGB.quantize(8), "BMP"),
    *(animation([photo(), photo() // 2], name, [50, 50]) for name in ("GIF", "WEBP", "PNG")),
    *([encode(RGB, "AVIF"), encode(image(photo(channels=4)), "AVIF")] if HAS_AVIF else []),
    encode(RGB, "JPEG", exif=exif(6), icc_profile=rgb_profile()),
    encode(RGB, "PNG", exif=exif(6), icc_profile=rgb_profile()),
]
MAGICS = [
    b"\x89PNG\r\n\x1a\n",
    b"\xff\xd8\xff",
    b"GIF89a",
    b"BM",
    b"RIFF\0\0\0\0WEBP",
    b"\0\0\0\x20ftypisom",
    b"\0\0\0\x14ftypavif\0\0\0\0avif\0\0\0\0meta\0\0\0\0",
    b"\x1aE\xdf\xa3",
    b"",
]


def answer_or_sentence(data: bytes) -> None:
    """Any other exception fails the test, and so does a sentence that says nothing."""
    for way in (facts_of, *EVERY_WAY.values()):
        sentence = "an answer"
        try:
            way(data)
        except MediaError as error:
            sentence = str(error)
        assert len(sentence) > 8


@settings(max_examples=150, deadline=None)
@given(magic=st.sampled_from(MAGICS), rest=st.binary(max_size=300))
def test_random_bytes(magic: bytes, rest: bytes) -> None:
    answer_or_sentence(magic + rest)


@settings(max_examples=300, deadline=None)
@given(
    seed=st.sampled_from(SEEDS),
    changes=st.lists(
        st.tuples(st.floats(0, 1, exclude_max=True), st.binary(min_size=1, max_size=4)), max_size=4
    ),
    kept=st.floats(0, 1),
    has_good_checksums=st.booleans(),
)
def test_changed_files(
    seed: bytes, changes: list[tuple[float, bytes]], kept: float, has_good_checksums: bool
) -> None:
    data = bytearray(seed)
    for place, piece in changes:
        # Mostly in the header, where changes do most.
        at = int(place * place * len(data))
        data[at : at + len(piece)] = piece
    changed = bytes(data[: int(kept * len(data)) + 1])
    if has_good_checksums and changed.startswith(png_chunks.SIGNATURE):
        changed = _with_checksums(changed)
    answer_or_sentence(changed)


@given(st.sampled_from(SEEDS), st.lists(st.tuples(st.floats(0, 1), st.integers(0, 255)), max_size=4))
def test_facts_are_the_same_of_bytes_that_stay_in_the_log(
    seed: bytes, changes: list[tuple[float, int]]
) -> None:
    damaged = bytearray(seed)
    for place, byte in changes:
        damaged[min(int(place**3 * len(seed)), len(seed) - 1)] = byte
    data = bytes(damaged)
    stored = StoredBytes.of(lambda start, length: data[start : start + length], len(data), file="x")
    assert _told(stored) == _told(data)


def _told(data: ByteSource) -> object:
    try:
        return facts_of(data)
    except MediaError as error:
        return str(error)


def _with_checksums(data: bytes) -> bytes:
    try:
        found = list(png_chunks.chunks_of(data))
    except MediaError:
        return data
    return png_chunks.SIGNATURE + b"".join(chunk(one.name, data[one.start : one.end]) for one in found)


def test_one_row_of_tiny_blocks_in_a_gif_is_not_walked_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gif, "MAX_BLOCKS", 1_000)
    data = encode(RGB, "GIF")
    comment = b"!\xfe" + b"\x01a" * 2_000  # its end would be an empty block; the data ends first
    with pytest.raises(MediaError, match="1,000 blocks"):
        facts_of(data[:-1] + comment)


@pytest.mark.usefixtures("without_decoding")
def test_a_large_bmp_of_run_lengths_is_not_unpacked() -> None:
    header = bytearray(encode(PIL.Image.new("L", (2_048, 1_024)), "BMP")[:1_078])
    struct.pack_into("<I", header, 30, 1)
    with pytest.raises(MediaError, match="too large"):
        thumbnail(bytes(header) + b"\1\5\0\0" * 1_024, 128)


def test_a_gif_may_say_something_and_not_everything() -> None:
    data = encode(RGB, "GIF")
    comment = b"!\xfe" + (b"\xff" + b"a" * 255) * 2_000 + b"\0"
    facts_of(data[:-1] + comment + data[-1:])
    with pytest.raises(MediaError, match="of comments"):
        facts_of(data[:-1] + 3 * comment + data[-1:])
