"""Logged bytes → text that is always valid, without stopping everybody else meanwhile.

What is UTF-8 is decoded in one go, which takes a millisecond for each megabyte. What is not takes a hundred
times as long, and the decoder lets no other thread run until it is done: so that is done in pieces.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator, Sequence

from sightline.model.byte_source import ByteSource
from sightline.model.errors import DamagedValueError

PIECE_BYTES = 64 << 10
"""Of what is not UTF-8: ten milliseconds at most."""


def text_from_bytes(data: bytes) -> str:
    """Bytes that are not UTF-8 show as ``\\xNN``, as in the core's tags."""
    return _decoded(data)[0]


def texts_of(cells: Sequence[ByteSource], *, max_bytes: int) -> Iterator[tuple[str, bool]]:
    """Each text, and whether it has bytes that are not UTF-8. Raises DamagedValueError for more than so many
    bytes together.

    A tensor that is filled up with its last string has the same object a hundred thousand times: it is
    decoded, and read from the file where it is not in memory, once.
    """
    total = sum(map(len, cells))
    if total > max_bytes:
        raise DamagedValueError(f"it holds {total:,} bytes of text, and {max_bytes:,} is the limit")
    before: ByteSource | None = None
    decoded = ("", False)
    for cell in cells:
        if cell is not before:
            before, decoded = cell, _decoded(cell[:])
        yield decoded


def _decoded(data: bytes) -> tuple[str, bool]:
    try:
        return data.decode(), False
    except UnicodeDecodeError:
        return "".join(_escaped_pieces(data)), True


def _escaped_pieces(data: bytes) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder("utf-8")("backslashreplace")
    for begin in range(0, len(data), PIECE_BYTES):
        yield decoder.decode(data[begin : begin + PIECE_BYTES])
    yield decoder.decode(b"", final=True)
