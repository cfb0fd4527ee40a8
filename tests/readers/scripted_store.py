"""A remote store that counts what is asked of it and fails on demand, with an index and a clock beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, ClassVar

from fsspec.implementations.memory import MemoryFileSystem

from sightline import _core
from sightline.readers.remote import RemoteReader
from sightline.readers.roots import parse_roots

MakeRecords = Callable[[Iterable[int]], bytes]


class Scripted(MemoryFileSystem):  # type: ignore[misc]  # fsspec is untyped
    """Counts requests and fails on demand. Objects live in a store of their own."""

    protocol = "scripted"
    store: ClassVar[dict[str, Any]] = {}
    pseudo_dirs: ClassVar[list[str]] = [""]
    listings: ClassVar[list[str]] = []
    ranges: ClassVar[list[tuple[str, int, int]]] = []
    listing_failure: ClassVar[Exception | None] = None
    read_failures: ClassVar[dict[str, Exception]] = {}
    before_read: ClassVar[Callable[[str], object] | None] = None
    before_listing: ClassVar[Callable[[], object] | None] = None

    @classmethod
    def reset(cls) -> None:
        cls.store.clear()
        cls.pseudo_dirs[:] = [""]
        cls.listings.clear()
        cls.ranges.clear()
        cls.read_failures = {}
        cls.listing_failure = cls.before_read = cls.before_listing = None

    @classmethod
    def _strip_protocol(cls, path: str) -> str:
        return str(super()._strip_protocol(path.replace("scripted://", "memory://")))

    def find(self, path: str, **kwargs: Any) -> Any:
        Scripted.listings.append(path)
        if Scripted.before_listing is not None:
            Scripted.before_listing()
        if Scripted.listing_failure is not None:
            raise Scripted.listing_failure
        return super().find(path, **kwargs)

    def ls(self, path: str, **kwargs: Any) -> Any:
        raise AssertionError("no directory is ever listed by itself")

    def cat_file(self, path: str, start: int | None = None, end: int | None = None, **kwargs: Any) -> bytes:
        assert start is not None
        assert end is not None
        Scripted.ranges.append((path.rpartition("/")[2], start, end))
        if Scripted.before_read is not None:
            Scripted.before_read(path)
        for ending, failure in Scripted.read_failures.items():
            if path.endswith(ending):
                raise failure
        return bytes(super().cat_file(path, start=start, end=end, **kwargs))


class RecordingIndex:
    """Passes everything on to an index and tells the id of a file before it is fed."""

    def __init__(self, index: _core.Index, before_feed: Callable[[int], object]) -> None:
        self._index = index
        self._before_feed = before_feed

    def __getattr__(self, name: str) -> Any:
        return getattr(self._index, name)

    def feed(self, file_id: int, data: bytes) -> int:
        self._before_feed(file_id)
        return self._index.feed(file_id, data)


class World:
    """A store, an index and a clock, and the readers between them."""

    def __init__(self, clock: Any) -> None:
        self.fs = Scripted()
        self.index = _core.Index(1)
        self.clock = clock
        self.readers: list[RemoteReader] = []

    def put(self, path: str, data: bytes) -> None:
        self.fs.pipe_file(f"/logs/{path}", data)

    def remove(self, path: str) -> None:
        del Scripted.store[f"/logs/{path}"]

    def open(self, given: str = "scripted://logs", **options: Any) -> RemoteReader:
        (root,) = parse_roots(given)
        self.readers.append(RemoteReader(self.index, root, clock=self.clock, **options))
        return self.readers[-1]

    def requests(self) -> tuple[int, list[tuple[str, int, int]]]:
        """Listings and ranges asked for since the last call."""
        counted = len(Scripted.listings), list(Scripted.ranges)
        Scripted.listings.clear()
        Scripted.ranges.clear()
        return counted

    def steps(self, run: str, tag: str = "loss") -> list[int]:
        parts = self.index.parts(run, tag, _core.FORM_SCALAR)
        return [int(step) for part in parts for step in part.step]
