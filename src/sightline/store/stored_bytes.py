"""Bytes of one value that stay in the log until somebody asks for them.

A film of hundreds of megabytes is sent with a piece of it in memory. Whoever walks through a value from one
length to the next, or reads a header, turns small pages: a batch of a thousand pictures is taken apart
without reading them. Far away a page is larger, because each is a request.

Time passes between two reads, and whoever writes into the middle of a file leaves no trace that the index
would see at once. So checksums of all pages and stretches that were read are kept: what is read again, alone
or within a longer stretch, and reads otherwise, is an error. What is read for the first time has nothing to
be compared with, nor has a page of which a stretch holds a part only: whoever decides by one read what to do
with another looks again at what came.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import cast, overload

from sightline._core import crc32c
from sightline.model.errors import FileGoneError

PAGE_BYTES = 16 << 10
"""What is longer is read by itself."""

FAR_PAGE_BYTES = 256 << 10
"""Where every read is a request: it takes longer to ask than to bring this much."""

ReadStretch = Callable[[int, int], bytes]
"""From begin and length within the value. Raises FileGoneError."""


class _Pages:
    """All parts of one value share the page that was read last."""

    def __init__(self, read: ReadStretch, length: int, file: str, page_bytes: int) -> None:
        self._read = read
        self._length = length
        self._file = file
        self._page_bytes = page_bytes
        self._number = -1
        self._page = b""
        self._page_sums: dict[int, int] = {}
        self._stretch_sums: dict[tuple[int, int], int] = {}

    def byte(self, position: int) -> int:
        number, within = divmod(position, self._page_bytes)
        return (self._page if number == self._number else self._turned_to(number))[within]

    def stretch(self, start: int, stop: int) -> bytes:
        count = stop - start
        if count > self._page_bytes:
            return self._long_stretch(start, stop)
        number, within = divmod(start, self._page_bytes)
        page = self._page if number == self._number else self._turned_to(number)
        if within + count <= len(page):
            return page[within : within + count]
        head = page[within:]
        return head + self._turned_to(number + 1)[: count - len(head)]

    def _turned_to(self, number: int) -> bytes:
        begin = number * self._page_bytes
        page = self._read(begin, min(self._page_bytes, self._length - begin))
        self._check(page, self._page_sums.setdefault(number, crc32c(page)))
        self._number, self._page = number, page
        return page

    def _long_stretch(self, start: int, stop: int) -> bytes:
        data = self._read(start, stop - start)
        for number in range(-(-start // self._page_bytes), stop // self._page_bytes):
            if (checksum := self._page_sums.get(number)) is not None:
                begin = number * self._page_bytes - start
                self._check(data[begin : begin + self._page_bytes], checksum)
        for (begin, end), checksum in self._stretch_sums.items():
            if start <= begin and end <= stop and (begin, end) != (start, stop):
                self._check(data[begin - start : end - start], checksum)
        self._check(data, self._stretch_sums.setdefault((start, stop), crc32c(data)))
        return data

    def _check(self, data: bytes, checksum: int) -> None:
        if crc32c(data) != checksum:
            raise FileGoneError(self._file, "the file was written to while it was read")


class StoredBytes:
    """A ByteSource. One thread at a time may read from it and from its parts."""

    __slots__ = ("_pages", "_start", "_stop")

    def __init__(self, pages: _Pages, start: int, stop: int) -> None:
        self._pages = pages
        self._start = start
        self._stop = stop

    @classmethod
    def of(cls, read: ReadStretch, length: int, *, file: str, page_bytes: int = 0) -> StoredBytes:
        """``file``: what errors call it. ``page_bytes`` 0: those of a file that is near."""
        return cls(_Pages(read, length, file, page_bytes or PAGE_BYTES), 0, length)

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
