"""Pictures with colour profiles: thumbnails in sRGB, against NumPy; profiles that lie or break."""

from __future__ import annotations

import struct
import tracemalloc
import zlib

import numpy as np
import PIL.features
import PIL.Image
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from sightline.formats.picture_headers.png import MAX_PROFILE_BYTES, png_profile
from sightline.media.frames import frames_of
from sightline.media.pixels import exact_pixels
from sightline.media.profiles import ToStandardColors
from sightline.media.thumbnails import thumbnail
from tests.media.color_profiles import (
    ADOBE_RGB,
    DISPLAY_P3,
    grey_in_srgb,
    grey_profile,
    in_srgb,
    printing_profile,
    rgb_profile,
)
from tests.media.encoded import animation, decode, encode, image, photo, png

CORNERS = np.uint8([[[200, 60, 60], [60, 200, 60]], [[80, 60, 200], [200, 200, 50]]])
FLAT = CORNERS.repeat(200, axis=0).repeat(200, axis=1)
"""Four colours, large enough that the thumbnail of it is made anew."""


def corners(body: bytes, channels: str = "RGB") -> NDArray[np.int16]:
    """Of the four quarters."""
    shown = np.asarray(decode(body).convert(channels)).astype(np.int16)
    quarter = shown.shape[0] // 4
    return shown[quarter :: 2 * quarter, quarter :: 2 * quarter][:2, :2]


def exactly(format_name: str) -> dict[str, object]:
    return {
        "PNG": {},
        "JPEG": {"quality": 100, "subsampling": 0},
        "WEBP": {"lossless": True},
    }[format_name]


@pytest.mark.parametrize("format_name", ["PNG", "JPEG", "WEBP"])
@pytest.mark.parametrize(("columns", "gamma"), [(DISPLAY_P3, 2.2), (ADOBE_RGB, 2.2), (DISPLAY_P3, 1.0)])
def test_colours_become_those_of_srgb(format_name: str, columns: NDArray[np.float64], gamma: float) -> None:
    data = encode(image(FLAT), format_name, icc_profile=rgb_profile(columns, gamma), **exactly(format_name))
    made = thumbnail(data, 128)
    assert not made.is_original
    assert np.abs(corners(made.body) - in_srgb(CORNERS, columns, gamma)).max() <= 4
    assert "icc_profile" not in decode(made.body).info  # or browsers would convert them once more
    # As it is stored, for whoever wants to know what a model was given.
    stored = np.frombuffer(exact_pixels(data).samples, np.uint8).reshape(FLAT.shape)
    assert np.abs(stored.astype(int) - FLAT).max() <= 3


def test_opacity_stays() -> None:
    opaque = np.dstack([FLAT, np.full(FLAT.shape[:2], 255, np.uint8)])
    opaque[:200, :200, 3] = 100
    made = thumbnail(encode(image(opaque), "PNG", icc_profile=rgb_profile()), 128)
    found = corners(made.body, "RGBA")
    assert np.abs(found[..., 3] - [[100, 255], [255, 255]]).max() <= 1
    assert np.abs(found[..., :3] - in_srgb(CORNERS, DISPLAY_P3, 2.2)).max() <= 4


@pytest.mark.parametrize("mode", ["L", "LA"])
def test_grey_stays_grey(mode: str) -> None:
    data = encode(image(FLAT[..., 1:2]).convert(mode), "PNG", icc_profile=grey_profile(1.0))
    expected = grey_in_srgb(CORNERS[..., 1], 1.0)
    assert np.abs(corners(thumbnail(data, 128).body, "L") - expected).max() <= 2


def test_inks_are_those_of_the_profile() -> None:
    inks = image(FLAT).convert("CMYK")
    data = encode(inks, "JPEG", quality=100, icc_profile=printing_profile())
    found = corners(thumbnail(data, 128).body)
    amounts = np.asarray(inks).astype(float)[[100, 300]][:, [100, 300]] / 255
    lightness = 100 * (1 - amounts[..., 3]) * (1 - amounts[..., :3].mean(axis=-1))
    light = np.where(lightness > 8, ((lightness + 16) / 116) ** 3, lightness / 903.3)
    expected = (1.055 * light ** (1 / 2.4) - 0.055) * 255
    assert np.abs(found - expected[..., np.newaxis]).max() <= 4


def test_frames_of_an_animation() -> None:
    data = animation([FLAT, 255 - FLAT], "PNG", [100, 100], icc_profile=rgb_profile())
    first, second = frames_of(data).pictures
    assert np.abs(corners(first) - in_srgb(CORNERS, DISPLAY_P3, 2.2)).max() <= 2
    assert np.abs(corners(second) - in_srgb(255 - CORNERS, DISPLAY_P3, 2.2)).max() <= 2
    assert "icc_profile" not in decode(first).info


