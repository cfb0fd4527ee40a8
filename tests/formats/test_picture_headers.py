"""Facts of pictures, read from their headers, against what Pillow makes of the same files."""

from __future__ import annotations

import numpy as np
import PIL.Image
import PIL.ImageOps
import pytest

from sightline.formats.picture_headers.header import DEFAULT_DELAY_MS
from sightline.media.pictures import MAX_HEADER_BYTES, facts_of, header_of, shown_size_px
from sightline.model.errors import MediaError
from tests.media.encoded import HAS_AVIF, animation, chunk, decode, deep_png, encode, exif, image, photo, png

RGB = image(photo())
GREY = image(photo(channels=1))
RGBA = image(photo(channels=4))
GREY_ALPHA = RGBA.convert("LA")
PALETTE = RGB.quantize(16)


@pytest.mark.parametrize(
    ("data", "bits", "channels"),
    [
        (encode(GREY.convert("1"), "PNG"), 1, 1),
        (encode(GREY, "PNG"), 8, 1),
        (encode(GREY, "PNG", transparency=7), 8, 2),
        (encode(GREY_ALPHA, "PNG"), 8, 2),
        (encode(RGB, "PNG"), 8, 3),
        (encode(RGBA, "PNG"), 8, 4),
        (encode(PALETTE, "PNG"), 8, 3),
        (encode(PALETTE, "PNG", transparency=3), 8, 4),
        (deep_png(np.ones((60, 90, 1), np.uint16)), 16, 1),
        (deep_png(np.ones((60, 90, 4), np.uint16)), 16, 4),
        (encode(GREY, "JPEG"), 8, 1),
        (encode(RGB, "JPEG"), 8, 3),
        (encode(RGB, "JPEG", progressive=True), 8, 3),
        (encode(RGB.convert("CMYK"), "JPEG"), 8, 3),
        (encode(PALETTE, "GIF"), 8, 3),
        (encode(PALETTE, "GIF", transparency=3), 8, 4),
        (encode(RGB, "WEBP"), 8, 3),
        (encode(RGB, "WEBP", lossless=True), 8, 3),
        (encode(RGBA, "WEBP"), 8, 4),
        (encode(RGBA, "WEBP", lossless=True), 8, 4),
        (encode(RGB, "BMP"), 8, 3),
        (encode(RGBA, "BMP"), 8, 3),  # its fourth byte is not said to be opacity
        (encode(GREY.convert("1"), "BMP"), 8, 3),
    ],
)
def test_type_size_bits_and_channels(data: bytes, bits: int, channels: int) -> None:
    facts = facts_of(data)
    oracle = decode(data)
    assert facts.mime_type == PIL.Image.MIME[str(oracle.format)]
    assert (facts.width, facts.height) == oracle.size == (90, 60)
    assert (facts.bits, facts.channels) == (bits, channels)
    assert (facts.frames, facts.duration_s) == (1, 0.0)


