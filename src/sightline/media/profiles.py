"""Colour profiles: what a picture's numbers mean, made into what screens take for granted (sRGB).

Thumbnails have no profile: browsers then take sRGB, which is what the numbers are made to be, and none of a
profile's bytes, which come from anybody, reach them. Exact values are never converted.
"""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any

from sightline.formats.picture_headers.png import MAX_PROFILE_BYTES, png_profile

if TYPE_CHECKING:
    from PIL.Image import Image

    from sightline.formats.picture_headers.header import PictureHeader

_LEAST_BYTES = 128
"""The header of a profile."""

_SPACE_OF_MODE = {"L": b"GRAY", "LA": b"GRAY", "RGB": b"RGB ", "RGBA": b"RGB ", "CMYK": b"CMYK"}
_PROFILED_TYPES = frozenset(("image/png", "image/jpeg", "image/webp"))
"""Of GIF and BMP browsers ignore it."""


def profile_of(data: bytes, header: PictureHeader, picture: Image) -> bytes:
    """The embedded profile of an opened picture; b"" when there is none that may be looked at."""
    if header.mime_type == "image/png":
        return png_profile(data)
    found = picture.info.get("icc_profile") if header.mime_type in _PROFILED_TYPES else None
    return found if isinstance(found, bytes) and len(found) <= MAX_PROFILE_BYTES else b""


class ToStandardColors:
    """One profile, for as many pictures as share it."""

    def __init__(self, profile: bytes) -> None:
        self._profile = profile
        self._transforms: dict[str, Any] = {}
        """By mode; None: no use can be made of the profile."""

    def __call__(self, picture: Image) -> Image:
        """The picture in sRGB: L, LA, RGB and RGBA stay what they are, CMYK becomes RGB. As it was when the
        profile is damaged or of another kind of colours: browsers ignore it then as well."""
        import PIL.Image

        mode = picture.mode
        if _SPACE_OF_MODE.get(mode, b"") != self._profile[16:20] or len(self._profile) < _LEAST_BYTES:
            return picture
        if mode == "LA":
            grey, opacity = picture.split()
            return PIL.Image.merge("LA", (self(grey), opacity))
        try:
            if mode not in self._transforms:
                self._transforms[mode] = None
                self._transforms[mode] = self._transform(mode)
            transform = self._transforms[mode]
            converted: Image | None = None if transform is None else transform.apply(picture)
        except MemoryError:
            raise
        except Exception:  # of Little CMS, by way of Pillow: whatever a hostile profile may lead to
            self._transforms[mode] = None
            return picture
        if converted is None:
            return picture
        return converted.convert("L") if mode == "L" else converted

    def _transform(self, mode: str) -> Any:
        from PIL import ImageCms, features

        if not features.check("littlecms2"):
            return None
        return ImageCms.buildTransform(
            ImageCms.ImageCmsProfile(BytesIO(self._profile)),
            ImageCms.createProfile("sRGB"),
            mode,
            "RGBA" if mode == "RGBA" else "RGB",
            ImageCms.Intent.PERCEPTUAL,
        )
