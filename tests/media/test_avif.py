"""AVIF: facts, thumbnails and values against Pillow; boxes and streams that lie."""

from __future__ import annotations

import struct

import numpy as np
import PIL.features
import PIL.Image
import PIL.ImageOps
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sightline.media.facts import facts_of
from sightline.media.frames import frames_of
from sightline.media.headers import av1
from sightline.media.headers import avif as avif_boxes
from sightline.media.headers.av1 import UnusualStreamError, stream_size
from sightline.media.headers.avif import essential_avif
from sightline.media.pictures import header_of
from sightline.media.pixels import exact_pixels
from sightline.media.thumbnails import thumbnail
from sightline.model.errors import MediaError
from tests.media.avif_grids import avif_grid
from tests.media.encoded import HAS_AVIF, animation, decode, encode, exif, image, photo, rgba

pytestmark = pytest.mark.skipif(not HAS_AVIF, reason="Pillow has no AVIF here")

RGB = image(photo())
LARGE = image(photo(300, 450))


def avif(picture: PIL.Image.Image = RGB, **options: object) -> bytes:
    return encode(picture, "AVIF", speed=10, **options)


@pytest.mark.parametrize(("mode", "channels"), [("L", 1), ("RGB", 3), ("RGBA", 4)])
def test_facts_and_exact_values(mode: str, channels: int) -> None:
    picture = RGB.convert(mode)
    if mode == "RGBA":
        picture.putalpha(image(photo(channels=1)))
    data = avif(picture)
    facts = facts_of(data)
    assert (facts.mime_type, facts.width, facts.height) == ("image/avif", 90, 60)
    assert (facts.bits, facts.channels, facts.frames) == (8, channels, 1)
    oracle = np.asarray(decode(data))
    found = exact_pixels(data)
    values = np.frombuffer(found.samples, np.uint8).reshape(found.height, found.width, found.channels)
    np.testing.assert_array_equal(values.squeeze(), oracle)


@pytest.mark.parametrize("orientation", range(1, 9))
def test_turned_and_mirrored(orientation: int) -> None:
    data = avif(LARGE, quality=95, exif=exif(orientation))
    shown = PIL.ImageOps.exif_transpose(decode(data))
    header = header_of(data)
    assert (header.width, header.height, header.orientation) == (*shown.size, orientation)
    found = exact_pixels(data)
    np.testing.assert_array_equal(
        np.frombuffer(found.samples, np.uint8).reshape(found.height, found.width, 3), np.asarray(shown)
    )
    made = thumbnail(data, 128)
    small = shown.resize(decode(made.body).size, PIL.Image.Resampling.BOX)
    assert np.abs(rgba(made.body)[..., :3] - np.asarray(small)).mean() < 4


def test_a_small_one_is_handed_on_as_it_is() -> None:
    data = avif()
    made = thumbnail(data, 128)
    assert (made.body, made.mime_type, made.is_original) == (data, "image/avif", True)


def test_of_an_animation_the_first_frame() -> None:
    data = animation([photo(), 255 - photo(), photo()], "AVIF", [100, 200, 300])
    assert data[8:12] == b"avis"
    facts = facts_of(data)
    assert (facts.frames, facts.duration_s) == (3, pytest.approx(0.6, abs=0.01))
    made = thumbnail(data, 128)
    assert not made.is_original
    assert np.abs(rgba(made.body)[..., :3] - photo()).mean() < 4
    with pytest.raises(MediaError, match="can be played as it is"):
        frames_of(data)


def test_a_still_has_one_frame() -> None:
    data = avif()
    (picture,) = frames_of(data).pictures
    np.testing.assert_array_equal(np.asarray(decode(picture)), np.asarray(decode(data)))


def test_ten_bits_are_shown_and_have_no_exact_values() -> None:
    data = bytearray(avif())
    at = data.index(b"av1C") + 4
    data[at + 2] |= 0x40
    assert facts_of(bytes(data)).bits == 10
    with pytest.raises(MediaError, match="8 bits, and this one has 10"):
        exact_pixels(bytes(data))


@pytest.mark.parametrize("is_old", [False, True])
def test_a_pillow_without_it_leaves_it_to_browsers(monkeypatch: pytest.MonkeyPatch, is_old: bool) -> None:
    data = avif(LARGE)
    monkeypatch.setattr(PIL.features, "check", lambda name: name != "avif")
    if is_old:  # before 11.3 nobody knew the name
        monkeypatch.delitem(PIL.features.modules, "avif")
    monkeypatch.setattr(PIL.Image, "open", None)
    facts = facts_of(data)
    assert (facts.width, facts.height) == (450, 300)
    for way in (lambda: thumbnail(data, 128), lambda: exact_pixels(data), lambda: frames_of(data)):
        with pytest.raises(MediaError, match=r"Only browsers can show this \(image/avif\).* 11\.3"):
            way()


# ── what lies ────────────────────────────────────────────────────────────────────────────────────────────


