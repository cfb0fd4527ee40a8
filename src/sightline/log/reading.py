"""The thread that reads a log: load the cache, scan, save, then follow until told to stop.

    start ─▶ cache ─▶ scan ─▶ loaded! ─▶ save ─▶ watch ─▶ … ─▶ stop ─▶ save
                        └── changes go to subscribers all the while ──┘

The thread knows the store but never the ``Log``, so a log that nobody holds any more is collected, which
stops the thread. At interpreter exit all threads are joined before Python goes away under the core.
Every remote root has a thread of its own, because waiting for a network must not delay local files.
"""

from __future__ import annotations

import atexit
import os
import threading
import time
import weakref
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from sightline.log.subscribers import Subscribers
from sightline.model.errors import UserError
from sightline.model.places import WORKSPACE_GLOBS
from sightline.model.reports import Progress, one_line
from sightline.readers.roots import Root
from sightline.store.cache import CacheDirectory
from sightline.store.runs import RunStore

if TYPE_CHECKING:
    from sightline.readers.remote import RemoteReader
    from sightline.readers.watch import Watcher

WatchChoice = bool | Literal["poll"]

DISPATCH_INTERVAL_S = 0.05
"""How often changes are handed out while a scan is under way; a person sees that as at once."""

SAVE_INTERVAL_S = 60.0
"""Least time between two saves of a growing log: what a crash can cost is reading one minute again."""

POLL_RETRY_DELAY_S = 60.0
"""Least time until the next poll after one that failed as no poll should."""

EXIT_TIMEOUT_S = 10.0
"""How long interpreter exit waits for a thread. Only a hanging file system takes this long."""

_alive: weakref.WeakSet[Reading] = weakref.WeakSet()


