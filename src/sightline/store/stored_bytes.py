"""Bytes of one value that stay in the log until somebody asks for them.

A film of hundreds of megabytes is sent with a piece of it in memory. Whoever walks through a value from one
length to the next, or reads a header, turns small pages: a batch of a thousand pictures is taken apart
without reading them. Time passes between two reads, and whoever writes into the middle of a file leaves no
trace that the index would see at once: so the checksum of all that was read is kept, and what reads
otherwise than before is an error.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import cast, overload

from sightline._core import crc32c
from sightline.model.errors import FileGoneError

PAGE_BYTES = 16 << 10
"""What is longer is read by itself."""

ReadStretch = Callable[[int, int], bytes]
"""From begin and length within the value. Raises FileGoneError."""


class _Pages:
    """All parts of one value share the page that was read last."""

    def __init__(self, read: ReadStretch, length: int, file: str) -> None:
        self._read = read
        self._length = length
        self._file = file
        self._number = -1
        self._page = b""
        self._checksums: dict[tuple[int, int], int] = {}

    def byte(self, position: int) -> int:
        number, within = divmod(position, PAGE_BYTES)
        return (self._page if number == self._number else self._turned_to(number))[within]

    def stretch(self, start: int, stop: int) -> bytes:
        count = stop - start
        if count > PAGE_BYTES:
            return self._known(start, count)
        number, within = divmod(start, PAGE_BYTES)
        page = self._page if number == self._number else self._turned_to(number)
        if within + count <= len(page):
            return page[within : within + count]
        head = page[within:]
        return head + self._turned_to(number + 1)[: count - len(head)]

    def _turned_to(self, number: int) -> bytes:
        begin = number * PAGE_BYTES
        page = self._known(begin, min(PAGE_BYTES, self._length - begin))
        self._number, self._page = number, page
        return page

    def _known(self, start: int, count: int) -> bytes:
        data = self._read(start, count)
        if self._checksums.setdefault((start, count), checksum := crc32c(data)) != checksum:
            raise FileGoneError(self._file, "the file was written to while it was read")
        return data


class StoredBytes:
    """A ByteSource. One thread at a time may read from it and from its parts."""

    __slots__ = ("_pages", "_start", "_stop")

    def __init__(self, pages: _Pages, start: int, stop: int) -> None:
        self._pages = pages
        self._start = start
        self._stop = stop

    @classmethod
    def of(cls, read: ReadStretch, length: int, *, file: str) -> StoredBytes:
        """``file``: what errors call it."""
        return cls(_Pages(read, length, file), 0, length)

    def __len__(self) -> int:
        return self._stop - self._start

    @overload
    def __getitem__(self, index: int) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> bytes: ...
    def __getitem__(self, index: int | slice) -> int | bytes:
        if isinstance(index, slice):
            start, stop, step = index.indices(len(self))
            if step != 1:
                raise ValueError("only whole stretches are read")
            return self._pages.stretch(self._start + start, self._start + stop) if stop > start else b""
        position = self._start + operator.index(index)
        if not self._start <= position < self._stop:
            raise IndexError(index)
        return self._pages.byte(position)

    @property
    def span(self) -> tuple[int, int]:
        """Where it begins and ends within the value."""
        return self._start, self._stop

    def part(self, start: int, stop: int) -> StoredBytes:
        """What lies between two positions, not read yet."""
        return StoredBytes(self._pages, self._start + start, self._start + stop)


class StoredParts(Sequence[StoredBytes]):
    """Parts of a value, of which nothing is in memory but their places."""

    def __init__(self, value: StoredBytes, starts: Sequence[int], stops: Sequence[int]) -> None:
        self._value = value
        self._starts = starts
        self._stops = stops

    def __len__(self) -> int:
        return len(self._starts)

    @overload
    def __getitem__(self, index: int) -> StoredBytes: ...
    @overload
    def __getitem__(self, index: slice) -> StoredParts: ...
    def __getitem__(self, index: int | slice) -> StoredBytes | StoredParts:
        starts, stops = self._starts[index], self._stops[index]
        if isinstance(starts, int) and isinstance(stops, int):
            return self._value.part(starts, stops)
        return StoredParts(self._value, cast("Sequence[int]", starts), cast("Sequence[int]", stops))
