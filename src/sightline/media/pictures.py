"""Encoded pictures: what they are, and whether they may be decoded.

    source ─▶ header_of ─▶ check_may_be_decoded ─▶ in_turn ─▶ opened ─▶ thumbnails, pixels, frames
              (no decoding)    (limits)            (in memory)  (Pillow, one format, inside one guard)

Pillow is asked only for the format that the first bytes name, so none of its other readers ever sees a byte,
and only after the header passed the limits; not even the encoded bytes are in memory before that. Whatever it
raises becomes a MediaError.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import TYPE_CHECKING

from sightline.formats.picture_headers import picture_header
from sightline.formats.picture_headers.bmp import has_run_lengths
from sightline.formats.picture_headers.header import HeaderError
from sightline.formats.picture_headers.header import PictureHeader as PictureHeader
from sightline.formats.picture_headers.jpeg import scan_count
from sightline.formats.picture_headers.png import chunks_of, essential_png
from sightline.media.decoding import decoding
from sightline.media.types import FILM_TYPES, picture_type
from sightline.model.byte_source import ByteSource
from sightline.model.errors import MediaError

if TYPE_CHECKING:
    from PIL.ImageFile import ImageFile

MAX_PIXELS = 64 << 20
"""8,192 × 8,192: Pillow takes 256 MB for it. Far beyond what training logs; a bomb has more."""

MAX_WEBP_PIXELS = 32 << 20
"""Its decoder holds several copies of the canvas: 500 MB for this."""

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

_PILLOW_NAME_OF_TYPE = {
    "image/png": "PNG",
    "image/jpeg": "JPEG",
    "image/gif": "GIF",
    "image/bmp": "BMP",
    "image/webp": "WEBP",
}


class PassingError(MediaError):
    """Says nothing about the picture: it may be shown another time."""


def header_of(data: ByteSource) -> PictureHeader:
    """Raises MediaError for anything that is not a picture of a known format."""
    header = picture_header(data)
    if header is None:
        raise not_a_picture(data)
    return header


def facts_of(data: ByteSource) -> PictureHeader:
    """Also of a film, of which only the type is looked at. Raises MediaError like ``header_of``."""
    found = picture_type(data)
    return PictureHeader(found, 0, 0, bits=8, channels=3) if found in FILM_TYPES else header_of(data)


def check_may_be_shown(facts: PictureHeader) -> None:
    """Raises MediaError for what would take a browser gigabytes to decode."""
    if facts.pixels > MAX_PIXELS:
        raise MediaError(
            f"The picture is too large to be shown: {facts.width:,} × {facts.height:,} pixels, "
            f"and {MAX_PIXELS:,} is the limit"
        )


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
        return _only_for_browsers(found)
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


def _only_for_browsers(mime_type: str) -> MediaError:
    return MediaError(f"Only browsers can show this ({mime_type}); the server cannot decode it")


def check_may_be_decoded(data: ByteSource, header: PictureHeader, *, max_pixels: int = MAX_PIXELS) -> None:
    """Raises MediaError for what would take too much memory or time. Looks at headers only."""
    size = f"{header.width:,} × {header.height:,} pixels"
    if header.mime_type == "image/webp":
        max_pixels = min(max_pixels, MAX_WEBP_PIXELS)
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
    if header.mime_type not in _PILLOW_NAME_OF_TYPE:
        raise _only_for_browsers(header.mime_type)
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
            if _is_cut_off(data, header):
                raise _cut_off(data) from None
            raise
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


def _undecodable(data: bytes, header: PictureHeader, error: Exception) -> MediaError:
    if _is_cut_off(data, header):
        return _cut_off(data)
    return MediaError(f"The picture is damaged: {_reason(error)}")


def _is_cut_off(data: bytes, header: PictureHeader) -> bool:
    """Whether the end of a picture that could not be decoded is missing: what decoders say of such files is a
    riddle to people."""
    if header.mime_type == "image/png":
        return all(chunk.name != b"IEND" for chunk in chunks_of(data))
    if header.mime_type == "image/jpeg":
        # The end is behind the last scan; a preview in front has its own.
        end = data.rfind(b"\xff\xd9")
        return end < 0 or end < data.rfind(b"\xff\xda")
    if header.mime_type == "image/webp":
        return len(data) < 8 + int.from_bytes(data[4:8], "little")
    if header.mime_type == "image/bmp":
        return len(data) < int.from_bytes(data[2:6], "little")
    return header.is_cut


def _cut_off(data: bytes) -> MediaError:
    return MediaError(f"The picture is cut off: its end is missing ({len(data):,} bytes of it are there)")


def _reason(error: Exception) -> str:
    from PIL import UnidentifiedImageError

    if isinstance(error, UnidentifiedImageError):  # its message shows the address of a buffer
        return "what is behind its header makes no sense"
    text = " ".join(str(error).split())[:200]
    return text or type(error).__name__
