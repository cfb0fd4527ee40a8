"""The frames of an animation as pictures of their own, for players that step through them."""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING

from sightline.formats.picture_headers.header import PictureHeader
from sightline.formats.picture_headers.png import has_separate_still
from sightline.media.pictures import check_may_be_decoded, header_of, in_turn, opened
from sightline.media.profiles import ToStandardColors, profile_of
from sightline.media.thumbnails import turned, with_plain_channels
from sightline.model.byte_source import ByteSource
from sightline.model.errors import MediaError

if TYPE_CHECKING:
    from PIL.Image import Image

MAX_FRAMES = 2_000
MAX_FRAMES_PIXELS = 128 << 20
"""Of all frames: 2,000 of 256 × 256. Decoding and packing them takes seconds, not minutes."""

MAX_FRAMES_BYTES = 128 << 20
_FAST = 1
"""Of the levels of compression: the frames are looked at once."""


@dataclass(frozen=True)
class Frames:
    """Each is a whole PNG, with everything that shows through from the frames before it."""

    width: int
    height: int
    pictures: tuple[bytes, ...]
    delays_ms: tuple[int, ...]
    """How long each is shown; 0 for a still."""
    is_cut: bool
    """Frames are missing at the end, because the file is damaged there."""


def frames_of(data: ByteSource) -> Frames:
    """A still has one frame. Raises MediaError, also for more than the limits."""
    header = header_of(data)
    check_may_be_decoded(data, header)
    if header.frames > MAX_FRAMES or header.frames * header.pixels > MAX_FRAMES_PIXELS:
        raise MediaError(
            f"The animation is too long to be taken apart: {header.frames:,} frames of "
            f"{header.width:,} × {header.height:,} pixels. It can be played as it is"
        )
    is_animated = header.frames > 1
    with (
        in_turn(data, header) as content,
        opened(content, header, with_frames=is_animated) as film,
    ):
        # The still in front of an APNG is for programs that cannot play it.
        first = 1 if is_animated and header.mime_type == "image/png" and has_separate_still(content) else 0
        to_standard = ToStandardColors(profile_of(content, header, film))
        pictures = _pictures(film, header, first, to_standard)
        width, height = film.size if header.orientation < 5 else film.size[::-1]
    delays_ms = header.delays_ms or (0,)
    return Frames(
        width,
        height,
        tuple(pictures),
        delays_ms[: len(pictures)],
        is_cut=len(pictures) < header.frames,
    )


def _pictures(film: Image, header: PictureHeader, first: int, to_standard: ToStandardColors) -> list[bytes]:
    pictures: list[bytes] = []
    size_bytes = 0
    for number in range(first, first + header.frames):
        try:
            if number:
                film.seek(number)
            plain = to_standard(with_plain_channels(film))
            if plain.mode == "CMYK":
                plain = plain.convert("RGB")
        except MemoryError:
            raise
        except Exception:
            if not pictures:
                raise
            break  # what came before can be shown
        out = BytesIO()
        turned(plain, header.orientation).save(out, "PNG", compress_level=_FAST, icc_profile=None, exif=b"")
        pictures.append(out.getvalue())
        size_bytes += len(pictures[-1])
        if size_bytes > MAX_FRAMES_BYTES:
            raise MediaError(
                f"The frames of the animation take more than {MAX_FRAMES_BYTES:,} bytes. "
                "It can be played as it is"
            )
    return pictures
