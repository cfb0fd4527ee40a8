"""What had to be looked up in sounds to play them, by name.

A browser asks for one part of a sound after the other. Whether it can be sent as it was logged depends on all
of its samples where they are floats: an hour of sound must not be looked through for each part.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sightline.media.by_name import ByName
from sightline.model.byte_source import ByteSource
from sightline.model.errors import MediaError

if TYPE_CHECKING:
    from sightline.media.sounds import PlayableSound, Playing

MAX_NAMES = 10_000
"""At half a kilobyte each."""


class KeptSounds:
    """Of one server. May be asked from any thread."""

    def __init__(self, max_names: int = MAX_NAMES) -> None:
        self._known: ByName[Playing | str] = ByName(max_names)

    def playable(self, data: ByteSource, name: str) -> PlayableSound:
        """Like ``sounds.playable``, also where it raises MediaError. ``name``: a word that means these bytes,
        and no others, to this server."""
        from sightline.media.sounds import played_as, playing_of  # brings NumPy: not for a server that starts

        def find() -> Playing | str:
            try:
                return playing_of(data)
            except MediaError as error:
                return str(error)

        known = self._known.get(name, find)
        if isinstance(known, str):
            raise MediaError(known)
        return played_as(data, known)
