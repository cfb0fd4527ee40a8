"""AVIF is handed on to browsers: facts from a few boxes, and nothing of it ever reaches Pillow."""

from __future__ import annotations

import PIL.Image
import PIL.ImageOps
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sightline.media.frames import frames_of
from sightline.media.pictures import facts_of
from sightline.media.pixels import exact_pixels
from sightline.media.thumbnails import thumbnail
from sightline.model.errors import MediaError
from tests.media.encoded import HAS_AVIF, decode, encode, exif, image, photo

pytestmark = pytest.mark.skipif(not HAS_AVIF, reason="Pillow has no AVIF here")

RGB = image(photo())


def avif(picture: PIL.Image.Image = RGB, **options: object) -> bytes:
    return encode(picture, "AVIF", speed=10, **options)


@pytest.mark.parametrize(("mode", "channels"), [("L", 1), ("RGB", 3), ("RGBA", 3)])
def test_facts_are_those_of_the_boxes(mode: str, channels: int) -> None:
    facts = facts_of(avif(RGB.convert(mode)))
    assert (facts.mime_type, facts.width, facts.height) == ("image/avif", 90, 60)
    assert (facts.bits, facts.channels, facts.frames) == (8, channels, 1)


@pytest.mark.parametrize("orientation", range(1, 9))
def test_a_turned_picture_has_the_size_that_is_shown(orientation: int) -> None:
    data = avif(exif=exif(orientation))
    facts = facts_of(data)
    assert (facts.width, facts.height) == PIL.ImageOps.exif_transpose(decode(data)).size


def test_ten_bits_are_told() -> None:
    data = bytearray(avif())
    data[data.index(b"av1C") + 6] |= 0x40
    assert facts_of(bytes(data)).bits == 10


def test_it_is_its_own_thumbnail_and_never_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    data = avif(image(photo(300, 450)))
    monkeypatch.setattr(PIL.Image, "open", None)
    made = thumbnail(data, 128)
    assert (made.body, made.mime_type, made.is_original) == (data, "image/avif", True)
    for way in (exact_pixels, frames_of):
        with pytest.raises(MediaError, match=r"Only browsers can show this \(image/avif\)"):
            way(data)


def test_one_that_claims_too_many_pixels_is_not_handed_on() -> None:
    data = avif().replace((90).to_bytes(4, "big") + (60).to_bytes(4, "big"), b"\0\0\xff\xff" * 2)
    with pytest.raises(MediaError, match="65,535 × 65,535 pixels"):
        thumbnail(data, 128)


@settings(max_examples=100, deadline=None)
@given(kept=st.integers(0, 400), rest=st.binary(max_size=40))
def test_damaged_ones_have_facts(kept: int, rest: bytes) -> None:
    facts = facts_of(avif()[: max(12, kept)] + rest)
    assert facts.width >= 0
