"""One remote root as fsspec sees it: what is there (one listing), and ranges of bytes.

Everything that differs between stores is settled here: how they spell size, identity and time of an object,
whether their file system object may be shared between threads, which package is missing. Above this module a
store is a list of ``StoredObject`` and a function that reads a range.
"""

from __future__ import annotations

import datetime as dt
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sightline.model.errors import BadArgumentError, MissingExtraError
from sightline.readers.roots import Root, is_event_file_name

# Extras of ours that bring the package for a scheme; for the others fsspec knows the name of the package.
_EXTRA_OF_SCHEME = {"s3": "s3", "s3a": "s3"}

# How stores call the thing that changes whenever an object's bytes do; the best one first.
_IDENTITY_KEYS = ("ETag", "etag", "generation", "md5Hash", "content_md5", "checksum")
_TIME_KEYS = ("LastModified", "last_modified", "updated", "mtime", "modified", "created")

# Listings of these may start in the middle of a name: s3://bucket/runs/2026* need not list all of runs.
_SCHEMES_WITH_NAME_PREFIX = frozenset(("s3", "s3a", "gs", "gcs"))


@dataclass(frozen=True)
class StoredObject:
    """One object below a root."""

    key: str
    """What the store calls it."""
    relative_path: str
    """Below the root, with "/"; the base name when the root is this one object."""
    size_bytes: int
    identity: str
    """Changes when the bytes do; "" when the store has nothing of the kind."""
    modified_s: float
    """Wall time, 0 when unknown."""


class ObjectStore:
    """Lists and reads what lies below a remote root. May be used from several threads."""

    def __init__(self, root: Root, *, storage_options: Mapping[str, Any] | None = None) -> None:
        """Connects to nothing yet. Raises MissingExtraError or BadArgumentError when that can never work."""
        self._url = root.path
        self._options = dict(storage_options or {})
        self._local = threading.local()
        self._shared: Any = None
        scheme = root.path.partition("://")[0].rpartition("::")[2]
        try:
            import fsspec.core
        except ImportError:
            raise MissingExtraError("Reading remote logs", _EXTRA_OF_SCHEME.get(scheme, "remote")) from None
        self._url_to_fs = fsspec.core.url_to_fs
        try:
            # An instance of our own: nobody else's listing cache or settings.
            fs, self._base = self._url_to_fs(self._url, skip_instance_cache=True, **self._options)
        except ImportError as error:
            raise _missing_package(scheme, error) from None
        except (ValueError, TypeError) as error:
            raise BadArgumentError(f"Cannot read from there ({error}): {root.path}") from None
        if fs.async_impl:
            self._shared = fs
        self._listing_options: dict[str, str] = {}
        if root.pattern and scheme in _SCHEMES_WITH_NAME_PREFIX and (stem := _literal_stem(root.pattern)):
            self._listing_options["prefix"] = stem
        self._may_be_one_file = is_event_file_name(self._base.rpartition("/")[2])

    def list(self) -> list[StoredObject]:
        """Everything below the root, with one (paged) request. Raises whatever the store raises."""
        fs = self._fs()
        fs.invalidate_cache()
        if self._may_be_one_file:
            try:
                info = fs.info(self._base)
            except FileNotFoundError:
                return []
            if info.get("type") != "directory":
                return [_stored_object(self._base, self._base.rpartition("/")[2], info)]
            self._may_be_one_file = False
        found: Mapping[str, Mapping[str, Any]] = fs.find(self._base, detail=True, **self._listing_options)
        below = self._base.rstrip("/") + "/"
        return [
            _stored_object(key, key.removeprefix(below).lstrip("/"), info)
            for key, info in found.items()
            if info.get("type", "file") != "directory" and not key.endswith("/")
        ]

    def read(self, key: str, start: int, end: int) -> bytes:
        """Bytes [start, end) of an object. Raises OSError when they are not all there."""
        try:
            data: bytes = self._fs().cat_file(key, start=start, end=end)
        except (OSError, ImportError):
            raise
        except Exception as error:  # each back end has its own tree of network errors
            raise OSError(str(error) or type(error).__name__) from error
        if len(data) != end - start:
            raise OSError(f"{end - start:,} bytes were asked for and {len(data):,} came")
        return data

    def _fs(self) -> Any:
        """fsspec's rule: asynchronous file systems may be shared, of the others each thread has its own."""
        if self._shared is not None:
            return self._shared
        if not hasattr(self._local, "fs"):
            self._local.fs = self._url_to_fs(self._url, **self._options)[0]
        return self._local.fs


def _missing_package(scheme: str, error: ImportError) -> MissingExtraError:
    feature = f"Reading {scheme}://"
    if scheme in _EXTRA_OF_SCHEME:
        return MissingExtraError(feature, _EXTRA_OF_SCHEME[scheme])
    # fsspec knows of each file system where it is to be found, and at times says how to get it.
    from fsspec.registry import known_implementations

    location = str(known_implementations.get(scheme, {}).get("class", ""))
    package = location.partition(".")[0]
    if package in ("", "fsspec"):  # fsspec's own code for it needs something: the import that failed is it
        package = (error.name or "").partition(".")[0]
    if not package:
        return MissingExtraError(f"{feature} ({error})", "remote")
    return MissingExtraError(feature, "", package)


def _stored_object(key: str, relative_path: str, info: Mapping[str, Any]) -> StoredObject:
    times = [info[name] for name in _TIME_KEYS if info.get(name)]
    marks = [info[name] for name in _IDENTITY_KEYS if info.get(name)]
    identity = str((marks or times or [""])[0]).strip('"')
    return StoredObject(
        key=key,
        relative_path=relative_path,
        size_bytes=int(info.get("size") or 0),
        identity=identity,
        modified_s=_seconds_from_time(times[0]) if times else 0.0,
    )


def _seconds_from_time(value: object) -> float:
    """Stores give a datetime, a number or ISO text."""
    try:
        if isinstance(value, str):
            value = dt.datetime.fromisoformat(value.replace("Z", "+00:00"))
        return value.timestamp() if isinstance(value, dt.datetime) else float(value)  # type: ignore[arg-type]
    except (ValueError, TypeError, OverflowError):
        return 0.0


def _literal_stem(pattern: str) -> str:
    """What every match of the pattern starts with."""
    return pattern[: min(pattern.find(c) for c in "*?[" if c in pattern)]
