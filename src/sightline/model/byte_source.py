"""Bytes that need not be in memory: those of a film in a log, or of a sound that is converted while it is
sent. ``bytes`` are such a source too, so whoever reads headers takes both."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol, overload

PIECE_BYTES = 1 << 20
"""That are read and sent together."""


class ByteSource(Protocol):
    """Reading may raise a DataError, as the file that holds the bytes may be gone or another one."""

    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: int, /) -> int: ...
    @overload
    def __getitem__(self, index: slice, /) -> bytes: ...


def pieces_of(source: ByteSource, start: int, stop: int) -> Iterator[bytes]:
    """What lies between two positions, as small pieces, each read when it is asked for.

    All is read once before: a source knows its bytes again, so from here on the pieces are those of this
    moment, or an error. Errors that are there already are raised before there is a first piece.
    """
    if stop - start > PIECE_BYTES and not isinstance(source, bytes):
        for _ in _read(source, start, stop):
            pass
    yield from _read(source, start, stop)


def _read(source: ByteSource, start: int, stop: int) -> Iterator[bytes]:
    for begin in range(start, stop, PIECE_BYTES):
        yield source[begin : min(stop, begin + PIECE_BYTES)]
