"""What was asked for a moment ago, kept for the next question.

Who scrolls through a table asks for its rows many times, and reading it anew each time would parse its JSON
each time. Few values are kept, for a short while after the last question, and the oldest go first. The one
asked for last is kept whatever its size: it is the one that the next question is about.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, cast

Value = TypeVar("Value")


@dataclass
class _Kept:
    value: Future[Any]
    cost: int
    used_s: float


class Recent(Generic[Value]):
    """A cache of few values. Those who ask for the same one at the same time wait for one another."""

    def __init__(
        self,
        *,
        max_cost: int,
        max_count: int,
        keep_s: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._max_cost = max_cost
        self._max_count = max_count
        self._keep_s = keep_s
        self._clock = clock
        self._lock = threading.Lock()
        self._kept: dict[Hashable, _Kept] = {}  # least recently used first
        self._timer: threading.Timer | None = None

    def get(self, key: Hashable, make: Callable[[], Value], *, cost: Callable[[Value], int]) -> Value:
        """The value of a key, made if it is not here; ``cost`` is asked once it is made."""
        with self._lock:
            kept = self._kept.pop(key, None)
            is_new = kept is None
            if kept is None:
                kept = _Kept(Future(), 0, 0.0)
            kept.used_s = self._clock()
            self._kept[key] = kept
            self._make_room()
            self._schedule()
        future = kept.value
        if is_new:
            try:
                value = make()
                kept.cost = cost(value)
                future.set_result(value)
                del value
            except BaseException as error:
                with self._lock:
                    if self._kept.get(key) is kept:
                        del self._kept[key]
                future.set_exception(error)
            with self._lock:
                self._make_room()
        del kept
        try:
            return cast("Value", future.result())
        finally:
            # An error knows this frame, which must not know the error: what was read would stay in memory.
            del future

    def drop_old(self) -> None:
        """Forget what nobody has asked for in a while."""
        with self._lock:
            self._timer = None
            oldest_s = self._clock() - self._keep_s
            for key in [key for key, kept in self._kept.items() if kept.used_s <= oldest_s]:
                del self._kept[key]
            self._schedule()

    def __len__(self) -> int:
        return len(self._kept)

    def _make_room(self) -> None:
        cost = sum(kept.cost for kept in self._kept.values())
        while len(self._kept) > 1 and (cost > self._max_cost or len(self._kept) > self._max_count):
            oldest = next(iter(self._kept))
            cost -= self._kept.pop(oldest).cost

    def _schedule(self) -> None:
        """Memory is given back even when nobody asks for anything any more."""
        if self._timer is None and self._kept:
            self._timer = threading.Timer(self._keep_s, self.drop_old)
            self._timer.daemon = True
            self._timer.start()