class Reading:
    """Reads the roots into the store on a daemon thread of its own."""

    def __init__(
        self,
        store: RunStore,
        roots: Sequence[Root],
        *,
        include: Sequence[str],
        exclude: Sequence[str],
        cache: CacheDirectory | None,
        watch: WatchChoice,
        storage_options: Mapping[str, Any] | None,
        warn: Callable[[str], None],
    ) -> None:
        self._store = store
        self._roots = roots
        self._include = tuple(include)
        self._exclude = tuple(exclude)
        self._cache = cache
        self._watch = watch
        self._storage_options = storage_options
        self._warn = warn
        self._stopping = threading.Event()
        self._has_cached = threading.Event()  # what an earlier reading kept can be looked at
        self._loaded = threading.Event()
        self._lock = threading.Lock()  # guards the list of who waits, never held while calling one
        self._reading_lock = threading.Lock()  # one scan at a time: ours, or that of a caller of rescan()
        self.subscribers = Subscribers(store)
        self._watcher: Watcher | None = None
        self._save_lock = threading.Lock()
        self._failure: BaseException | None = None
        self._saved_s = time.monotonic()
        self._thread = threading.Thread(target=self._run, name="sightline-reading", daemon=True)
        self._tasks: tuple[_Task, ...] = ()  # threads that the reading thread waits for
        self._remotes: list[RemoteReader] = []
        for root in roots:
            if root.is_remote:
                self._remotes.append(self._remote_reader(root))
            else:
                left_out = (*self._exclude, *root.exclude, *WORKSPACE_GLOBS)
                store.index.add_root(root.path, root.prefix, self._include, left_out)
        store.access.stream_readers.extend(self._remotes)

    def _remote_reader(self, root: Root) -> RemoteReader:
        from sightline.readers.remote import RemoteReader  # imports fsspec: an extra, and slow

        return RemoteReader(
            self._store.index,
            root,
            include=self._include,
            exclude=self._exclude,
            storage_options=self._storage_options,
        )

    def start(self) -> None:
        _alive.add(self)
        self._thread.start()

    # ── asked from any thread ────────────────────────────────────────────────────────────────────────────

    @property
    def is_stopped(self) -> bool:
        return self._stopping.is_set()

    @property
    def is_following(self) -> bool:
        """Whether changes of files will be noticed, now or as soon as everything has been read."""
        return bool(self._watch) and self._failure is None and not self._stopping.is_set()

    def wait(self, timeout_s: float | None) -> bool:
        """True once everything that was there has been read. Raises what made reading fail."""
        self._check_process()
        if threading.current_thread() is self._thread and not self._loaded.is_set():
            raise UserError("An on_change callback cannot wait for the reading: it would wait for itself")
        is_loaded = self._loaded.wait(timeout_s)
        if is_loaded and self._failure is not None:
            raise self._failure
        return is_loaded

    def wait_cached(self, timeout_s: float | None) -> bool:
        """True once what the cache knows can be looked at; at once when there is no cache."""
        return self._has_cached.wait(timeout_s)

    def progress(self) -> Progress:
        local = self._store.index.progress()
        remote = [remote.progress for remote in self._remotes]
        return Progress(
            files_done=local.files_done + sum(part.files_done for part in remote),
            files_total=local.files_total + sum(part.files_total for part in remote),
            bytes_done=local.bytes_done + sum(part.bytes_done for part in remote),
            bytes_total=local.bytes_total + sum(part.bytes_total for part in remote),
            is_done=self._loaded.is_set(),
        )

    def notices(self) -> list[str]:
        """What is different from how reading should go, now; one line each."""
        reason = self._watcher.polling_reason if self._watcher is not None else ""
        failure = self._failure
        return [
            *([_failure_text(failure)] if failure is not None else []),
            *([reason] if reason else []),
            *(line for remote in self._remotes for line in remote.warnings),
        ]

    def rescan(self) -> None:
        """Look at everything again, now and on this thread; subscribers hear of it before this returns.

        Inside of a callback they hear of it once that callback has returned.
        """
        self._check_process()
        if threading.current_thread() is not self._thread:  # a callback during loading need not wait for it
            self._loaded.wait()
        self._scan_local()
        for remote in self._remotes:
            remote.scan()
        self.subscribers.dispatch()

    def request_stop(self) -> None:
        """Tell the thread to end; does not wait for it. Harmless when repeated."""
        if self._store.access.is_foreign:
            return  # a forked child has no such thread, and the core's locks may be held for ever
        self._stopping.set()
        self._store.index.stop()
        # Remote readers are closed by the thread: closing them may wait for the network.
        if self._watcher is not None:
            self._watcher.stop()

    def join(self, timeout_s: float | None = None) -> None:
        """Wait for the end of the thread; not in a callback, for whose end the thread may be waiting."""
        own_threads = (self._thread, *self._tasks)
        is_awaited = threading.current_thread() in own_threads or self.subscribers.is_calling
        if not is_awaited and not self._store.access.is_foreign:
            self._thread.join(timeout_s)

    def _check_process(self) -> None:
        """Raises UserError in a forked child, in which nobody reads and every lock may be held for ever."""
        _ = self._store.index

    # ── on the thread ────────────────────────────────────────────────────────────────────────────────────

    def _run(self) -> None:
        try:
            self._load()
        except BaseException as error:  # whoever waits gets it; a thread has nobody else to tell
            self._failure = error
        finally:
            with self._lock:
                self._has_cached.set()
                self._loaded.set()
        try:
            # Writing a large index takes a second: following must not wait for it.
            first_save = _Task(self._save)
            first_save.start()
            if self._watch and self._failure is None:
                self._follow()
            first_save.join()
            self._save()
        finally:
            _alive.discard(self)

    def _load(self) -> None:
        if self._cache is not None:
            self._cache.load(self._store.index)
        self._has_cached.set()
        # Scans have threads of their own so that subscribers hear of the first runs before the last is read.
        scans = self._start_tasks(self._scan_local, *(remote.scan for remote in self._remotes))
        while any(scan.is_alive() for scan in scans):
            for scan in scans:
                scan.join(DISPATCH_INTERVAL_S)
            self.subscribers.dispatch()
            if self._stopping.is_set():
                self._close_remotes()
        self.subscribers.dispatch()
        for scan in scans:
            if scan.failure is not None:
                raise scan.failure

    def _start_tasks(self, *works: Callable[[], object]) -> Sequence[_Task]:
        self._tasks = tuple(_Task(work) for work in works)
        for task in self._tasks:  # not before they are known to join()
            task.start()
        return self._tasks

    def _scan_local(self) -> None:
        with self._reading_lock:
            self._store.index.scan()

    def _follow(self) -> None:
        polls = self._start_tasks(*(partial(self._poll, remote) for remote in self._remotes))
        try:
            self._watch_local()
        except Exception as error:
            self._warn(f"Following local files stopped ({error}); what was read stays usable, see refresh()")
        self._stopping.wait()
        self._close_remotes()
        for poll in polls:
            poll.join()

    def _watch_local(self) -> None:
        paths = [root.path for root in self._roots if not root.is_remote]
        if not paths:
            return
        from sightline.readers.watch import Watcher  # imports watchfiles, which takes a while

        mode: Literal["auto", "poll"] = "poll" if self._watch == "poll" else "auto"
        self._watcher = Watcher(paths, refresh=self._on_paths, rescan=self._on_rescan, mode=mode)
        if not self._stopping.is_set():  # a stop that came before the watcher was there
            self._watcher.run()

    def _poll(self, remote: RemoteReader) -> None:
        least_delay_s = 0.0
        has_warned = False
        while not self._stopping.wait(max(least_delay_s, remote.next_delay_s)):
            least_delay_s = 0.0
            try:
                if remote.poll():
                    self._after_reading()
            except Exception as error:  # a poll that ended with it would be a log that silently stands still
                least_delay_s = POLL_RETRY_DELAY_S
                if not has_warned:
                    has_warned = True
                    reason = _described(error)
                    self._warn(f"Following a remote root failed ({reason}); trying again: {remote.root.path}")

    def _close_remotes(self) -> None:
        for remote in self._remotes:
            remote.close()

    def _on_paths(self, paths: Sequence[str]) -> None:
        with self._reading_lock:
            self._store.index.refresh(paths)
        self._after_reading()

    def _on_rescan(self) -> None:
        self._scan_local()
        self._after_reading()

    def _after_reading(self) -> None:
        self.subscribers.dispatch()
        if time.monotonic() - self._saved_s > SAVE_INTERVAL_S:
            self._save()

    def _save(self) -> None:
        if self._cache is not None and self._failure is None:
            with self._save_lock:
                self._cache.save(self._store.index)
                self._saved_s = time.monotonic()


class _Task(threading.Thread):
    """A daemon thread that keeps what went wrong for whoever joins it."""

    def __init__(self, work: Callable[[], object]) -> None:
        super().__init__(name="sightline-task", daemon=True)
        self._work = work
        self.failure: BaseException | None = None

    def run(self) -> None:
        try:
            self._work()
        except BaseException as error:
            self.failure = error


def _described(error: BaseException) -> str:
    return one_line(f"{type(error).__name__}: {error}")


def _failure_text(error: BaseException) -> str:
    return (
        f"Reading failed: {_described(error)}. What was read until then is shown, and files are not "
        "followed; open the log again to read the rest"
    )


def _stop_all() -> None:
    """At exit: end the threads while Python still works, or the core would return into nothing."""
    readings = list(_alive)
    for reading in readings:
        reading.request_stop()
    for reading in readings:
        reading.join(EXIT_TIMEOUT_S)


atexit.register(_stop_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_alive.clear)