def claiming(data: bytes, width: int, height: int) -> bytes:
    changed = bytearray(data)
    struct.pack_into(">II", changed, data.index(b"ispe") + 8, width, height)
    return bytes(changed)


def test_a_bomb_is_refused_by_its_header(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PIL.Image, "open", None)
    with pytest.raises(MediaError, match=r"too large to be shown: 5,000 × 5,000 pixels"):
        thumbnail(claiming(avif(), 5_000, 5_000), 128)


@pytest.mark.parametrize("claimed", [(89, 60), (91, 60), (9, 6)])
def test_a_stream_of_another_size_than_its_box_is_not_decoded(
    monkeypatch: pytest.MonkeyPatch, claimed: tuple[int, int]
) -> None:
    monkeypatch.setattr(PIL.Image, "open", None)
    with pytest.raises(MediaError, match=r"claims [\d,]+ × [\d,]+ pixels, and holds 90 × 60"):
        thumbnail(claiming(avif(), *claimed), 128)


def test_opacity_of_another_size_is_not_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PIL.Image, "open", None)
    picture = RGB.copy()
    picture.putalpha(image(photo(channels=1)))
    with pytest.raises(MediaError, match="claims 10 × 10 pixels, and holds 90 × 60"):
        thumbnail(claiming(avif(picture), 10, 10), 128)


@pytest.mark.parametrize(
    ("name", "other", "sentence"),
    [
        (b"av01", b"iovl", "made of several others"),
        (b"irot", b"lsel", "in layers"),
        (b"irot", b"clap", "cut out of a larger one"),
    ],
)
def test_unusual_ones_are_for_browsers(
    monkeypatch: pytest.MonkeyPatch, name: bytes, other: bytes, sentence: str
) -> None:
    data = avif(exif=exif(8))
    infe = data.index(b"infe")
    place = data.index(name, infe)
    changed = data[:place] + other + data[place + 4 :]
    assert facts_of(changed).width in (60, 90)
    monkeypatch.setattr(PIL.Image, "open", None)
    with pytest.raises(MediaError, match=f"Only browsers can show .*{sentence}"):
        thumbnail(changed, 128)


@pytest.mark.parametrize("share", [0.1, 0.3, 0.6, 0.9, 0.99])
def test_what_is_cut_off_gets_a_sentence(share: float) -> None:
    data = avif()
    with pytest.raises(MediaError, match=r"cut off|damaged"):
        thumbnail(data[: int(share * len(data))], 128)


def test_parts_without_number_are_not_walked_to_their_end() -> None:
    """65,535 pieces of no bytes each, for as many parts as there is room for."""
    data = avif()
    at = data.index(b"iloc") - 4
    (length,) = struct.unpack_from(">I", data, at)
    places = b"".join(struct.pack(">HHH", number % 7, 0, 65_535) for number in range(20_000))
    box = b"iloc\0\0\0\0\0\0" + struct.pack(">H", 20_000) + places
    grown = struct.pack(">I", len(box) + 4) + box
    changed = bytearray(data[:at] + grown + data[at + length :])
    meta = data.index(b"meta") - 4
    struct.pack_into(">I", changed, meta, struct.unpack_from(">I", data, meta)[0] + len(grown) - length)
    with pytest.raises(MediaError, match="cut off"):
        facts_of(bytes(changed))


# ── streams ──────────────────────────────────────────────────────────────────────────────────────────────


