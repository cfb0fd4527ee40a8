"""What was looked up in sounds is kept, within bounds, and belongs to one name."""

from __future__ import annotations

import io
import wave
from typing import Any

import pytest

from sightline.media.kept_sounds import KeptSounds
from sightline.model.errors import MediaError


def wav(rate_hz: int = 8000) -> bytes:
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate_hz)
        file.writeframes(bytes(200))
    return out.getvalue()


class _Stored:
    """Bytes that notice when they are read."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.reads = 0

    def __len__(self) -> int:
        return len(self._data)

    def __getitem__(self, index: Any) -> Any:
        self.reads += 1
        return self._data[index]


@pytest.mark.parametrize("data", [wav(), wav()[:-1], b"fLaC" + bytes(20), b"", wav(rate_hz=1)])
def test_it_is_looked_up_once_also_if_it_cannot_be_played(data: bytes) -> None:
    kept = KeptSounds()
    source = _Stored(data)

    def told() -> object:
        try:
            found = kept.playable(source, "x")
        except MediaError as error:
            return str(error)
        return found.mime_type, len(found.body)

    first = told()
    source.reads = 0
    assert told() == first
    assert source.reads == 0


def test_names_are_forgotten() -> None:
    kept = KeptSounds(max_names=2)
    source = _Stored(wav())
    for name in "abc":
        kept.playable(source, name)
    source.reads = 0
    kept.playable(source, "c")
    assert source.reads == 0
    kept.playable(source, "a")
    assert source.reads
