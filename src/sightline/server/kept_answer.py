"""Tables that are kept as the bytes that travel: they are large, asked for often and seldom different."""

from __future__ import annotations

import threading
from collections.abc import Callable

from msgspec import Struct

from sightline.wire.routes import Encoded
from sightline.wire.text import wire_json


class KeptAnswer:
    """One table; made anew when its revision is another. May be asked from any thread."""

    def __init__(self, word: str, revision: Callable[[], int], make: Callable[[int], Struct]) -> None:
        """``word`` tells its ETag from those of others."""
        self._word = word
        self._ask_revision = revision
        self._make = make
        self._lock = threading.Lock()  # one table at a time; whoever waits for it needs that very table
        self._revision = -1
        self._answer = Encoded(b"")

    def encoded(self) -> Encoded:
        with self._lock:
            revision = self._ask_revision()  # before the question: an answer is never older
            if revision != self._revision:
                self._answer = Encoded(wire_json(self._make(revision)), etag=f'"{self._word}-{revision}"')
                self._revision = revision
            return self._answer
