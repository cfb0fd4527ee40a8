"""The ISO container of MP4 and AVIF: a tree of boxes, each with its length, name and content."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sightline.media.headers.numbers import unpack_at
from sightline.model.byte_source import ByteSource

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


class Box(NamedTuple):
    name: bytes
    start: int
    """Of its content."""
    end: int
    name_at: int


def boxes_of(data: ByteSource, start: int, end: int, steps: Steps) -> Iterator[Box]:
    pos = start
    while pos + 8 <= end:
        steps.take()
        length, name = unpack_at(">I4s", data, pos)
        begin = pos + 8
        if length == 1:
            (length,) = unpack_at(">Q", data, pos + 8)
            begin = pos + 16
        elif length == 0:  # up to the end
            length = end - pos
        if pos + length < begin:
            return
        yield Box(name, begin, min(pos + length, end), pos + 4)
        pos += length
