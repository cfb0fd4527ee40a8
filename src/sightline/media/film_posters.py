"""The first picture of a film, where PyAV is installed to decode it."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from io import BytesIO
from typing import TYPE_CHECKING

from sightline.media.decoding import decoding
from sightline.media.pictures import MAX_ENCODED_BYTES, MAX_PIXELS, fitted
from sightline.media.types import picture_type
from sightline.model.byte_source import ByteSource
from sightline.model.errors import MediaError

if TYPE_CHECKING:
    from PIL.Image import Image

_CONTAINER_OF_TYPE = {"video/mp4": "mp4", "video/webm": "matroska"}
_CODECS = frozenset(("h264", "hevc", "vp8", "vp9", "av1", "mpeg4", "libdav1d", "libvpx", "libvpx-vp9"))
"""What browsers play. FFmpeg reads hundreds more, and hostile files know them all."""

_MAX_PACKETS = 100
_LIMITS = {"max_pixels": str(MAX_PIXELS)}
"""For FFmpeg: a stream may say another size than its container, and yet another one at every frame."""


@cache
def has_film_decoder() -> bool:
    """Whether PyAV is there. It is not imported, which takes a while; and looked for once, as every tile of a
    film asks."""
    try:
        return find_spec("av") is not None
    except ValueError:  # somebody has put something else in its place
        return False


def check_may_have_poster(data: ByteSource) -> None:
    """Raises MediaError for a film beyond the limits."""
    if len(data) > MAX_ENCODED_BYTES:
        raise MediaError(f"The film is too large for a poster: {len(data):,} bytes")


def film_poster(data: ByteSource, size: int) -> Image:
    """At most ``size`` pixels to a side. Raises MediaError, also when PyAV is missing."""
    check_may_have_poster(data)
    try:
        import av
    except ImportError:
        raise MediaError(
            "The server has no decoder for films: the browser has to make the picture. "
            'For posters from the server, run: pip install "sightline[video]"'
        ) from None
    with decoding(MAX_PIXELS):
        content = data[:]
        try:
            container = _CONTAINER_OF_TYPE[picture_type(content)]
            with av.open(BytesIO(content), format=container, options=_LIMITS) as film:
                return _first_frame(film, size)
        except MediaError:
            raise
        except Exception as error:  # av raises its own errors, and those of the system, and ValueError …
            raise MediaError(
                f"The film is damaged, or of a kind that cannot be decoded here: {error}"
            ) from error


def _first_frame(film: object, size: int) -> Image:
    streams = film.streams.video  # type: ignore[attr-defined]
    if not streams:
        raise MediaError("The film has no picture in it")
    context = streams[0].codec_context
    if context.name not in _CODECS:
        raise MediaError(f"The film is encoded in a way that is not decoded here: {context.name}")
    if context.width * context.height > MAX_PIXELS:
        raise MediaError(f"The film is too large to be shown: {context.width:,} × {context.height:,} pixels")
    context.thread_count = 1
    context.options = _LIMITS
    for count, packet in enumerate(film.demux(streams[0])):  # type: ignore[attr-defined]
        for frame in packet.decode():
            width, height = fitted(frame.width, frame.height, size)
            return frame.reformat(width=width, height=height, format="rgb24").to_image()  # type: ignore[no-any-return]
        if count >= _MAX_PACKETS:
            break
    raise MediaError("The film has no picture at its beginning")