@pytest.mark.parametrize("format_name", ["GIF", "WEBP", "PNG"])
def test_frames_and_their_durations(format_name: str) -> None:
    frames = [photo() // divisor for divisor in (1, 2, 3, 4)]
    header = header_of(animation(frames, format_name, [50, 120, 0, 70]))
    assert header.delays_ms == (50, 120, DEFAULT_DELAY_MS, 70)
    assert header.frames == 4
    assert header.duration_s == pytest.approx(0.34)


def test_a_gif_that_ends_too_early_says_so() -> None:
    data = animation([photo() // divisor for divisor in (1, 2, 3)], "GIF", [50, 50, 50])
    # What stands behind its end belongs to nobody.
    assert [facts_of(one).is_cut for one in (data, data + b"?")] == [False, False]
    assert [facts_of(data[:-length]).is_cut for length in (1, 2, 40, len(data) // 3)] == [True] * 4


@pytest.mark.parametrize("format_name", ["JPEG", "PNG"])
@pytest.mark.parametrize("orientation", range(1, 9))
def test_a_turned_picture_has_the_size_that_is_shown(orientation: int, format_name: str) -> None:
    data = encode(RGB, format_name, exif=exif(orientation))
    shown = PIL.ImageOps.exif_transpose(decode(data))
    header = header_of(data)
    assert (header.width, header.height) == shown.size
    assert header.orientation == orientation


# What Chromium does with each of these was seen in it.


def test_of_several_orientations_of_a_jpeg_the_first_counts_wherever_it_is() -> None:
    plain, first, second = (encode(RGB, "JPEG", exif=exif(number)) for number in (1, 6, 3))
    first_segment, second_segment = (
        data[data.index(b"\xff\xe1") : data.index(b"\xff\xdb")] for data in (first, second)
    )
    assert header_of(first[:2] + first_segment + second_segment + first[2:]).orientation == 6
    bare = plain.replace(plain[plain.index(b"\xff\xe1") : plain.index(b"\xff\xdb")], b"")
    size_end = bare.index(b"\xff\xc0") + 2 + 17
    late = bare[:size_end] + first_segment + bare[size_end:]
    assert PIL.ImageOps.exif_transpose(decode(late)).size == (60, 90)
    header = header_of(late)
    assert (header.orientation, header.width, header.height) == (6, 60, 90)


def test_of_a_png_the_first_whole_orientation_before_the_pixels_counts() -> None:
    six, three = (exif(number).tobytes().removeprefix(b"Exif\0\0") for number in (6, 3))
    pixels = {"width": 1, "height": 2, "rows": b"\0\0\0\0"}
    assert header_of(png(**pixels, more=[(b"eXIf", six), (b"eXIf", three)])).orientation == 6
    plain = png(**pixels)
    assert header_of(plain[:-12] + chunk(b"eXIf", six) + plain[-12:]).orientation == 1
    damaged = png(**pixels, more=[(b"eXIf", six)]).replace(six, three)
    assert header_of(damaged).orientation == 1
    assert header_of(png(**pixels, more=[(b"eXIf", b"Exif\0\0" + six)])).orientation == 1


def test_webp_is_not_turned() -> None:
    header = header_of(encode(RGB, "WEBP", exif=exif(6)))
    assert (header.orientation, header.width, header.height) == (1, 90, 60)


def test_a_png_with_one_frame_is_a_still() -> None:
    control = (b"acTL", b"\0\0\0\1\0\0\0\0")
    assert header_of(png(width=1, height=1, rows=b"\0\0", more=[control])).frames == 1


def test_a_gif_frame_beyond_the_screen_makes_the_picture_larger() -> None:
    """As Pillow does it: the size before decoding must not be less than what is made room for."""
    data = bytearray(encode(PALETTE, "GIF"))
    data[6:10] = b"\x05\0\x05\0"
    header = header_of(bytes(data))
    assert (header.width, header.height) == (90, 60) == decode(bytes(data)).size


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "no bytes"),
        (b"hello world", r"not a picture of a known format \(PNG.* AVIF,"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>", "can run scripts"),
        (b"\xef\xbb\xbf  <!DOCTYPE html><script>", "can run scripts"),
        (b"<?xml version='1.0'?><svg/>", "can run scripts"),
        (b"\x89PNG\r\n\x1a\n", "does not begin with its size"),
        (encode(RGB, "PNG")[:30], "does not begin with its size"),
        (png(width=0, height=5, rows=b""), "0 × 5 pixels"),
        (png(width=5, height=5, rows=b"", depth=3), "colour type 0 with 3 bits"),
        (b"\x89PNG\r\n\x1a\n" + chunk(b"gAMA", b"\0" * 13), "does not begin with its size"),
        (encode(RGB, "JPEG")[:20], "cut off before its size"),
        (b"\xff\xd8\xff\xd9", "size is missing"),
        (b"\xff\xd8\xff\xe0\x00\x02abc", "no segment at byte 6"),
        (b"GIF89a\5\0", "cut off"),
        (b"GIF89a\5\0\5\0\0\0\0;", "holds no picture"),
        (b"RIFF\0\0\0\0WEBPVP8 ", "cut off|whole picture"),
        (b"RIFF\0\0\0\0WEBPICCP\0\0\0\0", "begins with"),
        (b"BM" + b"\0" * 10, "cut off"),
        (encode(RGB, "BMP")[:18] + b"\0" * 40, "0 × 0 pixels"),
    ],
)
def test_what_is_no_picture_gets_a_sentence(data: bytes, sentence: str) -> None:
    with pytest.raises(MediaError, match=sentence):
        facts_of(data)


# ── by the beginning alone ───────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "format_name", ["PNG", "JPEG", "GIF", "WEBP", "BMP", *(["AVIF"] if HAS_AVIF else [])]
)
def test_the_size_is_known_from_the_beginning_of_a_picture(format_name: str) -> None:
    noise = image(np.random.default_rng(0).integers(0, 256, (500, 700, 3), dtype=np.uint8))
    data = encode(noise, format_name)
    assert len(data) > MAX_HEADER_BYTES
    assert shown_size_px(data) == (700, 500)
    if format_name in ("PNG", "JPEG", "AVIF"):  # lying on its side
        assert shown_size_px(encode(noise, format_name, exif=exif(6))) == (500, 700)


def test_what_does_not_tell_its_size_has_none() -> None:
    assert shown_size_px(b"") == (0, 0)
    assert shown_size_px(b"<svg/>") == (0, 0)
    assert shown_size_px(b"\x89PNG\r\n\x1a\n" + bytes(100)) == (0, 0)
