"""Small pictures for grids: at most so many pixels to a side, never enlarged, as a browser would show them.

A picture that is small enough already is handed on as it is, once it was decoded without trouble: its pixels
are then exact, and a damaged one gets a sentence instead. AVIF is always handed on: only browsers decode it.
Of an animation the first frame is taken.
Sixteen bits become eight by dropping the lower ones, as browsers do it; colours become those of sRGB. What is
grey all over becomes a picture of one channel, also when it was stored with three: torch stores masks so.
"""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING

from sightline.formats.picture_headers.header import PictureHeader
from sightline.media.film_posters import check_may_have_poster, film_poster
from sightline.media.pictures import check_may_be_decoded, fitted, header_of, in_turn, opened
from sightline.media.profiles import ToStandardColors, profile_of
from sightline.media.types import FILM_TYPES, picture_type
from sightline.model.byte_source import ByteSource

if TYPE_CHECKING:
    from PIL.Image import Image

VERSION = 4
"""Of the way thumbnails are made: kept ones of another version are not used."""

ORIGINAL_BYTES_PER_PIXEL = 2
"""A picture that fits is handed on when its file is no larger than this makes the largest thumbnail."""

_LEAST_ORIGINAL_BYTES = 64 << 10
_FEW_COLORS = 64
_FEW_PIXELS = 64 * 64
_WEBP_QUALITY, _WEBP_METHOD = 88, 2
_JPEG_QUALITY, _ALL_COLOR = 90, 0
_GREY_MODES = ("L", "LA")
_GAP = 2.0
"""Decoding and the first, coarse reduction leave at least this many times the pixels to a side."""


@dataclass(frozen=True)
class Picture:
    """An encoded picture that may be shown."""

    body: ByteSource
    mime_type: str
    is_original: bool
    """The bytes are those that were logged."""
    is_grey: bool = False
    """All its pixels are, however many channels it has."""


def check_may_be_made(data: ByteSource, facts: PictureHeader) -> None:
    """Raises MediaError for what is beyond the limits. Reads next to nothing: the facts are known."""
    if facts.mime_type in FILM_TYPES:
        check_may_have_poster(data)
    else:
        check_may_be_decoded(data, facts)


def thumbnail(data: ByteSource, size: int) -> Picture:
    """The picture, or first frame of a film, with at most ``size`` pixels to a side.

    Raises MediaError with a sentence for the picture's place.
    """
    if picture_type(data) in FILM_TYPES:
        poster = film_poster(data, size)
        return Picture(*_encoded(poster), is_original=False)
    header = header_of(data)
    if header.mime_type == "image/avif":
        check_may_be_decoded(data, header)
        return Picture(data, header.mime_type, is_original=True)
    target = fitted(header.width, header.height, size)
    is_small = target == (header.width, header.height)
    with in_turn(data, header) as content, opened(content, header) as picture:
        if is_small and header.frames == 1 and len(data) <= _most_original_bytes(size):
            is_grey = _is_grey(with_plain_channels(picture))
            return Picture(data, header.mime_type, is_original=True, is_grey=is_grey)
        to_standard = ToStandardColors(profile_of(content, header, picture))
        small = _reduced(picture, header, target, to_standard)
        return Picture(*_encoded(small), is_original=False, is_grey=small.mode in _GREY_MODES)


def _most_original_bytes(size: int) -> int:
    return max(_LEAST_ORIGINAL_BYTES, ORIGINAL_BYTES_PER_PIXEL * size * size)


# ── pixels ───────────────────────────────────────────────────────────────────────────────────────────────


def _reduced(
    picture: Image, header: PictureHeader, target: tuple[int, int], to_standard: ToStandardColors
) -> Image:
    import PIL.Image

    # The stored picture lies on its side when the orientation turns it.
    stored = (target[1], target[0]) if header.orientation >= 5 else target
    # Only JPEG knows drafts: it decodes to an eighth, a quarter or a half at once.
    picture.draft(None, (round(stored[0] * _GAP), round(stored[1] * _GAP)))
    small = _without_idle_opacity(with_plain_channels(picture))
    if small.size != stored:
        small = small.resize(stored, PIL.Image.Resampling.BICUBIC, reducing_gap=_GAP)
    small = to_standard(small)
    if small.mode not in ("L", "RGB", "RGBA"):
        small = small.convert("RGBA" if small.mode == "LA" else "RGB")
    return turned(_with_least_channels(small), header.orientation)


