"""Following local log directories: says which paths changed, or asks for a rescan where nothing tells.

    notifications ─▶ drop what cannot matter ─▶ refresh(paths)         within about 30 ms of the write
    every 30 s     ───────────────────────────▶ rescan()               notifications can be lost (full queue)
    every second   ─▶ is each root still the same directory? ─▶ watch anew, rescan()
    no notifications (network file system, limits) ─▶ rescan() about every second

A watcher owns no thread: ``run`` blocks the thread that calls it, until ``stop``. While that thread is busy
reading, changes gather (by path, so a file that grows is one entry) and come as one batch afterwards.

Why the rescan interval follows its cost: a tree of a million files must not be walked every second because
one of its directories is on NFS.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing
from itertools import chain
from typing import Any, Literal, Protocol

from sightline.readers.mounts import network_type_of, read_mount_table
from sightline.readers.roots import is_event_file_name

Mode = Literal["auto", "poll"]
RawChanges = Iterable[tuple[int, str]]

# What watchfiles calls its three kinds of change.
ADDED, MODIFIED, DELETED = 1, 2, 3

# The native loop wakes this often and hands a change over when one such step brought no other path, but after
# _GATHER_MS at the latest. Measured on a tree of 10,000 directories: 20 ms gives a median of 29 ms from write
# to callback for 0.3 % of a core when idle; 10 ms gives 17 ms for 0.7 %.
_STEP_MS = 20
_GATHER_MS = 50
# How long a quiet native wait lasts before this module may look at the clock.
_TICK_MS = 100

_POLL_INTERVAL_S = 1.0
_POLL_COST_FACTOR = 20  # at most 5 % of a core
_SAFETY_INTERVAL_S = 30.0
_SAFETY_COST_FACTOR = 200  # at most 0.5 % of a core

# A new directory is told of before it is watched. On a busy machine the first look can fall in between, and a
# file that is created right after it would go unnoticed until the next rescan.
_SECOND_LOOK_S = 0.5

_ROOT_CHECK_INTERVAL_S = 1.0
_ROOT_CHECK_S_PER_ROOT = 0.002  # a stat costs some microseconds: keeps a thousand roots below 1 %

_REOPEN_COST_FACTOR = 20


class StopSignal(Protocol):
    """The part of threading.Event that is used; tests bring one whose waits take no time."""

    def is_set(self) -> bool: ...
    def set(self) -> None: ...
    def wait(self, timeout: float) -> bool: ...


OpenNotifications = Callable[[Sequence[str], StopSignal], Generator[RawChanges, None, None]]


def open_notifications(paths: Sequence[str], stop: StopSignal) -> Generator[RawChanges, None, None]:
    """Batches of native changes below the paths; an empty one at least every _TICK_MS."""
    from watchfiles import watch  # takes a while; a log that is only read once does without

    # It logs every batch at INFO: a line per write in the terminal of whoever uses logging.basicConfig.
    logger = logging.getLogger("watchfiles.main")
    if logger.level == logging.NOTSET:
        logger.setLevel(logging.WARNING)
    return watch(
        *paths,
        watch_filter=None,  # its filter would swallow the ticks while only checkpoints are written
        debounce=_GATHER_MS,
        step=_STEP_MS,
        rust_timeout=_TICK_MS,
        yield_on_timeout=True,
        stop_event=stop,
        raise_interrupt=True,
        force_polling=False,  # its polling reads a whole tree three times a second; ours is adaptive
        ignore_permission_denied=True,
    )


class Watcher:
    """Calls back when something below the given paths may have changed.

    ``refresh(paths)`` gets absolute paths of event files and directories that were added, changed or deleted,
    as seen below the given roots (links are not resolved). ``rescan()`` means: look at everything. Both are
    called on the thread that is in ``run``, one at a time; what they raise ends ``run``.
    """

    def __init__(
        self,
        paths: Sequence[str],
        *,
        refresh: Callable[[list[str]], Any],
        rescan: Callable[[], Any],
        mode: Mode = "auto",
        clock: Callable[[], float] = time.monotonic,
        stop: StopSignal | None = None,
        notifications: OpenNotifications = open_notifications,
        mount_table: str | None = None,
    ) -> None:
        self._paths = [os.path.abspath(path) for path in paths]
        self._refresh = refresh
        self._rescan = rescan
        self._clock = clock
        self._stop: StopSignal = threading.Event() if stop is None else stop
        self._notifications = notifications
        self._polling_reason = "asked for" if mode == "poll" else ""
        self._mount_table = mount_table
        self._network_types: dict[str, str] = {}
        self._anchors: dict[str, object] = {}
        """Roots, and links whose target went away, with the identity they had (None: gone).
        Once it is another one, the watch has to be opened anew."""
        self._given_of_real: dict[str, str] = {}
        self._pending_links: set[str] = set()
        self._second_looks: dict[str, float] = {}
        """New directories and when to look at them once more."""
        self._rescan_costs_s: list[float] = []
        self._rescan_due_s = 0.0
        self._check_due_s = 0.0
        self._reopen_allowed_s = 0.0

    @property
    def is_polling(self) -> bool:
        """Whether (some) changes are found by rescans only."""
        return bool(self._polling_reason or self._network_types or self._pending_links)

    @property
    def polling_reason(self) -> str:
        """One line for people; "" when everything is watched by notifications."""
        if self._polling_reason:
            return f"Rescanning instead of watching: {self._polling_reason}"
        if self._network_types:
            path, kind = next(iter(self._network_types.items()))
            return f"Rescanning instead of watching: {kind} does not tell about changes: {path}"
        return ""

    @property
    def rescan_interval_s(self) -> float:
        """Time between two rescans. The cheaper of the last two counts: one that read a lot is no measure."""
        cost_s = min(self._rescan_costs_s, default=0.0)
        if self.is_polling:
            return max(_POLL_INTERVAL_S, _POLL_COST_FACTOR * cost_s)
        return max(_SAFETY_INTERVAL_S, _SAFETY_COST_FACTOR * cost_s)

    def run(self) -> None:
        """Follow until ``stop``. Starts with a rescan, after which nothing can be missed."""
        while not self._stop.is_set():
            self._look_at_roots()
            watched = [path for path in self._paths if self._is_watchable(path)]
            if watched:
                self._follow(watched)
            else:
                self._poll()

    def stop(self) -> None:
        """Make ``run`` return (some tens of milliseconds after a running callback does). From any thread."""
        self._stop.set()

    # ---- one way of following at a time, each until something about the roots changes ----

    def _follow(self, watched: Sequence[str]) -> None:
        opening_s = self._clock()
        with closing(self._batches(watched)) as batches:
            first = next(batches, None)  # the generator starts to watch only now
            if first is None:
                return
            self._pending_links.clear()
            opened_s = self._clock()
            cost_s = max(0.0, opened_s - opening_s - _TICK_MS / 1000)  # the first batch may be an idle tick
            self._reopen_allowed_s = opened_s + _REOPEN_COST_FACTOR * cost_s
            self._timed_rescan()
            # The rescan has seen what the first batch tells, but not that a root went: it may come back with
            # its old inode number, and then nothing but this batch says that the watch is dead.
            for changes in chain([first], batches):
                self._handle(changes)
                if self._has_to_reopen():
                    return

    def _batches(self, watched: Sequence[str]) -> Generator[RawChanges, None, None]:
        """Native changes; ends when stopped or when they cannot be had (any more)."""
        try:
            with closing(self._notifications(watched, self._stop)) as native:
                yield from native
        except FileNotFoundError:
            # A root vanished between the look and the watch. Wait, so that this cannot become a busy loop.
            self._stop.wait(_POLL_INTERVAL_S)
        except (OSError, RuntimeError) as error:
            self._polling_reason = _reason_from_error(error)

    def _poll(self) -> None:
        self._timed_rescan()
        while not self._stop.wait(self._seconds_to_wait()):
            if self._clock() >= self._rescan_due_s:
                self._timed_rescan()
            if self._has_to_reopen():
                return

    def _seconds_to_wait(self) -> float:
        due_s = self._rescan_due_s if self._polling_reason else min(self._rescan_due_s, self._check_due_s)
        return max(0.0, due_s - self._clock())

    def _handle(self, changes: RawChanges) -> None:
        paths = sorted(self._relevant_paths(changes) | self._due_second_looks())
        if paths:
            started_s = self._clock()
            self._refresh(paths)
            # At most half of the time goes into refreshing, however fast and however many files grow.
            self._stop.wait(min(self._clock() - started_s, _POLL_INTERVAL_S))
        if self._clock() >= self._rescan_due_s:
            self._timed_rescan()

    def _timed_rescan(self) -> None:
        started_s = self._clock()
        self._rescan()
        now_s = self._clock()
        self._rescan_costs_s = [*self._rescan_costs_s[-1:], now_s - started_s]
        self._rescan_due_s = now_s + self.rescan_interval_s

    # ---- what changes mean ----

    def _relevant_paths(self, changes: RawChanges) -> set[str]:
        """Event files and directories. Cheap for all else: a checkpoint is written at 1 GB/s beside us."""
        found: set[str] = set()
        for change, raw_path in changes:
            if is_event_file_name(os.path.basename(raw_path)):
                found.add(self._as_given(raw_path))
            elif change == ADDED:
                path = self._as_given(raw_path)
                if os.path.isdir(path):
                    found.add(path)
                    self._second_looks[path] = self._clock() + _SECOND_LOOK_S
                    if os.path.islink(path):  # new links are reported but not entered
                        self._pending_links.add(path)
            elif change == DELETED:
                # It may have been a directory; what it was cannot be asked any more.
                path = self._as_given(raw_path)
                found.add(path)
                # A root, or the target of a link, may come back without a word and with its old inode number.
                if path in self._anchors or os.path.islink(path):
                    self._anchors[path] = None
        if self._pending_links:
            self._rescan_due_s = min(self._rescan_due_s, self._clock() + self.rescan_interval_s)
        return found

    def _due_second_looks(self) -> set[str]:
        now_s = self._clock()
        due = {path for path, due_s in self._second_looks.items() if due_s <= now_s}
        for path in due:
            del self._second_looks[path]
        return due

    def _as_given(self, path: str) -> str:
        """The path below the root as it was given. Some systems (macOS) report the real one."""
        for real, given in self._given_of_real.items():
            if (path + os.sep).startswith(real + os.sep) and not (path + os.sep).startswith(given + os.sep):
                return given + path[len(real) :]
        return path

    # ---- the roots themselves ----

    def _look_at_roots(self) -> None:
        self._anchors = {path: _identity(path) for path in self._paths}
        self._check_due_s = self._clock() + self._check_interval_s()
        reals = {os.path.realpath(path): path for path in self._paths}
        self._given_of_real = {real: path for real, path in reals.items() if real != path}
        table = read_mount_table() if self._mount_table is None else self._mount_table
        kinds = {path: network_type_of(path, table) for path in self._paths}
        self._network_types = {path: kind for path, kind in kinds.items() if kind}

    def _check_interval_s(self) -> float:
        return max(_ROOT_CHECK_INTERVAL_S, _ROOT_CHECK_S_PER_ROOT * len(self._anchors))

    def _is_watchable(self, path: str) -> bool:
        is_there = self._anchors[path] is not None
        return is_there and not self._polling_reason and path not in self._network_types

    def _has_to_reopen(self) -> bool:
        """Whether a root or a link is another directory than before: deleted, moved, created again."""
        now_s = self._clock()
        if self._polling_reason or now_s < self._reopen_allowed_s:
            return False
        if self._pending_links:
            return True
        if now_s < self._check_due_s:
            return False
        self._check_due_s = now_s + self._check_interval_s()
        return any(_identity(path) != identity for path, identity in self._anchors.items())


def _identity(path: str) -> tuple[int, int] | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _reason_from_error(error: Exception) -> str:
    text = str(error).strip() or type(error).__name__
    if "limit" in text or "os error 28" in text or "No space left" in text:
        return f"too many directories to watch; raise the sysctl fs.inotify.max_user_watches ({text})"
    return text
