"""What was found out about values, kept under their names: those that were asked for longest ago go first."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

Found = TypeVar("Found")


class ByName(Generic[Found]):
    """May be asked from any thread. Who asks for the same name gets the same object."""

    def __init__(self, max_names: int) -> None:
        self._max_names = max_names
        self._lock = threading.Lock()
        self._found: OrderedDict[str, Found] = OrderedDict()

    def get(self, name: str, find: Callable[[], Found]) -> Found:
        """``find`` is called where the name is not known, and nobody waits for it: two who ask at once may
        both call it, and the first to be done counts. What it raises is not kept."""
        with self._lock:
            if name in self._found:
                self._found.move_to_end(name)
                return self._found[name]
        found = find()
        with self._lock:
            found = self._found.setdefault(name, found)
            if len(self._found) > self._max_names:
                self._found.popitem(last=False)
            return found
