"""Exact values of pixels, against the arrays that were encoded."""

from __future__ import annotations

import numpy as np
import PIL.Image
import PIL.ImageOps
import pytest
from numpy.typing import NDArray

from sightline.media import pixels
from sightline.media.pixels import Pixels, exact_pixels
from sightline.model.errors import MediaError
from tests.media.encoded import animation, decode, deep_png, encode, exif, image, photo, png


def values(found: Pixels) -> NDArray[np.generic]:
    kind = np.dtype("u1") if found.bits == 8 else np.dtype("<u2")
    return np.frombuffer(found.samples, kind).reshape(found.height, found.width, found.channels)


@pytest.mark.parametrize(
    ("format_name", "channels"),
    [("PNG", 1), ("PNG", 3), ("PNG", 4), ("WEBP", 1), ("WEBP", 3), ("WEBP", 4), ("BMP", 1), ("BMP", 3)],
)
def test_formats_without_loss(format_name: str, channels: int) -> None:
    sent = photo(channels=channels)
    options = {"lossless": True, "exact": True} if format_name == "WEBP" else {}
    found = exact_pixels(encode(image(sent), format_name, **options))
    assert found.bits == 8
    expected = np.repeat(sent, 3, axis=-1) if format_name == "WEBP" and channels == 1 else sent
    np.testing.assert_array_equal(values(found), expected)


def test_grey_with_opacity() -> None:
    picture = PIL.Image.merge("LA", [image(photo(channels=1)), image(255 - photo(channels=1))])
    found = exact_pixels(encode(picture, "PNG"))
    assert (found.channels, found.bits) == (2, 8)
    np.testing.assert_array_equal(values(found), np.asarray(picture))


@pytest.mark.parametrize("is_interlaced", [False, True])
@pytest.mark.parametrize("channels", [1, 2, 3, 4])
def test_sixteen_bits_are_exact(channels: int, is_interlaced: bool) -> None:
    sent = np.random.default_rng(channels).integers(0, 65_536, (13, 11, channels), dtype=np.uint16)
    found = exact_pixels(deep_png(sent, is_interlaced=is_interlaced))
    assert (found.width, found.height, found.channels, found.bits) == (11, 13, channels, 16)
    np.testing.assert_array_equal(values(found), sent)


@pytest.mark.parametrize("depth", [1, 2, 4])
def test_fewer_bits_are_spread_to_eight(depth: int) -> None:
    """Four grey pixels in one row: as browsers show them, white is 255."""
    levels = [0, 1, (1 << depth) - 2, (1 << depth) - 1]
    packed = sum(level << depth * (3 - place) for place, level in enumerate(levels)) << (8 - 4 * depth) % 8
    rows = b"\0" + packed.to_bytes((4 * depth + 7) // 8, "big")
    found = exact_pixels(png(width=4, height=1, rows=rows, depth=depth))
    assert (found.channels, found.bits) == (1, 8)
    expected = [round(255 * level / ((1 << depth) - 1)) for level in levels]
    assert values(found)[0, :, 0].tolist() == expected


def test_palettes_are_looked_up() -> None:
    palette = bytes([10, 20, 30, 200, 100, 50])
    data = png(width=2, height=1, rows=b"\0\0\1", color_type=3, more=[(b"PLTE", palette)])
    assert values(exact_pixels(data)).tolist() == [[[10, 20, 30], [200, 100, 50]]]
    transparent = png(
        width=2, height=1, rows=b"\0\0\1", color_type=3, more=[(b"PLTE", palette), (b"tRNS", b"\x80")]
    )
    assert values(exact_pixels(transparent)).tolist() == [[[10, 20, 30, 128], [200, 100, 50, 255]]]


@pytest.mark.parametrize("mode", ["L", "RGB", "CMYK"])
def test_jpeg_is_as_decoded(mode: str) -> None:
    data = encode(image(photo()).convert(mode), "JPEG")
    oracle = decode(data)
    expected = np.asarray(oracle.convert("RGB") if mode == "CMYK" else oracle)
    np.testing.assert_array_equal(values(exact_pixels(data)).squeeze(), expected)


@pytest.mark.parametrize("format_name", ["JPEG", "PNG"])
@pytest.mark.parametrize("orientation", range(1, 9))
def test_a_turned_picture_is_turned(format_name: str, orientation: int) -> None:
    data = encode(image(photo()), format_name, exif=exif(orientation))
    np.testing.assert_array_equal(
        values(exact_pixels(data)), np.asarray(PIL.ImageOps.exif_transpose(decode(data)))
    )


@pytest.mark.parametrize("channels", [1, 3])
def test_sixteen_bits_are_turned(channels: int) -> None:
    sent = np.random.default_rng(channels).integers(0, 65_536, (3, 5, channels), dtype=np.uint16)
    found = exact_pixels(deep_png(sent, more=[(b"eXIf", exif(6).tobytes().removeprefix(b"Exif\0\0"))]))
    assert (found.width, found.height, found.bits) == (3, 5, 16)
    np.testing.assert_array_equal(values(found), np.rot90(sent, -1))


def test_of_an_animation_the_first_frame() -> None:
    data = animation([photo(), 255 - photo()], "PNG", [100, 100])
    np.testing.assert_array_equal(values(exact_pixels(data)), photo())


def test_more_pixels_than_the_limit_are_refused_before_decoding(monkeypatch: pytest.MonkeyPatch) -> None:
    data = encode(image(photo(40, 50)), "PNG")
    monkeypatch.setattr(pixels, "MAX_EXACT_PIXELS", 40 * 50 - 1)
    monkeypatch.setattr(pixels, "opened", None)  # calling it would be another error
    with pytest.raises(MediaError, match="50 × 40 pixels"):
        exact_pixels(data)