def bits(*fields: tuple[int, int]) -> bytes:
    """Values and their widths, filled up with zeros."""
    text = "".join(format(value, f"0{width}b") for value, width in fields if width)
    text += "0" * (-len(text) % 8 + 64)
    return int(text, 2).to_bytes(len(text) // 8, "big")


def unit(kind: int, content: bytes) -> bytes:
    return bytes((kind << 3 | 2, len(content))) + content


def sequence(*, has_times: int = 0, points: int = 0, has_ids: int = 0) -> bytes:
    """300 × 200, with all that a film's may say."""
    return unit(1, bits(
        (0, 3), (0, 1), (0, 1), (has_times, 1), (0, 1), (points, 5), (0, 12), (0, 5), (15, 4), (9, 4),
        (299, 16), (199, 10), (has_ids, 1), *(((2, 4), (1, 3)) if has_ids else ()),
        (0, 3), (0, 4), (1, 1), (0, 2), (1, 1), (1, 1),
    ))  # fmt: skip


def frame(
    *, again: int = 0, kind: int = 0, has_own_size: int = 0, id_bits: int = 0, has_tools: int = 1
) -> bytes:
    return unit(6, bits(
        (again, 1), (kind, 2), (1, 1), (0, 1), (has_tools, 1), *(((0, 1),) if has_tools else ()),
        (0, id_bits), (has_own_size, 1),
    ))  # fmt: skip


@pytest.mark.parametrize("has_tools", [0, 1])
@pytest.mark.parametrize(("has_ids", "id_bits"), [(0, 0), (1, 6)])
def test_the_size_of_a_stream(has_ids: int, id_bits: int, has_tools: int) -> None:
    good = sequence(has_ids=has_ids)
    assert stream_size(good + frame(id_bits=id_bits, has_tools=has_tools)) == (300, 200)
    with pytest.raises(UnusualStreamError, match="several sizes"):
        stream_size(good + frame(id_bits=id_bits, has_own_size=1, has_tools=has_tools))


@pytest.mark.parametrize(
    ("stream", "sentence"),
    [
        (sequence(has_times=1) + frame(), "times of its own"),
        (sequence(points=1) + frame(), "layers"),
        (sequence() + frame(again=1), "several frames"),
        (sequence() + frame(kind=1), "several frames"),
        (sequence() + frame() + frame(), "several frames"),
        (frame() + sequence(), "several frames"),
        (sequence() + sequence() + frame(), "several sequences"),
        (sequence() + unit(8, b"list of tiles"), "unknown form"),
        (sequence() + unit(15, b"") * av1._MAX_UNITS + frame(), "too many units"),
    ],
)
def test_unusual_streams(stream: bytes, sentence: str) -> None:
    with pytest.raises(UnusualStreamError, match=sentence):
        stream_size(stream)


@pytest.mark.parametrize("stream", [b"", sequence(), sequence()[:5] + frame()])
def test_streams_that_are_cut_off(stream: bytes) -> None:
    with pytest.raises((IndexError, UnusualStreamError)):
        stream_size(stream)


@settings(max_examples=200, deadline=None)
@given(stream=st.binary(max_size=200))
def test_random_streams(stream: bytes) -> None:
    try:
        width, height = stream_size(b"\x0a\x0b" + stream)
    except (IndexError, UnusualStreamError):
        return
    assert 1 <= width <= 65_536
    assert 1 <= height <= 65_536


def test_the_animation_is_taken_out() -> None:
    data = animation([photo(), 255 - photo()], "AVIF", [100, 100])
    still = essential_avif(data)
    assert len(still) == len(data)
    assert decode(still).n_frames == 1
    assert decode(data).n_frames == 2


GRID = avif_grid(RGB, 64) if HAS_AVIF else b""

# ── made of tiles ────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("mode", "channels"), [("L", 1), ("RGB", 3)])
def test_a_picture_made_of_tiles(mode: str, channels: int) -> None:
    """The last tiles of rows and columns reach beyond it."""
    picture = LARGE.convert(mode)
    data = avif_grid(picture, 128, quality=95)
    facts = facts_of(data)
    assert (facts.width, facts.height, facts.bits, facts.channels) == (450, 300, 8, channels)
    made = thumbnail(data, 128)
    small = picture.convert("RGB").resize(decode(made.body).size, PIL.Image.Resampling.BOX)
    assert np.abs(rgba(made.body)[..., :3] - np.asarray(small)).mean() < 4
    found = exact_pixels(data)
    values = np.frombuffer(found.samples, np.uint8).reshape(found.height, found.width, found.channels)
    np.testing.assert_array_equal(values.squeeze(), np.asarray(decode(data)))


def test_tiles_that_lie_are_not_decoded() -> None:
    data = avif_grid(LARGE, 128)
    grid = struct.pack(">HH", 450, 300)
    ispe = struct.pack(">II", 450, 300)
    assert (data.count(grid), data.count(ispe)) == (1, 1)
    for lie in (
        data.replace(grid, struct.pack(">HH", 60_000, 60_000)),
        data.replace(ispe, struct.pack(">II", 451, 300)),
    ):
        with pytest.raises(MediaError):
            thumbnail(lie, 128)
    tile = struct.pack(">II", 128, 128)
    with pytest.raises(MediaError, match="claims 64 × 64 pixels, and holds 128 × 128"):
        thumbnail(data.replace(tile, struct.pack(">II", 64, 64)), 128)


def test_more_pixels_in_tiles_than_the_picture_can_need(monkeypatch: pytest.MonkeyPatch) -> None:
    data = avif_grid(LARGE, 128)
    monkeypatch.setattr(avif_boxes, "MAX_TILED_PIXELS", 100_000)
    with pytest.raises(MediaError, match="made of 196,608 pixels in tiles"):
        thumbnail(data, 128)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.floats(0, 1), st.integers(0, 255)), min_size=1, max_size=4))
def test_damaged_tiles_are_a_sentence_or_a_picture(changes: list[tuple[float, int]]) -> None:
    damaged = bytearray(GRID)
    for place, byte in changes:
        damaged[min(int(place**3 * len(GRID)), len(GRID) - 1)] = byte
    side, sentence = 0, "a picture"
    try:
        side = max(decode(thumbnail(bytes(damaged), 128).body).size)
    except MediaError as error:
        sentence = str(error)
    assert side <= 128
    assert len(sentence) > 8


def test_an_animation_is_silenced_by_the_place_of_its_name_and_not_by_its_letters() -> None:
    """A length of 64 bits that spells the name once more."""
    begin = avif()
    data = begin + struct.pack(">I4s4s4s", 1, b"moov", bytes(4), b"moov")
    assert essential_avif(data) == begin + struct.pack(">I4s4s4s", 1, b"free", bytes(4), b"moov")
