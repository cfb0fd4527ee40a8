"""Frames of animations, against Pillow's composition of the same files."""

from __future__ import annotations

import numpy as np
import PIL.Image
import PIL.ImageSequence
import pytest

from sightline.media import frames
from sightline.media.frames import frames_of
from sightline.model.errors import MediaError
from tests.media.encoded import animation, decode, encode, image, photo, rgba

FOUR = [photo(), 255 - photo(), photo() // 2, photo()[::-1].copy()]


@pytest.mark.parametrize("format_name", ["GIF", "WEBP", "PNG"])
def test_every_frame_is_a_whole_picture(format_name: str) -> None:
    data = animation(FOUR, format_name, [40, 50, 60, 70])
    found = frames_of(data)
    assert (found.width, found.height, found.is_cut) == (90, 60, False)
    assert found.delays_ms == (40, 50, 60, 70)
    expected = [np.asarray(frame.convert("RGBA")) for frame in PIL.ImageSequence.Iterator(decode(data))]
    for picture, frame in zip(found.pictures, expected, strict=True):
        np.testing.assert_array_equal(rgba(picture), frame)


def test_frames_that_change_a_corner_show_the_rest_of_those_before() -> None:
    first = photo()
    second = first.copy()
    second[:10, :10] = 0
    found = frames_of(animation([first, second], "PNG", [100, 100]))
    np.testing.assert_array_equal(rgba(found.pictures[1])[..., :3], second)


def test_the_still_in_front_of_an_animated_png_is_not_one_of_its_frames() -> None:
    data = animation(FOUR, "PNG", [40, 50, 60], default_image=True)
    found = frames_of(data)
    assert found.delays_ms == (40, 50, 60)
    for picture, frame in zip(found.pictures, FOUR[1:], strict=True):
        np.testing.assert_array_equal(rgba(picture)[..., :3], frame)


@pytest.mark.parametrize("format_name", ["PNG", "JPEG", "WEBP", "GIF", "BMP"])
def test_a_still_has_one_frame(format_name: str) -> None:
    found = frames_of(encode(image(photo()), format_name))
    assert len(found.pictures) == 1
    assert found.delays_ms == (0,)


def test_what_comes_before_the_damage_is_kept() -> None:
    data = animation(FOUR, "GIF", [40, 50, 60, 70])
    found = frames_of(data[: int(len(data) * 0.6)])
    assert 1 <= len(found.pictures) < 4
    assert len(found.delays_ms) == len(found.pictures)


def test_too_many_frames_are_refused_before_decoding(monkeypatch: pytest.MonkeyPatch) -> None:
    data = animation(FOUR, "GIF", [40, 50, 60, 70])
    monkeypatch.setattr(frames, "opened", None)
    monkeypatch.setattr(frames, "MAX_FRAMES", 3)
    with pytest.raises(MediaError, match="4 frames of 90 × 60 pixels"):
        frames_of(data)
    monkeypatch.setattr(frames, "MAX_FRAMES", 4)
    monkeypatch.setattr(frames, "MAX_FRAMES_PIXELS", 4 * 90 * 60 - 1)
    with pytest.raises(MediaError, match="too long to be taken apart"):
        frames_of(data)


def test_frames_that_do_not_pack_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "MAX_FRAMES_BYTES", 3_000)
    noise = np.random.default_rng(0).integers(0, 256, (4, 30, 30, 3), dtype=np.uint8)
    with pytest.raises(MediaError, match="3,000 bytes"):
        frames_of(animation(list(noise), "PNG", [100] * 4))
