"""Thumbnails of every format and mode, against Pillow's own reduction of what Pillow decodes."""

from __future__ import annotations

import struct

import numpy as np
import PIL.features
import PIL.Image
import PIL.ImageOps
import pytest

from sightline.media.pictures import fitted, header_of
from sightline.media.thumbnails import thumbnail
from tests.media.encoded import animation, chunk, decode, deep_png, encode, exif, image, photo, rgba

HEIGHT, WIDTH = 300, 450
RGB = image(photo(HEIGHT, WIDTH))
GREY = image(photo(HEIGHT, WIDTH, channels=1))
RGBA = image(photo(HEIGHT, WIDTH, channels=4))
PALETTE = RGB.quantize(64)
BLACK_AND_WHITE = GREY.convert("1", dither=PIL.Image.Dither.NONE)

EVERY_MODE = {
    "1-bit png": encode(BLACK_AND_WHITE, "PNG"),
    "grey png": encode(GREY, "PNG"),
    "grey png with a transparent value": encode(GREY, "PNG", transparency=7),
    "grey and alpha png": encode(RGBA.convert("LA"), "PNG"),
    "rgb png": encode(RGB, "PNG"),
    "rgb png with a transparent colour": encode(RGB, "PNG", transparency=(1, 2, 3)),
    "rgba png": encode(RGBA, "PNG"),
    "palette png": encode(PALETTE, "PNG"),
    "palette png with a transparent colour": encode(PALETTE, "PNG", transparency=5),
    "palette png with many transparent colours": encode(PALETTE, "PNG", transparency=bytes(range(64))),
    "grey jpeg": encode(GREY, "JPEG", quality=95),
    "jpeg": encode(RGB, "JPEG", quality=95),
    "progressive jpeg": encode(RGB, "JPEG", quality=95, progressive=True),
    "cmyk jpeg": encode(RGB.convert("CMYK"), "JPEG", quality=95),
    "gif": encode(PALETTE, "GIF"),
    "gif with a transparent colour": encode(PALETTE, "GIF", transparency=5),
    "webp": encode(RGB, "WEBP", quality=95),
    "webp with alpha": encode(RGBA, "WEBP", lossless=True),
    "bmp": encode(RGB, "BMP"),
    "grey bmp": encode(GREY, "BMP"),
    "1-bit bmp": encode(BLACK_AND_WHITE, "BMP"),
    "palette bmp": encode(PALETTE, "BMP"),
}


@pytest.mark.parametrize("name", EVERY_MODE)
def test_it_looks_like_the_picture(name: str) -> None:
    data = EVERY_MODE[name]
    made = thumbnail(data, 128)
    assert not made.is_original
    shown = decode(made.body)
    assert made.mime_type == PIL.Image.MIME[str(shown.format)]
    assert shown.size == (128, 85)
    oracle = decode(data).convert("RGBA").resize((128, 85), PIL.Image.Resampling.BOX)
    expected = np.asarray(oracle).astype(np.int16)
    found = rgba(made.body)
    opacity = expected[..., 3:] / 255  # colours that cannot be seen may be anything
    assert np.abs((found - expected)[..., :3] * opacity).mean() < 4
    assert np.abs((found - expected)[..., 3]).mean() < 4


@pytest.mark.parametrize("picture", [RGB, PALETTE])
@pytest.mark.parametrize("format_name", ["JPEG", "PNG"])
@pytest.mark.parametrize("orientation", range(1, 9))
def test_a_turned_picture_is_turned_as_browsers_do_it(
    orientation: int, format_name: str, picture: PIL.Image.Image
) -> None:
    data = encode(
        picture.convert("RGB") if format_name == "JPEG" else picture,
        format_name,
        quality=95,
        exif=exif(orientation),
    )
    shown = PIL.ImageOps.exif_transpose(decode(data)).convert("RGBA")
    target = fitted(*shown.size, 128)
    made = thumbnail(data, 128)
    assert decode(made.body).size == target
    assert decode(made.body).getexif().get(0x0112, 1) == 1  # or browsers would turn it once more
    expected = np.asarray(shown.resize(target)).astype(np.int16)
    assert np.abs(rgba(made.body) - expected).mean() < 4


def test_sixteen_bits_do_not_wrap_around() -> None:
    ramp = np.linspace(0, 65_535, 512).astype(np.uint16)
    data = deep_png(np.tile(ramp, (512, 1))[..., np.newaxis])
    shown = rgba(thumbnail(data, 128).body)[64, :, 0]
    assert (np.diff(shown) >= -1).all()
    assert shown[0] <= 2
    assert shown[-1] >= 253


def test_sixteen_bits_of_colour() -> None:
    values = photo(HEIGHT, WIDTH).astype(np.uint16) * 257
    found = rgba(thumbnail(deep_png(values), 128).body)[..., :3]
    expected = np.asarray(RGB.resize((128, 85))).astype(np.int16)
    assert np.abs(found - expected).mean() < 4


