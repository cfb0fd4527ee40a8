"""A JSON list that is made while it is sent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from sightline.wire.text import wire_json

_ENTRIES_PER_PIECE = 1_024


def list_pieces(entries: Iterable[Any], *, per_piece: int = _ENTRIES_PER_PIECE) -> Iterator[bytes]:
    """The entries as one list."""
    rest = iter(entries)
    mark = b"["
    while part := list(islice(rest, per_piece)):
        yield mark + wire_json(part)[1:-1]
        mark = b","
    yield b"[]" if mark == b"[" else b"]"
