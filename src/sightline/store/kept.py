"""What was worked out of a log's files and may be asked for again soon."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Generic, Protocol, TypeVar

KEPT_BYTES = 16 << 20


class Sized(Protocol):
    @property
    def size_bytes(self) -> int: ...


AnySized = TypeVar("AnySized", bound=Sized)


class Kept(Generic[AnySized]):
    """Of one log, by the identity of the bytes. Those that were not asked for the longest go first."""

    def __init__(self, max_bytes: int = KEPT_BYTES) -> None:
        self._max_bytes = max_bytes
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, AnySized] = OrderedDict()
        self._kept_bytes = 0

    def get(self, identity: str) -> AnySized | None:
        with self._lock:
            found = self._kept.get(identity)
            if found is not None:
                self._kept.move_to_end(identity)
            return found

    def keep(self, identity: str, one: AnySized) -> None:
        with self._lock:
            # One that does not fit would push out all others, and then itself.
            if identity in self._kept or one.size_bytes > self._max_bytes:
                return
            self._kept[identity] = one
            self._kept_bytes += one.size_bytes
            while self._kept_bytes > self._max_bytes:
                _, oldest = self._kept.popitem(last=False)
                self._kept_bytes -= oldest.size_bytes
