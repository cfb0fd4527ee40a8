"""Bytes that need not be in memory, as those of a film in a log. ``bytes`` are such a source too, so whoever
reads headers takes both."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any, Protocol, overload

PIECE_BYTES = 1 << 20
"""That are read and sent together."""


class ByteSource(Protocol):
    """Reading may raise a DataError, as the file that holds the bytes may be gone or another one.

    Indices count from the front: only ``bytes`` know negative ones. Slices have no step.
    """

    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: int, /) -> int: ...
    @overload
    def __getitem__(self, index: slice, /) -> bytes: ...


def pieces_of(source: ByteSource, start: int, stop: int) -> Iterator[bytes]:
    """What lies between two positions, as small pieces, each read when it is asked for.

    The last byte is read before the first piece is handed out: a file that was cut is an error while that can
    still be told, and not an answer that breaks off. Nothing else is read twice, and nothing that nobody
    waits for.
    """
    if stop - start > PIECE_BYTES:
        source[stop - 1 : stop]
    for begin in range(start, stop, PIECE_BYTES):
        yield source[begin : min(stop, begin + PIECE_BYTES)]


def unpack_at(layout: str, data: ByteSource, pos: int) -> tuple[Any, ...]:
    """Like ``struct.unpack_from``, which takes nothing but memory. Raises struct.error at the end of the
    data."""
    return struct.unpack(layout, data[pos : pos + struct.calcsize(layout)])
