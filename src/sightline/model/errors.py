"""Every error Sightline raises on purpose, as one tree. Classes follow the reaction they call for.

    SightlineError
    ├── UserError              the call or the command line has to change
    │   ├── BadArgumentError       (also a ValueError)
    │   │   └── FormulaError           a formula that cannot be read, and where
    │   ├── NoSuchPathError        (also a FileNotFoundError)
    │   └── UnknownNameError       a run, tag or step that is not there (also a KeyError)
    ├── DataError              the log is at fault; skip this value or file and go on
    │   ├── DamagedValueError      the bytes of one value cannot be decoded
    │   ├── MediaError             a picture, film or sound that cannot be shown (also a ValueError)
    │   └── FileGoneError          the file was removed or replaced: retry after a refresh
    └── MissingExtraError      an optional package has to be installed (also an ImportError)

A message says what happened, where, and what to do; a path comes last. Constructors take the facts, in order,
and ``__str__`` makes the sentence: that way errors survive pickling between processes.
"""

from __future__ import annotations

import errno
from collections.abc import Iterable
from itertools import islice


class SightlineError(Exception):
    """Base of all errors raised on purpose."""


class UserError(SightlineError):
    """The request cannot be met as it was made."""


class BadArgumentError(UserError, ValueError):
    """An argument has a value that makes no sense here."""


class FormulaError(BadArgumentError):
    """A formula that cannot be read: a sentence, and the character at which it goes wrong."""

    def __init__(self, sentence: str, position: int) -> None:
        super().__init__(sentence, position)
        self.sentence = sentence
        self.position = position
        """Counted from 0."""

    def __str__(self) -> str:
        return f"{self.sentence} (at character {self.position + 1})"


class NoSuchPathError(UserError, FileNotFoundError):
    """A path that was named does not exist."""

    def __init__(self, path: str, advice: str = "Check the path") -> None:
        super().__init__(path, advice)
        self.errno = errno.ENOENT
        self.path = path
        self.advice = advice

    def __str__(self) -> str:
        return f"No such file or directory. {self.advice}: {self.path}"


class UnknownNameError(UserError, KeyError):
    """A run, tag or step that is not in the log; the message offers the nearest names."""

    def __init__(self, what: str, name: str, known: Iterable[str] = ()) -> None:
        self.what = what
        self.name = name
        self.near_misses = _near_misses(name, known)
        super().__init__(what, name, self.near_misses)

    def __str__(self) -> str:
        found = f"No {self.what} named {self.name!r}"
        if not self.near_misses:
            return found
        return f"{found}. Did you mean {' or '.join(repr(name) for name in self.near_misses)}?"


# Comparing takes time; an error message must not. Ten thousand runs and tags of a megabyte do exist.
_MOST_NAMES_COMPARED = 2000
_LONGEST_NAME_COMPARED = 200


def _near_misses(name: str, known: Iterable[str]) -> tuple[str, ...]:
    import difflib  # only when something went wrong

    short = (other for other in known if len(other) <= _LONGEST_NAME_COMPARED)
    if len(name) > _LONGEST_NAME_COMPARED:
        return ()
    return tuple(difflib.get_close_matches(name, list(islice(short, _MOST_NAMES_COMPARED))))


class DataError(SightlineError):
    """Something in the log cannot be used. Everything else in it still can."""


class DamagedValueError(DataError, ValueError):
    """The bytes of one value cannot be decoded."""

    def __init__(self, reason: str, where: str = "") -> None:
        super().__init__(reason, where)
        self.reason = reason
        self.where = where

    def __str__(self) -> str:
        place = f" of {self.where}" if self.where else ""
        return f"Cannot decode the value{place}: {self.reason}"


class MediaError(DataError, ValueError):
    """A picture, film or sound that cannot be shown: a sentence for its place."""


class FileGoneError(DataError, FileNotFoundError):
    """The file that holds a value was removed, replaced or cut short since it was indexed."""

    def __init__(self, path: str, reason: str = "the file was removed, replaced or cut short") -> None:
        super().__init__(path, reason)
        self.errno = errno.ENOENT
        self.path = path
        self.reason = reason

    def __str__(self) -> str:
        return f"Cannot read the value: {self.reason}. Call refresh() and ask again: {self.path}"


class MissingExtraError(SightlineError, ImportError):
    """A feature needs a package that is not installed: one that an extra of ours brings, or a foreign one."""

    def __init__(self, feature: str, extra: str, package: str = "") -> None:
        super().__init__(feature, extra, package)
        self.feature = feature
        self.extra = extra
        self.package = package
        """Set when none of our extras brings it."""

    def __str__(self) -> str:
        wanted = self.package or f'"sightline[{self.extra}]"'
        return f"{self.feature} needs a package that is not installed. Run: pip install {wanted}"
