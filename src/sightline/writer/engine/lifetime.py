"""Closes writers when the process ends, also in children of ``multiprocessing``, and says how it ended.

A writer that is still open at exit is closed, so that nothing that was logged is lost. ``multiprocessing``
children leave without the usual exit handlers; they have finalizers of their own, and forget those of the
parent as they begin, so they are told again in the child.
"""

from __future__ import annotations

import atexit
import logging
import os
import sys
import weakref
from typing import Any, Protocol


class Closable(Protocol):
    def _close_at_exit(self, error: BaseException | None) -> None: ...
    def _renew_after_fork(self) -> None: ...


class _Registration:
    """What ``multiprocessing`` holds on to (weakly) between a fork and the beginning of the child."""


log = logging.getLogger("sightline.writer")

_open: weakref.WeakSet[Any] = weakref.WeakSet()
_registration = _Registration()
_finalized_pid = 0


def remember(writer: Closable) -> None:
    """From now on `writer` is closed when the process ends."""
    global _finalized_pid
    _open.add(writer)
    # A child of multiprocessing may make its first writer long after the fork, or have imported us only then.
    if "multiprocessing.util" in sys.modules and _finalized_pid != os.getpid():
        _close_at_the_end_of_a_child(None)


def _close_all() -> None:
    error = unhandled_error()
    for writer in list(_open):
        try:
            writer._close_at_exit(error)
        except Exception:  # the others must be closed, whatever happened to this one
            log.exception("a writer could not be closed")
    _open.clear()


def _close_at_the_end_of_a_child(_: object) -> None:
    global _finalized_pid
    _finalized_pid = os.getpid()
    sys.modules["multiprocessing.util"].Finalize(None, _close_all, exitpriority=0)


def _after_fork_in_child() -> None:
    for writer in list(_open):
        writer._renew_after_fork()
    util = sys.modules.get("multiprocessing.util")
    if util is not None:
        util.register_after_fork(_registration, _close_at_the_end_of_a_child)


atexit.register(_close_all)
os.register_at_fork(after_in_child=_after_fork_in_child)


# They end loops, not programs.
_NO_CRASH = (StopIteration, StopAsyncIteration, GeneratorExit)


class CallersError:
    """The exception on its way through who closes a writer: ``finally: writer.close()`` tells a crash, too.

    One that was being handled already when the writer was made does not count: the program lives on behind
    it. It is known by its identity alone; holding it would hold everything its frames hold.
    """

    def __init__(self) -> None:
        self._survived = {_key(error) for error in (sys.exc_info()[1], _last_error()) if error is not None}

    def now(self) -> BaseException | None:
        return self.unless_survived(sys.exc_info()[1])

    def unless_survived(self, error: BaseException | None) -> BaseException | None:
        """The error, if it can be what ends the run."""
        if error is None or isinstance(error, _NO_CRASH) or _key(error) in self._survived:
            return None
        return error


def _key(error: BaseException) -> tuple[int, type]:
    return id(error), type(error)


def ended_well(error: BaseException | None) -> bool:
    """Whether a program that ends with this exception ends as it should."""
    return error is None or (isinstance(error, SystemExit) and not error.code)


def unhandled_error() -> BaseException | None:
    """The exception that is ending the process, if one is.

    An interactive session remembers its last error too, and goes on; there nothing is known.
    """
    is_interactive = hasattr(sys, "ps1") or sys.flags.interactive or "IPython" in sys.modules
    return None if is_interactive else _last_error()


def _last_error() -> BaseException | None:
    error = getattr(sys, "last_exc", None) or getattr(sys, "last_value", None)
    return error if isinstance(error, BaseException) else None
