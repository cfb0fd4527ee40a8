"""The thread that reads a log: load the cache, scan, save, then follow until told to stop.

    start ─▶ cache ─▶ scan ─▶ loaded! ─▶ save ─▶ watch ─▶ … ─▶ stop ─▶ save
                        └── changes go to subscribers all the while ──┘

The thread knows the store but never the ``Log``, so a log that nobody holds any more is collected, which
stops the thread. At interpreter exit all threads are joined before Python goes away under the core.
Every remote root has a thread of its own, because waiting for a network must not delay local files.
"""

from __future__ import annotations

import atexit
import logging
import os
import threading
import time
import weakref
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from sightline.model.errors import UserError
from sightline.model.reports import Change, Progress
from sightline.readers.roots import Root
from sightline.store.cache import CacheDirectory
from sightline.store.runs import RunStore

if TYPE_CHECKING:
    from sightline.readers.remote import RemoteReader
    from sightline.readers.watch import Watcher

logger = logging.getLogger("sightline")

OnChange = Callable[[Change], object]
WatchChoice = bool | Literal["poll"]

DISPATCH_INTERVAL_S = 0.05
"""How often changes are handed out while a scan is under way; a person sees that as at once."""

SAVE_INTERVAL_S = 60.0
"""Least time between two saves of a growing log: what a crash can cost is reading one minute again."""

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
        self._index = store.index
        self._roots = roots
        self._include = tuple(include)
        self._exclude = tuple(exclude)
        self._cache = cache
        self._watch = watch
        self._storage_options = storage_options
        self._warn = warn
        self._stopping = threading.Event()
        self._loaded = threading.Event()
        self._when_loaded: list[Callable[[], None]] = []
        self._lock = threading.Lock()  # guards the lists of callbacks, never held while calling one
        self._dispatch_lock = threading.RLock()  # subscribers are called one at a time, and may refresh
        self._reading_lock = threading.Lock()  # one scan at a time: ours, or that of a caller of rescan()
        self._subscribers: list[OnChange] = []
        self._watcher: Watcher | None = None
        self._save_lock = threading.Lock()
        self._failure: BaseException | None = None
        self._saved_s = time.monotonic()
        self._process_id = os.getpid()
        self._thread = threading.Thread(target=self._run, name="sightline-reading", daemon=True)
        self._remotes: list[RemoteReader] = []
        for root in roots:
            if root.is_remote:
                self._remotes.append(self._remote_reader(root))
            else:
                self._index.add_root(root.path, root.prefix, self._include, (*self._exclude, *root.exclude))
        store.access.stream_readers.extend(self._remotes)

    def _remote_reader(self, root: Root) -> RemoteReader:
        from sightline.readers.remote import RemoteReader  # imports fsspec: an extra, and slow

        return RemoteReader(
            self._index,
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

    def wait(self, timeout_s: float | None) -> bool:
        """True once everything that was there has been read. Raises what made reading fail."""
        if threading.current_thread() is self._thread and not self._loaded.is_set():
            raise UserError("An on_change callback cannot wait for the reading: it would wait for itself")
        is_loaded = self._loaded.wait(timeout_s)
        if is_loaded and self._failure is not None:
            raise self._failure
        return is_loaded

    def call_when_loaded(self, callback: Callable[[], None]) -> None:
        """Call back once, on the reading thread, or at once if everything has been read."""
        with self._lock:
            if not self._loaded.is_set():
                self._when_loaded.append(callback)
                return
        callback()

    def progress(self) -> Progress:
        local = self._index.progress()
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
        return [
            *([reason] if reason else []),
            *(line for remote in self._remotes for line in remote.warnings),
        ]

    def subscribe(self, callback: OnChange) -> Callable[[], None]:
        with self._lock:
            self._subscribers.append(callback)
            self._index.watch_changes(True)

        def unsubscribe() -> None:
            with self._lock:
                if callback in self._subscribers:
                    self._subscribers.remove(callback)
                    self._index.watch_changes(bool(self._subscribers))

        return unsubscribe

    def rescan(self) -> None:
        """Look at everything again, now and on this thread; subscribers hear of it before this returns."""
        if threading.current_thread() is not self._thread:  # a callback during loading need not wait for it
            self._loaded.wait()
        self._scan_local()
        for remote in self._remotes:
            remote.scan()
        self._dispatch()

    def request_stop(self) -> None:
        """Tell the thread to end; does not wait for it. Harmless when repeated."""
        if os.getpid() != self._process_id:
            return  # a forked child has no such thread, and the core's locks may be held for ever
        self._stopping.set()
        self._index.stop()
        # Remote readers are closed by the thread: closing them may wait for the network.
        if self._watcher is not None:
            self._watcher.stop()

    def join(self, timeout_s: float | None = None) -> None:
        if self._thread is not threading.current_thread() and os.getpid() == self._process_id:
            self._thread.join(timeout_s)

    # ── on the thread ────────────────────────────────────────────────────────────────────────────────────

    def _run(self) -> None:
        try:
            self._load()
        except BaseException as error:  # whoever waits gets it; a thread has nobody else to tell
            self._failure = error
        finally:
            with self._lock:
                self._loaded.set()
                waiting, self._when_loaded = self._when_loaded, []
            for callback in waiting:
                callback()
        try:
            self._save()
            if self._watch and self._failure is None:
                self._follow()
                self._save()
        finally:
            _alive.discard(self)

    def _load(self) -> None:
        if self._cache is not None:
            self._cache.load(self._index)
        # Scans have threads of their own so that subscribers hear of the first runs before the last is read.
        scans = [_Task(scan) for scan in (self._scan_local, *(remote.scan for remote in self._remotes))]
        while any(scan.is_alive() for scan in scans):
            for scan in scans:
                scan.join(DISPATCH_INTERVAL_S)
            self._dispatch()
            if self._stopping.is_set():
                self._close_remotes()
        self._dispatch()
        for scan in scans:
            if scan.failure is not None:
                raise scan.failure

    def _scan_local(self) -> None:
        with self._reading_lock:
            self._index.scan()

    def _follow(self) -> None:
        polls = [_Task(partial(self._poll, remote)) for remote in self._remotes]
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
        while not self._stopping.wait(remote.next_delay_s):
            if remote.poll():
                self._after_reading()

    def _close_remotes(self) -> None:
        for remote in self._remotes:
            remote.close()

    def _on_paths(self, paths: Sequence[str]) -> None:
        with self._reading_lock:
            self._index.refresh(paths)
        self._after_reading()

    def _on_rescan(self) -> None:
        self._scan_local()
        self._after_reading()

    def _after_reading(self) -> None:
        self._dispatch()
        if time.monotonic() - self._saved_s > SAVE_INTERVAL_S:
            self._save()

    def _save(self) -> None:
        if self._cache is not None and self._failure is None:
            with self._save_lock:
                self._cache.save(self._index)
                self._saved_s = time.monotonic()

    def _dispatch(self) -> None:
        with self._lock:
            subscribers = tuple(self._subscribers)
        if not subscribers:
            return
        with self._dispatch_lock:
            for core_change in self._index.take_changes():
                change = Change(
                    run=core_change.run,
                    tags=tuple(core_change.tags),
                    is_removed=core_change.is_removed,
                    is_reset=core_change.is_reset,
                )
                for subscriber in subscribers:
                    _call(subscriber, change)


def _call(subscriber: OnChange, change: Change) -> None:
    try:
        subscriber(change)
    except Exception:  # somebody else's code: it must not stop the reading
        logger.exception("An on_change callback failed for run %r", change.run)


class _Task(threading.Thread):
    """A daemon thread that starts at once and keeps what went wrong for whoever joins it."""

    def __init__(self, work: Callable[[], object]) -> None:
        super().__init__(name="sightline-task", daemon=True)
        self._work = work
        self.failure: BaseException | None = None
        self.start()

    def run(self) -> None:
        try:
            self._work()
        except BaseException as error:
            self.failure = error


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
