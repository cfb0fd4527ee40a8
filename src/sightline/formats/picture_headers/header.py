"""The facts that all formats have in common."""

from __future__ import annotations

from dataclasses import dataclass

from sightline.model.errors import MediaError

SHORTEST_DELAY_MS = 11
DEFAULT_DELAY_MS = 100
"""Browsers show frames with a shorter delay than the first for as long as the second: films for old programs
have 0 there and mean "as ever"."""


@dataclass(frozen=True)
class PictureHeader:
    """Sizes are those of the picture as it is shown: turned, if it says so; 0 × 0: unknown."""

    mime_type: str
    width: int
    height: int
    bits: int
    """Of one channel, as it is stored: 1 to 16. Palettes count as 8."""
    channels: int
    """1 or 3, and one more for opacity."""
    delays_ms: tuple[int, ...] = ()
    """Of the frames of an animation; empty: a still."""
    orientation: int = 1
    """1 to 8, as EXIF counts them."""
    is_cut: bool = False
    """The data ends before the animation does: frames may be missing. Only GIFs tell."""

    @property
    def frames(self) -> int:
        """1: a still. 0: a film, whose frames are not counted."""
        return len(self.delays_ms) or int(not self.mime_type.startswith("video/"))

    @property
    def duration_s(self) -> float:
        return sum(self.delays_ms) / 1000

    @property
    def pixels(self) -> int:
        return self.width * self.height


class HeaderError(MediaError):
    """The header cannot be read, or contradicts itself."""

    def __init__(self, format_name: str, reason: str) -> None:
        super().__init__(format_name, reason)
        self.format_name = format_name
        self.reason = reason

    def __str__(self) -> str:
        return f"The header of this {self.format_name} picture is damaged: {self.reason}"


def shown_delay_ms(stored_ms: float) -> int:
    """How long browsers show a frame."""
    return round(stored_ms) if stored_ms >= SHORTEST_DELAY_MS else DEFAULT_DELAY_MS
