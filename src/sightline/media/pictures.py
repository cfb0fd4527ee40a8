"""Encoded pictures: what they are, and whether they may be decoded.

    source ─▶ header_of ─▶ check_may_be_decoded ─▶ in_turn ─▶ opened ─▶ thumbnails, pixels, frames
              (no decoding)    (limits)            (in memory)  (Pillow, one format, inside one guard)

Pillow is asked only for the format that the first bytes name, so none of its other readers ever sees a byte,
and only after the header passed the limits; not even the encoded bytes are in memory before that. Whatever it
raises becomes a MediaError.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import TYPE_CHECKING

from sightline.media.cut_pictures import is_cut_off
from sightline.media.decoding import decoding
from sightline.media.headers.avif import avif_header, essential_avif
from sightline.media.headers.bmp import bmp_header, has_run_lengths
from sightline.media.headers.gif import gif_header
from sightline.media.headers.header import Dimensions, HeaderError, PictureHeader
from sightline.media.headers.jpeg import jpeg_header, scan_count
from sightline.media.headers.png import essential_png, png_header
from sightline.media.headers.webp import webp_header
from sightline.media.types import picture_type
from sightline.model.byte_source import ByteSource
from sightline.model.errors import MediaError

if TYPE_CHECKING:
    from PIL.ImageFile import ImageFile

MAX_PIXELS = 64 << 20
"""8,192 × 8,192: Pillow takes 256 MB for it. Far beyond what training logs; a bomb has more."""

MAX_WEBP_PIXELS = 32 << 20
"""Its decoder holds several copies of the canvas: 500 MB for this."""

MAX_AVIF_PIXELS = 16 << 20
"""4,096 × 4,096: its decoder takes seconds for it, and a file of two kilobytes can hold them."""

MAX_RUN_LENGTH_PIXELS = 1 << 20
"""Of a compressed BMP, which Pillow unpacks in Python, a pixel at a time. Nobody logs these."""

MAX_ENCODED_BYTES = 256 << 20
MAX_HEADER_BYTES = 128 << 10
"""In which nearly every picture says its size: a preview of 64 kB may come first."""

MAX_SIDE_PX = 1 << 16
"""No browser shows a picture that is wider."""

MAX_SCANS = 100
MAX_SCANNED_PIXELS = 20 * MAX_PIXELS
"""A progressive JPEG has about ten scans, each a pass over all pixels. Hostile ones have thousands."""

_HEADER_OF_TYPE: dict[str, Callable[[ByteSource], PictureHeader]] = {
    "image/png": png_header,
    "image/jpeg": jpeg_header,
    "image/gif": gif_header,
    "image/bmp": bmp_header,
    "image/webp": webp_header,
    "image/avif": avif_header,
}
_PILLOW_NAME_OF_TYPE = {
    "image/png": "PNG",
    "image/jpeg": "JPEG",
    "image/gif": "GIF",
    "image/bmp": "BMP",
    "image/webp": "WEBP",
    "image/avif": "AVIF",
}


class PassingError(MediaError):
    """Says nothing about the picture: it may be shown another time."""


def header_of(data: ByteSource) -> PictureHeader:
    """Raises MediaError for anything that is not a picture of a format that we decode."""
    found = picture_type(data)
    read = _HEADER_OF_TYPE.get(found)
    if read is None:
        raise not_a_picture(data)
    return read(data)


def shown_size_px(data: ByteSource) -> tuple[int, int]:
    """Width and height as a browser shows the picture, by its beginning alone: for a thousand at once. (0, 0)
    when that does not tell."""
    try:
        header = header_of(data[:MAX_HEADER_BYTES])
    except MediaError:
        return 0, 0
    return header.width, header.height


def not_a_picture(data: ByteSource) -> MediaError:
    """The error for bytes that no header can be read from, with a guess at what they are."""
    found = picture_type(data)
    if found:
        return MediaError(f"Only browsers can show this ({found}); the server cannot decode it")
    if not len(data):
        return MediaError("The picture is empty: it has no bytes")
    begin = data[:256].lstrip(b"\xef\xbb\xbf\t\r\n\x0c ").lower()
    if begin.startswith((b"<svg", b"<?xml", b"<!doctype", b"<html", b"<script", b"<!--")):
        return MediaError(
            "This is a document (SVG, HTML or XML), not a picture of pixels. It is not shown, because "
            "documents can run scripts; it can be downloaded"
        )
    return MediaError(
        "The bytes are not a picture of a known format (PNG, JPEG, GIF, WebP, AVIF, BMP; "
        "MP4 and WebM for films)"
    )


def check_may_be_decoded(data: ByteSource, header: Dimensions, *, max_pixels: int = MAX_PIXELS) -> None:
    """Raises MediaError for what would take too much memory or time. Looks at headers only."""
    size = f"{header.width:,} × {header.height:,} pixels"
    if header.mime_type == "image/webp":
        max_pixels = min(max_pixels, MAX_WEBP_PIXELS)
    elif header.mime_type == "image/avif":
        max_pixels = min(max_pixels, MAX_AVIF_PIXELS)
    elif header.mime_type == "image/bmp" and has_run_lengths(data):
        max_pixels = min(max_pixels, MAX_RUN_LENGTH_PIXELS)
    if header.width * header.height > max_pixels:
        raise MediaError(f"The picture is too large to be shown: {size}, and {max_pixels:,} is the limit")
    if max(header.width, header.height) > MAX_SIDE_PX:
        raise MediaError(f"The picture is too long to be shown: {size}, {MAX_SIDE_PX:,} to a side at most")
    if len(data) > MAX_ENCODED_BYTES:
        raise MediaError(f"The picture is too large to be shown: {len(data):,} bytes")


@contextmanager
def in_turn(data: ByteSource, header: PictureHeader, *, max_pixels: int = MAX_PIXELS) -> Iterator[bytes]:
    """The bytes of a picture that may be decoded, in memory as long as it is its turn. Raises MediaError."""
    check_may_be_decoded(data, header, max_pixels=max_pixels)
    with decoding(header.pixels, len(data)):
        content = data[:]
        if not isinstance(data, bytes) and header_of(content) != header:
            raise PassingError("The picture was written to while it was read: ask again")
        _check_scans(content, header)
        yield content


def _check_scans(data: bytes, header: PictureHeader) -> None:
    if header.mime_type == "image/jpeg":
        scans = scan_count(data)
        if scans > MAX_SCANS or scans * header.pixels > MAX_SCANNED_PIXELS:
            raise MediaError(
                f"The picture would take too long to decode: it has {scans:,} scans of "
                f"{header.width:,} × {header.height:,} pixels"
            )


def fitted(width: int, height: int, size: int) -> tuple[int, int]:
    """The size within a square, with the same proportions; one pixel at least."""
    factor = min(1.0, size / max(width, height))
    return max(1, round(width * factor)), max(1, round(height * factor))


@contextmanager
def opened(data: bytes, header: PictureHeader, *, with_frames: bool = False) -> Iterator[ImageFile]:
    """The picture in Pillow, not decoded yet: whatever happens to it inside the ``with`` and goes wrong is a
    MediaError. Check first that it may be decoded."""
    import PIL.Image
    import PIL.WebPImagePlugin  # the others come with Image; asked for by name, it would bring all there are

    needed = data
    if header.mime_type == "image/png":
        try:
            needed = essential_png(data, with_frames=with_frames)
        except HeaderError:
            # Too few bytes for its size: a lie, or not all of them are there.
            if is_cut_off(data, header):
                raise _cut_off(data) from None
            raise
    elif header.mime_type == "image/avif":
        needed = essential_avif(data)
        _load_avif_reader()
    format_name = _PILLOW_NAME_OF_TYPE[header.mime_type]
    try:
        with PIL.Image.open(BytesIO(needed), formats=(format_name,)) as picture:
            # What Pillow found is what it will make room for.
            width, height = picture.size
            if width * height > MAX_PIXELS:
                raise MediaError(f"The picture is too large to be shown: {width:,} × {height:,} pixels")
            yield picture
    except MediaError:
        raise
    except MemoryError:
        raise PassingError("There is not enough memory for this picture now") from None
    except Exception as error:  # damaged files make Pillow raise nearly anything
        raise _undecodable(data, header, error) from error


def _load_avif_reader() -> None:
    """Pillow has it since 11.3, where it was built with it."""
    from PIL import features

    if "avif" not in features.modules or not features.check("avif"):
        raise MediaError(
            "Only browsers can show this (image/avif): the Pillow that is installed beside the server cannot "
            "decode it; version 11.3 or newer can"
        )
    import PIL.AvifImagePlugin  # noqa: F401


def _undecodable(data: bytes, header: PictureHeader, error: Exception) -> MediaError:
    if is_cut_off(data, header):
        return _cut_off(data)
    return MediaError(f"The picture is damaged: {_reason(error)}")


def _cut_off(data: bytes) -> MediaError:
    return MediaError(f"The picture is cut off: its end is missing ({len(data):,} bytes of it are there)")


def _reason(error: Exception) -> str:
    from PIL import UnidentifiedImageError

    if isinstance(error, UnidentifiedImageError):  # its message shows the address of a buffer
        return "what is behind its header makes no sense"
    text = " ".join(str(error).split())[:200]
    return text or type(error).__name__
