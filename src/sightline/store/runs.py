"""All runs of a log: the core's index, and the ``Run`` objects that stand for its runs.

This is what the query layer and, later, the server see of a log; who reads the files, and when, is not
known here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sightline._core import Index
from sightline.model.reports import Damage
from sightline.store.access import FileAccess
from sightline.store.files import damage_of

if TYPE_CHECKING:
    from sightline.store.run import Run


class RunStore:
    """The runs behind one index. Run objects are made on first use and shared, so what they cache is too."""

    def __init__(self, *, threads: int = 0) -> None:
        self.access = FileAccess(Index(threads))
        self._runs: dict[str, Run] = {}

    @property
    def index(self) -> Index:
        """Raises UserError in a child that was forked after the log had been opened."""
        return self.access.index

    def names(self) -> list[str]:
        """Ordered by first wall time, then name."""
        return self.index.run_names()

    def has(self, name: str) -> bool:
        try:
            name.encode()
        except UnicodeEncodeError:
            # Half of a surrogate pair, in somebody's JSON. Names of runs are UTF-8: the core takes no others.
            return False
        return self.index.revision(name) > 0

    def get(self, name: str) -> Run | None:
        """None when there is no such run (yet)."""
        if not self.has(name):
            self._runs.pop(name, None)
            return None
        return self._run(name)

    def runs(self) -> list[Run]:
        names = self.names()
        if len(self._runs) > len(names):
            # Some were removed from disk; who still holds such a run keeps an empty one.
            known = set(names)
            self._runs = {name: run for name, run in self._runs.items() if name in known}
        return [self._run(name) for name in names]

    def damage(self) -> list[Damage]:
        return [
            damage
            for run in self.names()
            for info in self.index.files(run)
            for damage in damage_of(info, run=run)
        ]

    def _run(self, name: str) -> Run:
        run = self._runs.get(name)
        if run is None:
            from sightline.store.run import Run  # imports NumPy, for which the reading need not wait

            run = self._runs.setdefault(name, Run(name, access=self.access))
        return run