def with_plain_channels(picture: Image) -> Image:
    """Decodes. Palettes, single bits, 16 bits and transparent colours become channels of 8 bits."""
    picture.load()
    if picture.mode.startswith("I"):
        return _eight_bits(picture)
    if picture.has_transparency_data and picture.mode not in ("LA", "RGBA"):
        return picture.convert("RGBA")
    if picture.mode in ("L", "LA", "RGB", "RGBA", "CMYK"):
        return picture
    return picture.convert("L" if picture.mode == "1" else "RGB")


def _without_idle_opacity(picture: Image) -> Image:
    """Matplotlib saves opacity with every figure, and hardly ever uses it."""
    if picture.mode == "RGBA" and picture.getchannel("A").getextrema() == (255, 255):
        return picture.convert("RGB")
    return picture


def _eight_bits(picture: Image) -> Image:
    import numpy as np
    import PIL.Image

    # Pillow before 11 takes 32 bits for them, and cuts off at 255 what should be divided.
    values = np.asarray(picture)
    grey = PIL.Image.fromarray((values >> 8).astype(np.uint8))
    transparent = picture.info.get("transparency")
    if not isinstance(transparent, int):
        return grey
    opacity = PIL.Image.fromarray(np.where(values == transparent, 0, 255).astype(np.uint8))
    return PIL.Image.merge("LA", (grey, opacity))


def _is_grey(picture: Image) -> bool:
    """``picture``: with plain channels."""
    import numpy as np

    if picture.mode in _GREY_MODES:
        return True
    if picture.mode not in ("RGB", "RGBA"):
        return False
    values = np.asarray(picture)
    red = values[..., 0]
    return bool((red == values[..., 1]).all() and (red == values[..., 2]).all())


def _with_least_channels(picture: Image) -> Image:
    """Grey with one, if it is grey all over."""
    import PIL.Image

    if picture.mode == "L" or not _is_grey(picture):
        return picture
    red = picture.getchannel("R")
    return PIL.Image.merge("LA", (red, picture.getchannel("A"))) if picture.mode == "RGBA" else red


def turned(picture: Image, orientation: int) -> Image:
    """As EXIF says that it should be shown."""
    import PIL.Image

    ways = PIL.Image.Transpose
    way = {
        2: ways.FLIP_LEFT_RIGHT,
        3: ways.ROTATE_180,
        4: ways.FLIP_TOP_BOTTOM,
        5: ways.TRANSPOSE,
        6: ways.ROTATE_270,
        7: ways.TRANSVERSE,
        8: ways.ROTATE_90,
    }.get(orientation)
    return picture if way is None else picture.transpose(way)


# ── encoding ─────────────────────────────────────────────────────────────────────────────────────────────


def _encoded(picture: Image) -> tuple[bytes, str]:
    """Exact where that is small: drawings, masks, tiny ones. Photographs are not: they become JPEG, which
    takes a tenth of WebP's time and half as many bytes more, or WebP where there is opacity. WebP does not
    tell grey from colour: grey with opacity stays exact."""
    from PIL import features

    out = BytesIO()
    has_alpha = picture.mode in ("LA", "RGBA")
    is_exact = (
        picture.mode == "LA"
        or picture.width * picture.height <= _FEW_PIXELS
        or picture.getcolors(_FEW_COLORS) is not None
    )
    if not is_exact and not has_alpha:
        # All of the colour: thin lines of plots would lose theirs.
        picture.save(out, "JPEG", quality=_JPEG_QUALITY, subsampling=_ALL_COLOR)
        return out.getvalue(), "image/jpeg"
    if not is_exact and features.check("webp"):
        picture.save(out, "WEBP", quality=_WEBP_QUALITY, method=_WEBP_METHOD)
        return out.getvalue(), "image/webp"
    # Pillow would add what the file had besides pixels.
    picture.save(out, "PNG", icc_profile=None, exif=b"")
    return out.getvalue(), "image/png"
