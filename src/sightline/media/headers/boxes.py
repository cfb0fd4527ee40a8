"""The ISO container of MP4 and AVIF: a tree of boxes, each with its length, name and content."""

from __future__ import annotations

import struct
from collections.abc import Iterator

MAX_STEPS = 200_000


class Steps:
    """A bound on the work for one file: after so many boxes or elements it is an IndexError, as if the file
    ended there."""

    def __init__(self) -> None:
        self._left = MAX_STEPS

    def take(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise IndexError


def boxes_of(data: bytes, start: int, end: int, steps: Steps) -> Iterator[tuple[bytes, int, int]]:
    """Name, begin and end of the content of each box."""
    pos = start
    while pos + 8 <= end:
        steps.take()
        length, name = struct.unpack_from(">I4s", data, pos)
        begin = pos + 8
        if length == 1:
            (length,) = struct.unpack_from(">Q", data, pos + 8)
            begin = pos + 16
        elif length == 0:  # up to the end
            length = end - pos
        if pos + length < begin:
            return
        yield name, begin, min(pos + length, end)
        pos += length