def test_a_small_picture_goes_with_its_profile() -> None:
    data = encode(image(photo()), "PNG", icc_profile=rgb_profile())
    assert thumbnail(data, 128).body == data


# ── no use can be made of it: the picture is shown as without one ────────────────────────────────────────


def assert_as_without(profile: bytes, format_name: str = "JPEG") -> None:
    data = encode(image(FLAT), format_name, icc_profile=profile, **exactly(format_name))
    made = thumbnail(data, 128)
    assert np.abs(corners(made.body) - CORNERS).max() <= 3
    assert "icc_profile" not in decode(made.body).info


@pytest.mark.parametrize("format_name", ["PNG", "JPEG", "WEBP"])
@pytest.mark.parametrize(
    "profile",
    [
        rgb_profile()[:100],
        rgb_profile()[:140],
        rgb_profile()[:128] + struct.pack(">I", 2**32 - 1) + rgb_profile()[132:],
        grey_profile(1.0),
        printing_profile(),
        b"\0" * 500,
        rgb_profile().ljust(MAX_PROFILE_BYTES + 1, b"\0"),
    ],
    ids=["its header", "one tag", "tags without number", "of grey", "of inks", "zeros", "too long"],
)
def test_profiles_that_cannot_be_meant(profile: bytes, format_name: str) -> None:
    assert_as_without(profile, format_name)


def test_a_pillow_without_little_cms(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PIL.features, "check", lambda name: name != "littlecms2")
    assert_as_without(rgb_profile())


def test_a_profile_that_unpacks_to_a_bomb_is_not_unpacked() -> None:
    bomb = (b"iCCP", b"x\0\0" + zlib.compress(rgb_profile() + bytes(200 << 20), 9))
    data = png(width=1, height=1, rows=b"\0\0\0\0", color_type=2, more=[bomb])
    tracemalloc.start()
    try:
        assert png_profile(data) == b""
        _, most_bytes = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most_bytes < 4 * MAX_PROFILE_BYTES


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"name",
        b"name\0",
        b"name\0\1abc",
        b"name\0\0abc",
        b"n" * 80 + b"\0\0" + zlib.compress(b"x" * 200),
    ],
)
def test_a_profile_of_a_png_that_is_damaged(content: bytes) -> None:
    assert png_profile(png(width=1, height=1, rows=b"\0\0", more=[(b"iCCP", content)])) == b""


def test_a_profile_of_a_png_is_unpacked() -> None:
    assert png_profile(encode(image(FLAT), "PNG", icc_profile=rgb_profile())) == rgb_profile()


@settings(max_examples=300, deadline=None)
@given(
    seed=st.sampled_from([rgb_profile(), grey_profile(2.2), printing_profile()]),
    changes=st.lists(
        st.tuples(st.floats(0, 1, exclude_max=True), st.binary(min_size=1, max_size=8)), max_size=6
    ),
    kept=st.floats(0, 1),
    mode=st.sampled_from(["L", "LA", "RGB", "RGBA", "CMYK", "P"]),
)
@example(seed=printing_profile(), changes=[(0.3, b"\xff" * 8)], kept=1.0, mode="CMYK")
def test_changed_profiles(seed: bytes, changes: list[tuple[float, bytes]], kept: float, mode: str) -> None:
    profile = bytearray(seed)
    for place, piece in changes:
        at = int(place * len(profile))
        profile[at : at + len(piece)] = piece
    picture = image(photo(6, 8)).convert(mode)
    converted = ToStandardColors(bytes(profile[: int(kept * len(profile)) + 1]))(picture)
    assert converted.size == picture.size
    assert converted.mode == mode or (mode, converted.mode) == ("CMYK", "RGB")


@settings(max_examples=200, deadline=None)
@given(rest=st.binary(max_size=600), space=st.sampled_from([b"RGB ", b"GRAY", b"CMYK"]))
def test_random_bytes(rest: bytes, space: bytes) -> None:
    profile = (
        struct.pack(">I", 128 + len(rest)) + b"lcms\x04\x30\0\0mntr" + space + b"XYZ " + bytes(12) + b"acsp"
    )
    picture = image(photo(6, 8)).convert({b"RGB ": "RGB", b"GRAY": "L", b"CMYK": "CMYK"}[space])
    assert ToStandardColors(profile.ljust(128, b"\0") + rest)(picture).size == picture.size