@pytest.mark.parametrize("format_name", ["PNG", "JPEG", "GIF", "WEBP", "BMP"])
def test_a_small_picture_is_handed_on_as_it_is(format_name: str) -> None:
    data = encode(RGB.resize((96, 64)), format_name)
    made = thumbnail(data, 128)
    assert made.is_original
    assert made.body is data
    assert made.mime_type == PIL.Image.MIME[format_name]


def test_a_small_picture_in_a_large_file_is_made_anew_and_not_enlarged() -> None:
    data = encode(RGB.resize((96, 64)), "PNG") + bytes(1 << 20)
    made = thumbnail(data, 256)
    assert not made.is_original
    assert len(made.body) < 100_000
    assert decode(made.body).size == (96, 64)


@pytest.mark.parametrize("format_name", ["GIF", "WEBP", "PNG"])
def test_of_an_animation_the_first_frame_is_taken(format_name: str) -> None:
    frames = [photo(), 255 - photo()]
    data = animation(frames, format_name, [100, 100])
    made = thumbnail(data, 128)
    assert not made.is_original
    shown = decode(made.body)
    assert getattr(shown, "n_frames", 1) == 1
    first = np.asarray(decode(data).convert("RGB")).astype(np.int16)
    assert np.abs(rgba(made.body)[..., :3] - first).mean() < 3


def test_few_colours_stay_exact() -> None:
    mask = np.zeros((512, 512, 1), np.uint8)
    mask[:, 256:] = 255
    made = thumbnail(encode(image(mask), "PNG"), 128)
    assert made.mime_type == "image/png"
    shown = np.asarray(decode(made.body).convert("L"))
    assert (shown[:, :62] == 0).all()
    assert (shown[:, 66:] == 255).all()


def test_photographs_are_packed_well() -> None:
    noise = np.random.default_rng(1).normal(0, 6, (1000, 1000, 3))
    data = encode(image(np.clip(photo(1000, 1000) + noise, 0, 255).astype(np.uint8)), "PNG")
    made = thumbnail(data, 256)
    assert made.mime_type == "image/jpeg"
    assert len(made.body) < 30_000


def test_transparent_photographs_are_webp_where_pillow_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert thumbnail(encode(RGBA, "PNG"), 128).mime_type == "image/webp"
    monkeypatch.setattr(PIL.features, "check", lambda _name: False)
    assert thumbnail(encode(RGBA, "PNG"), 128).mime_type == "image/png"


def test_opacity_that_is_not_used_costs_nothing() -> None:
    """Figures of Matplotlib have it."""
    made = thumbnail(encode(RGB.convert("RGBA"), "PNG"), 128)
    assert made.mime_type == "image/jpeg"
    assert np.abs(rgba(made.body)[..., :3] - np.asarray(RGB.resize((128, 85)))).mean() < 4


@pytest.mark.parametrize(("width", "height"), [(5000, 1), (1, 5000), (3000, 7)])
def test_long_strips_keep_a_pixel(width: int, height: int) -> None:
    made = thumbnail(encode(PIL.Image.new("RGB", (width, height), "red"), "PNG"), 128)
    shown = decode(made.body)
    assert max(shown.size) == 128
    assert min(shown.size) == 1


def test_sizes_within_a_square() -> None:
    assert fitted(4000, 3000, 256) == (256, 192)
    assert fitted(3000, 4000, 256) == (192, 256)
    assert fitted(100, 50, 256) == (100, 50)
    assert fitted(256, 256, 256) == (256, 256)
    assert fitted(60_000, 2, 128) == (128, 1)


# ── grey ─────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("format_name", ["PNG", "JPEG", "BMP", "WEBP"])
@pytest.mark.parametrize("size", [128, 1024])
def test_what_is_grey_in_three_channels_is_known_as_grey(format_name: str, size: int) -> None:
    """As torch writes masks; a large one gets one channel, a small one stays as it is."""
    data = encode(GREY.convert("RGB"), format_name, **({"lossless": True} if format_name == "WEBP" else {}))
    made = thumbnail(data, size)
    assert made.is_grey
    if not made.is_original:
        assert decode(made.body[:]).mode == "L"


def test_one_spot_of_colour_is_colour() -> None:
    values = np.repeat(photo(100, 100, channels=1), 3, axis=2)
    assert thumbnail(encode(image(values), "PNG"), 128).is_grey
    values[50, 50, 2] ^= 1
    assert not thumbnail(encode(image(values), "PNG"), 128).is_grey
    assert not thumbnail(encode(RGB, "PNG"), 128).is_grey


def test_grey_keeps_its_opacity() -> None:
    made = thumbnail(encode(RGBA.convert("LA").convert("RGBA"), "PNG"), 128)
    assert made.is_grey
    assert decode(made.body[:]).mode == "LA"


def test_a_transparent_value_of_sixteen_bits_is_transparent() -> None:
    values = np.full((300, 300, 1), 40_000, np.uint16)
    values[:150] = 1_000
    plain = deep_png(values)
    data = plain[:33] + chunk(b"tRNS", struct.pack(">H", 1_000)) + plain[33:]
    assert header_of(data).channels == 2
    made = rgba(thumbnail(data, 128).body[:])
    assert made[:60, :, 3].max() == 0
    assert made[70:, :, 3].min() == 255
