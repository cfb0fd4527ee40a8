"""What encoded pictures say of themselves, by format: read from their headers, nothing is decoded.

The walks over chunks, blocks and segments end at a number of steps that no honest file reaches, so that time
is bounded by more than the size of the file. Damage behind what they look for is not their business.
"""

from __future__ import annotations

from collections.abc import Callable

from sightline.formats.picture_headers.avif import avif_header
from sightline.formats.picture_headers.bmp import bmp_header
from sightline.formats.picture_headers.gif import gif_header
from sightline.formats.picture_headers.header import PictureHeader
from sightline.formats.picture_headers.jpeg import jpeg_header
from sightline.formats.picture_headers.png import png_header
from sightline.formats.picture_headers.webp import webp_header
from sightline.formats.sniff import mime_type
from sightline.model.byte_source import ByteSource

_READERS: dict[str, Callable[[ByteSource], PictureHeader]] = {
    "image/png": png_header,
    "image/jpeg": jpeg_header,
    "image/gif": gif_header,
    "image/bmp": bmp_header,
    "image/webp": webp_header,
    "image/avif": avif_header,
}


def picture_header(data: ByteSource) -> PictureHeader | None:
    """None for what is no picture of a known format. Raises HeaderError for one whose header is damaged."""
    read = _READERS.get(mime_type(data))
    return None if read is None else read(data)
