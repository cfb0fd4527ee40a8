"""``Log``: a log directory as a Python object.

>>> import sightline
>>> log = sightline.open("runs").wait()          # doctest: +SKIP
>>> log["exp1"].scalars["train/loss"].value      # doctest: +SKIP

Opening returns at once and reading goes on in the background; everything here may be used meanwhile and
shows what has been read so far. Trouble is collected in ``damage`` and ``warnings``, never printed.
"""

from __future__ import annotations

import os
import time
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Union

from sightline.log.reading import Reading, WatchChoice
from sightline.log.subscribers import OnChange
from sightline.model.errors import BadArgumentError, UnknownNameError, UserError
from sightline.model.reports import Damage, Progress
from sightline.readers.roots import Root, RootsGiven, parse_roots
from sightline.store.cache import CacheDirectory
from sightline.store.runs import RunStore

if TYPE_CHECKING:
    from sightline.query.runs_frame import RunsTable
    from sightline.query.selection import Selection
    from sightline.store.run import Run

CacheChoice = Union[bool, str, "os.PathLike[str]"]


class Log:
    """Everything that was logged below some roots: ``sightline.open("runs")``. Reading begins in the
    background and this returns at once; close it, or let it go.

    ``roots``: a path, a URL that fsspec knows (``s3://…``), ``name:path``, a glob, or a list of those.
    ``watch``: follow files that grow, new runs and removed ones, until the log is closed. ``"poll"`` looks
    again and again instead of being told by the system, for file systems that do not tell.
    ``cache``: keep what was read for the next start; a path puts the cache there.
    ``include``, ``exclude``: globs on run names; ``*`` crosses ``/``.
    ``storage_options``: handed to fsspec for remote roots (credentials, endpoint …).
    ``may_be_missing``: wait for local directories that do not exist yet.

    Raises NoSuchPathError when a local path does not exist, unless ``may_be_missing``.
    """

    def __init__(
        self,
        roots: RootsGiven,
        *,
        watch: WatchChoice = True,
        cache: CacheChoice = True,
        include: Sequence[str] = (),
        exclude: Sequence[str] = (),
        storage_options: Mapping[str, Any] | None = None,
        may_be_missing: bool = False,
    ) -> None:
        if watch not in (True, False, "poll"):
            raise BadArgumentError(f'watch is True, False or "poll", not {watch!r}')
        for argument, globs in (("include", include), ("exclude", exclude)):
            if isinstance(globs, str):
                raise BadArgumentError(f"{argument} is a list of globs, not one string: write [{globs!r}]")
        self._roots = parse_roots(roots, may_be_missing=may_be_missing)
        self._warnings: list[str] = []
        self._store = RunStore()
        self._store.access.root_directories = [
            r.path for r in self._roots if not r.is_remote and not r.is_file
        ]
        cache_directory = self._cache_directory(cache, include=include, exclude=exclude)
        self.thumbnail_place = None if cache_directory is None else cache_directory.thumbnail_place()
        """For servers: where they may keep small pictures. None: nowhere."""
        self._reading = Reading(
            self._store,
            self._roots,
            include=include,
            exclude=exclude,
            cache=cache_directory,
            watch=watch,
            storage_options=storage_options,
            warn=self._warnings.append,
        )
        # The thread holds the Reading, never the Log: dropping the last reference to the Log ends it.
        weakref.finalize(self, self._reading.request_stop).atexit = False
        self._reading.start()

    def _cache_directory(
        self, cache: CacheChoice, *, include: Sequence[str], exclude: Sequence[str]
    ) -> CacheDirectory | None:
        if cache is False:
            return None
        return CacheDirectory(
            [(root.path + root.pattern, root.prefix) for root in self._roots],
            include=include,
            exclude=exclude,
            parent=None if cache is True else Path(cache).expanduser(),
            warn=self._warnings.append,
        )

    # ── reading ──────────────────────────────────────────────────────────────────────────────────────────

    def wait(self, timeout_s: float | None = None) -> Log:
        """Block until everything that was there has been read; returns the log itself.

        Raises TimeoutError after ``timeout_s`` seconds; reading goes on nevertheless.
        """
        if not self._reading.wait(timeout_s):
            so_far = self.progress
            raise TimeoutError(
                f"Still reading after {timeout_s} s: {so_far.files_done:,} of {so_far.files_total:,} files, "
                f"{so_far.fraction:.0%} of the bytes"
            )
        return self

    def wait_cached(self, timeout_s: float | None = None) -> Log:
        """Block until what an earlier reading kept can be looked at, which takes milliseconds.

        It is shown as it was then; whether it is still true, and what is new, is known when ``wait`` returns.
        Without a cache this returns at once, with nothing to see yet. Raises TimeoutError like ``wait``.
        """
        if not self._reading.wait_cached(timeout_s):
            raise TimeoutError(f"The cache was not loaded within {timeout_s} s")
        return self

    @property
    def progress(self) -> Progress:
        """How much of the log has been read, now."""
        return self._reading.progress()

    def refresh(self) -> None:
        """Look at all files now and return when what is new has been read.

        Needed only with ``watch=False``, or to be sure. Callbacks of ``on_change`` run before it returns.
        When a callback refreshes, they run after that one has returned, so that changes come in order.
        """
        if self._reading.is_stopped:
            raise UserError("The log is closed; open it again to read what is new")
        self._reading.rescan()

    def on_change(self, callback: OnChange) -> Callable[[], None]:
        """Call ``callback(change)`` for each run with something new; returns a function that ends that.

        It is called on the reading thread (or on the one that calls ``refresh``), one change at a time, so it
        should be short. It may use the log, but not wait for it.
        What it raises is logged to the logger ``sightline`` and does not stop the reading.
        """
        return self._reading.subscribers.add(callback)

    def close(self) -> None:
        """Stop reading and following. What was read stays usable. Harmless when repeated.

        Returns when the reading has ended; in an ``on_change`` callback at once.
        """
        self._reading.request_stop()
        self._reading.join()

    def __enter__(self) -> Log:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # ── runs ─────────────────────────────────────────────────────────────────────────────────────────────

    @property
    def store(self) -> RunStore:
        """The runs behind the log, for the layers of this package: ``query`` asks it, the server hands it on.

        Not part of the public interface: what it offers may change with any version.
        """
        return self._store

    @property
    def roots(self) -> list[Root]:
        """The places that are read, as they were understood."""
        return list(self._roots)

    @property
    def is_following(self) -> bool:
        """Whether files that grow are followed; False: they were read once, see ``refresh``."""
        return self._reading.is_following

    @property
    def runs(self) -> list[str]:
        """Names of the runs read so far, ordered by the time they began, then by name."""
        return self._store.names()

    def __getitem__(self, name: str) -> Run:
        """The run of that name; UnknownNameError (a KeyError) with the nearest names when there is none."""
        run = self._store.get(name)
        if run is None:
            is_early = not self.progress.is_done
            what = "run (so far: reading goes on, wait() waits for its end)" if is_early else "run"
            raise UnknownNameError(what, name, self.runs)
        return run

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._store.has(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self.runs)

    def __len__(self) -> int:
        return len(self.runs)

    def __bool__(self) -> bool:
        return True  # an empty log is still a log

    def scalars(
        self, tag: str | None = None, run: str | None = None, *, superseded: bool = False
    ) -> Selection:
        """Scalar series whose tag and run contain a match of the regular expressions (None: all).

        With ``superseded=True`` points that a restarted job wrote again are in there too, in write order.
        """
        from sightline.query.selection import Selection  # imports NumPy, for which the reading need not wait

        return Selection(self._store.runs, tag=tag, run=run, superseded=superseded)

    # ── comparing ────────────────────────────────────────────────────────────────────────────────────────

    def runs_table(self, metrics: Sequence[str] = ()) -> RunsTable:
        """One row per run: status, times, sizes, names, labels and notes that people gave in the page,
        hyper-parameters, and the last value of each of ``metrics`` (tags)."""
        from sightline.query.run_fields import RunFieldReader
        from sightline.query.runs_frame import runs_table
        from sightline.workspace import Workspace

        if isinstance(metrics, str):
            raise BadArgumentError(f"metrics is a list of tags, not one string: write [{metrics!r}]")
        return runs_table(
            self._store,
            metrics=metrics,
            fields={field.name: field.values for field in RunFieldReader(self._store).fields()},
            said=Workspace(self._roots).snapshot().runs,
            now_s=time.time(),
        )

    # ── trouble ──────────────────────────────────────────────────────────────────────────────────────────

    @property
    def damage(self) -> list[Damage]:
        """Every place in a file that could not be read; ``str(damage)`` is one line for people."""
        return self._store.damage()

    @property
    def warnings(self) -> list[str]:
        """What worked differently than asked: directories without permission, an unusable cache …"""
        return [*self._warnings, *self._reading.notices(), *self._store.index.walk_errors()]

    def __repr__(self) -> str:
        places = ", ".join(root.path for root in self._roots)
        if self._store.access.is_foreign:
            return f"<Log of {places}, opened in another process>"
        state = "" if self.progress.is_done else f", reading: {self.progress.fraction:.0%}"
        return f"<Log of {places}: {len(self):,} runs{state}>"


open_log = Log
