"""Exact values of all pixels: 8 or 16 bits for each channel, as they are stored.

Pillow keeps 16 bits only where there is one channel; of colours it drops the lower eight. Those are had by
decoding a second time, with the bytes of each number taken the other way round.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sightline.formats.picture_headers.header import PictureHeader
from sightline.media.pictures import header_of, in_turn, opened
from sightline.media.thumbnails import with_plain_channels
from sightline.model.byte_source import ByteSource

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAX_EXACT_PIXELS = 16 << 20
"""4,096 × 4,096: at most 128 MB in one answer."""


@dataclass(frozen=True)
class Pixels:
    """By row; the channels of one pixel lie side by side, 16 bits with the lower byte first."""

    width: int
    height: int
    channels: int
    """1: grey. 2: with opacity. 3: colour. 4: with opacity."""
    bits: int
    """8 or 16. Fewer are spread to 8, palettes are looked up."""
    samples: bytes


def exact_pixels(data: ByteSource) -> Pixels:
    """Of a picture, or of the first frame of an animation. Raises MediaError."""
    header = header_of(data)
    with in_turn(data, header, max_pixels=MAX_EXACT_PIXELS) as content:
        values = _deep_values(content, header) if header.bits > 8 else _plain_values(content, header)
        values = _turned(values, header.orientation)
        height, width, channels = values.shape
        little_endian = values.astype(values.dtype.newbyteorder("<"), copy=False)
        return Pixels(width, height, channels, 8 * values.dtype.itemsize, little_endian.tobytes())


def _plain_values(data: bytes, header: PictureHeader) -> NDArray[Any]:
    import numpy as np

    with opened(data, header) as picture:
        plain = with_plain_channels(picture)
        if plain.mode == "CMYK":
            plain = plain.convert("RGB")
        values = np.asarray(plain)
        return values[..., np.newaxis] if values.ndim == 2 else values


def _deep_values(data: bytes, header: PictureHeader) -> NDArray[Any]:
    """Of PNG, the one format with 16 bits here: a JPEG of 12 is refused by Pillow."""
    import numpy as np

    with opened(data, header) as picture:
        if picture.mode.startswith("I"):
            return np.asarray(picture).astype(np.uint16)[..., np.newaxis]
        raw_mode = picture.tile[0][3] if picture.tile else ""
    if raw_mode == "LA;16B":
        # Two numbers of 16 bits are as long as four of 8, and filtered alike.
        return np.ascontiguousarray(_decoded_as(data, header, "RGBA")).view(">u2")
    upper = _decoded_as(data, header, raw_mode)
    lower = _decoded_as(data, header, str(raw_mode).replace(";16B", ";16L"))
    return upper.astype(np.uint16) << 8 | lower


def _turned(values: NDArray[Any], orientation: int) -> NDArray[Any]:
    """As EXIF says that it should be shown."""
    if orientation >= 5:
        values = values.swapaxes(0, 1)
    is_upside_down, is_mirrored = orientation in (3, 4, 7, 8), orientation in (2, 3, 6, 7)
    return values[:: -1 if is_upside_down else 1, :: -1 if is_mirrored else 1]


def _decoded_as(data: bytes, header: PictureHeader, raw_mode: object) -> NDArray[np.uint8]:
    import numpy as np

    with opened(data, header) as picture:
        first: Any = picture.tile[0]
        replaced: Any = (*first[:3], raw_mode)
        picture.tile = [first._make(replaced) if hasattr(first, "_make") else replaced]
        return np.asarray(picture)
