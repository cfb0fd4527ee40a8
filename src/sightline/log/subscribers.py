"""Who wants to hear of changes, and telling them: in order, one change at a time.

Changes may be noticed by several threads (reading, polls of remote roots, a caller of ``refresh``), and a
callback may itself refresh the log. So what the core reports goes through one queue. Who dispatches drains
it; a dispatch inside of a callback only adds to it, and the outer one goes on with what was added. Every
subscriber thus hears of changes in the order in which they happened, each when the one before is done with.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable

from sightline.model.reports import Change
from sightline.store.runs import RunStore

logger = logging.getLogger("sightline")

OnChange = Callable[[Change], object]


class Subscribers:
    """The callbacks of one log, and the changes they have not heard of yet."""

    def __init__(self, store: RunStore) -> None:
        self._store = store
        self._lock = threading.Lock()  # guards the fields below; never held while calling a subscriber
        self._callbacks: dict[object, OnChange] = {}  # by a key of its own: one function may come twice
        self._untold: deque[tuple[Change, tuple[object, ...]]] = deque()
        self._calling_lock = threading.Lock()
        self._calling_thread: threading.Thread | None = None

    @property
    def is_calling(self) -> bool:
        """Is this thread, further up, inside of a callback?"""
        return self._calling_thread is threading.current_thread()

    def add(self, callback: OnChange) -> Callable[[], None]:
        """Returns the function that ends it. Raises UserError in a forked child."""
        index = self._store.index  # before the lock, which a fork may have copied as held
        key = object()
        with self._lock:
            if not self._callbacks:
                index.take_changes()  # left over from earlier subscribers: not for this one
                index.watch_changes(True)
            self._callbacks[key] = callback

        def unsubscribe() -> None:
            if self._store.access.is_foreign:
                return
            with self._lock:
                if self._callbacks.pop(key, None) is not None and not self._callbacks:
                    self._store.index.watch_changes(False)

        return unsubscribe

    def dispatch(self) -> None:
        """Tell everybody what changed. Returns when it has been told, except inside of a callback."""
        self._take_changes()
        if self.is_calling:
            return
        with self._calling_lock:
            self._calling_thread = threading.current_thread()
            try:
                while self._tell_next():
                    pass
            finally:
                self._calling_thread = None

    def _take_changes(self) -> None:
        with self._lock:
            if not self._callbacks:
                return
            keys = tuple(self._callbacks)
            for change in self._store.index.take_changes():
                told = Change(
                    run=change.run,
                    tags=tuple(change.tags),
                    is_removed=change.is_removed,
                    is_reset=change.is_reset,
                    has_new_series=change.has_new_series,
                )
                self._untold.append((told, keys))

    def _tell_next(self) -> bool:
        """Tell one change to all who were there when it was taken and still are; False when there is none."""
        with self._lock:
            if not self._untold:
                return False
            change, keys = self._untold.popleft()
        for key in keys:
            callback = self._callbacks.get(key)
            if callback is not None:
                _call(callback, change)
        return True


def _call(callback: OnChange, change: Change) -> None:
    try:
        callback(change)
    except Exception:  # somebody else's code: it must not stop the reading
        logger.exception("An on_change callback failed for run %r", change.run)
