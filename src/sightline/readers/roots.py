"""What users write for "where are my logs" turned into a list of roots.

One string may hold several places (``a:runs/x,b:s3://bucket/y``), a name, ``~`` or a glob. The rule that
settles every ambiguity: **what exists is meant literally**. A directory called ``a:b,c`` is that directory;
only when it is not there do commas separate, colons name and stars match. (TensorBoard splits first, and so
cannot open such directories.)

Roots are then merged, so that no run is read twice, and get prefixes, so that no two runs share a name by
accident: names that the user gave win, a glob keeps the part of the path it matched, and of several plain
roots each gets the shortest tail of its path that tells it apart.
"""

from __future__ import annotations

import glob
import itertools
import os
import re
import stat
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Union

from sightline.model.errors import BadArgumentError, NoSuchPathError

RootsGiven = Union[str, "os.PathLike[str]", Sequence[Union[str, "os.PathLike[str]"]]]

EVENT_FILE_MARK = "tfevents"
"""A file is an event file when its base name contains this; nothing else about the name matters."""

# Also fsspec's chains: simplecache::s3://bucket/runs. Two letters at least, or a drive would be a scheme.
_URL = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.\-]+::)*[A-Za-z][A-Za-z0-9+.\-]+://")
_LOCAL_URL = re.compile(r"(?:file|local)://")
_NAMED = re.compile(r"(?P<name>[^:,/\\~.][^:,\\]*):(?P<location>.+)", re.DOTALL)
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")

# Tells a pattern from a directory inside a key; no path part can start with it.
_PATTERN_MARK = "\0"

# Joining is tried for every run of neighbouring pieces; nobody has more commas than this in one path.
_MAX_COMMAS_IN_PATH = 8


@dataclass(frozen=True)
class Root:
    """One place to read from."""

    path: str
    """Absolute path, or URL; never ends in a separator."""
    prefix: str = ""
    """Goes in front of the run names below; "" for none."""
    is_remote: bool = False
    is_file: bool = False
    """One event file instead of a directory (local roots only: a remote one is not looked at here)."""
    pattern: str = ""
    """Remote roots only: the glob that a path below ``path`` has to match, or to lie below a match of."""
    exclude: tuple[str, ...] = ()
    """Globs on paths below this root that another root reads; to be added to the user's own."""


@dataclass(frozen=True)
class _Candidate:
    root: Root
    key: tuple[str, ...]
    """The real location in parts: equal parts are the same place, a shorter beginning is around it."""
    name: str
    """What the user called it; "" for nothing."""
    given: str
    """The text that this came from; a glob gives many."""
    is_prefix_settled: bool
    is_from_glob: bool = False

    @property
    def is_named(self) -> bool:
        """The user chose the name, so it must not vanish."""
        return bool(self.name)


def parse_roots(
    given: RootsGiven, *, may_be_missing: bool = False, is_windows: bool = os.name == "nt"
) -> list[Root]:
    """The roots meant by a string, a path or a list of them, in the order given.

    A string may be a comma list of ``path`` or ``name:path``; an ``os.PathLike`` is only ever a path or a
    glob. May be called again later: a glob then also gives what appeared since.

    Raises NoSuchPathError for a path that is not there or a glob without a match, and BadArgumentError for
    something that cannot be a log. With ``may_be_missing`` a path that is not there is taken for a directory
    that is made later.

    >>> [(root.path, root.prefix) for root in parse_roots("mine:s3://bucket/a/,s3://bucket/b")]
    [('s3://bucket/a', 'mine'), ('s3://bucket/b', 'b')]
    """
    candidates: list[_Candidate] = []
    for item in _items(given):
        if isinstance(item, str):
            for text in _split_at_commas(item, is_windows=is_windows):
                name, location = _split_name(text, is_windows=is_windows)
                candidates += _candidates(location, name=name, given=text, may_be_missing=may_be_missing)
        else:
            path = os.fsdecode(os.fspath(item))
            candidates += _candidates(
                path, name="", given=path, may_be_missing=may_be_missing, may_be_url=False
            )
    if not candidates:
        raise BadArgumentError("No log directory was given")
    merged = _merged(candidates)
    _check_names(merged)
    return _with_prefixes(merged)


def _items(given: object) -> list[str | os.PathLike[str]]:
    """What was given as a list. Untyped callers give anything: a wrong type is told, never guessed at."""
    wanted = "A log directory is a string, a path, or a list of those"
    if isinstance(given, (str, os.PathLike)):
        return [given]
    if isinstance(given, (bytes, bytearray, Mapping)) or not isinstance(given, Iterable):
        raise BadArgumentError(f"{wanted}, not {_kind(given)}: {given!r}")
    items = list(given)
    for item in items:
        if not isinstance(item, (str, os.PathLike)):
            raise BadArgumentError(f"{wanted}, and this list holds {_kind(item)}: {item!r}")
    return items


def _kind(value: object) -> str:
    return "None" if value is None else f"a value of type {type(value).__name__}"


def is_event_file_name(name: str) -> bool:
    """Whether a base name (not a path) is that of an event file."""
    return EVENT_FILE_MARK in name


# ---- from text to candidates -------------------------------------------------------------------------------


def _split_at_commas(text: str, *, is_windows: bool) -> list[str]:
    """The pieces of a comma list. Pieces whose joined text exists belong together; the longest join wins."""
    if "," not in text or _exists(text):
        return [text] if text.strip() else []
    pieces = text.split(",")
    found: list[str] = []
    first = 0
    while first < len(pieces):
        end = first + 1
        for longer_end in range(min(len(pieces), first + _MAX_COMMAS_IN_PATH), end, -1):
            joined = ",".join(pieces[first:longer_end])
            if _exists(_split_name(joined, is_windows=is_windows)[1]):
                end = longer_end
                break
        piece = ",".join(pieces[first:end])
        if piece.strip():
            found.append(piece if _exists(piece) else piece.strip())
        first = end
    return found


def _split_name(text: str, *, is_windows: bool) -> tuple[str, str]:
    """(name or "", location) of one spec. Schemes and drives are not names, nor is part of what exists."""
    if _URL.match(text) or _exists(text):
        return "", text
    # On Windows c:/logs is a drive; elsewhere TensorBoard's users write a:/logs for "a".
    if _DRIVE.match(text) and (is_windows or text[2] == "\\"):
        return "", text
    named = _NAMED.fullmatch(text)
    if named is None:
        return "", text
    return named["name"].strip().strip("/"), named["location"].strip()


def _exists(path: str) -> bool:
    return os.path.lexists(os.path.expanduser(path))


def _candidates(
    location: str, *, name: str, given: str, may_be_missing: bool, may_be_url: bool = True
) -> list[_Candidate]:
    if may_be_url and _LOCAL_URL.match(location):
        location = location.split("://", 1)[1]
    elif may_be_url and _URL.match(location):
        return [_remote_candidate(location, name=name)]
    path = os.path.expanduser(location)
    if not os.path.lexists(path) and glob.has_magic(path):
        return _glob_candidates(path, name=name, given=given)
    path = os.path.abspath(path)
    try:
        is_file = _is_file(path, given=given)
    except NoSuchPathError:
        # Nobody knows the name of an event file in advance: one that is not there is a mistake.
        if not may_be_missing or is_event_file_name(os.path.basename(path)):
            raise
        is_file = False
    return [
        _local_candidate(
            path, name=name, given=given, prefix=name, is_prefix_settled=bool(name), is_file=is_file
        )
    ]


def _local_candidate(
    path: str,
    *,
    name: str,
    given: str,
    prefix: str,
    is_prefix_settled: bool,
    is_file: bool,
    is_from_glob: bool = False,
) -> _Candidate:
    if is_file and not is_event_file_name(os.path.basename(path)):
        raise BadArgumentError(
            f"Neither a directory nor an event file (its name does not contain {EVENT_FILE_MARK!r}): {path}"
        )
    return _Candidate(
        root=Root(path, prefix, is_file=is_file),
        key=("", *(part for part in os.path.realpath(path).split(os.sep) if part)),
        name=name,
        given=given,
        is_prefix_settled=is_prefix_settled,
        is_from_glob=is_from_glob,
    )


def _is_file(path: str, *, given: str) -> bool:
    try:
        return not stat.S_ISDIR(os.stat(path).st_mode)
    except (FileNotFoundError, NotADirectoryError):
        is_dangling = os.path.islink(path)
        advice = "It is a link to something that is not there" if is_dangling else "Check the path"
        if os.path.basename(path) != os.path.basename(given):
            advice += f" (given as {given!r})"
        raise NoSuchPathError(path, advice) from None
    except (OSError, ValueError) as error:  # ValueError: a NUL inside
        reason = getattr(error, "strerror", None) or str(error)
        raise BadArgumentError(f"Cannot look at this path ({reason}): {path!r}") from None


def _glob_candidates(pattern: str, *, name: str, given: str) -> list[_Candidate]:
    """The directories and event files that match; each keeps its path below the fixed part of the pattern."""
    pattern = os.path.abspath(pattern)
    base = _fixed_part(pattern, os.sep) or os.sep
    found: list[_Candidate] = []
    for path in _each_place_once(map(os.path.abspath, _expand(pattern))):
        is_directory = os.path.isdir(path)
        if not is_directory and not (os.path.isfile(path) and is_event_file_name(os.path.basename(path))):
            continue
        kept = os.path.relpath(path if is_directory else os.path.dirname(path), base)
        kept = "" if kept == os.curdir else kept.replace(os.sep, "/")
        prefix = "/".join(part for part in (name, kept) if part)
        found.append(
            _local_candidate(
                path,
                name=name,
                given=given,
                prefix=prefix,
                is_prefix_settled=True,
                is_file=_is_file(path, given=given),
                is_from_glob=True,
            )
        )
    if not found:
        raise NoSuchPathError(pattern, "The pattern matches no directory and no event file")
    return found


def _each_place_once(paths: Iterable[str]) -> list[str]:
    """Of several ways to the same real place the shortest; sorted."""
    by_place: dict[str, str] = {}
    for path in sorted(paths, key=lambda path: (path.count(os.sep), path)):
        by_place.setdefault(os.path.realpath(path), path)
    return sorted(by_place.values())


def _expand(pattern: str) -> Iterable[str]:
    """As glob.glob, but ``**`` enters no links, which may lead round in circles, and nothing hidden."""
    parts = pattern.split(os.sep)
    if "**" not in parts:
        return glob.glob(pattern)
    first = parts.index("**")
    bases = map(Path, glob.glob(os.sep.join(parts[:first]) or os.sep))
    found = ((base, path) for base in bases for path in base.glob(os.sep.join(parts[first:])))
    return (
        str(path)
        for base, path in found
        if not any(part.startswith(".") for part in path.relative_to(base).parts)
    )


def _remote_candidate(url: str, *, name: str) -> _Candidate:
    scheme, separator, rest = url.partition("://")
    rest = rest.rstrip("/")
    pattern = ""
    # An address of the web may carry a "?"; inside a chain it is not clear whose path a star would be in.
    if glob.has_magic(rest) and "::" not in url and not scheme.startswith("http"):
        base = _fixed_part(rest, "/")
        rest, pattern = base, rest[len(base) :].strip("/")
    path = scheme + separator + rest
    key = (scheme, *rest.split("/"), *((_PATTERN_MARK + pattern,) if pattern else ()))
    return _Candidate(
        root=Root(path, name, is_remote=True, pattern=pattern),
        key=key,
        name=name,
        given=url,
        # Below a pattern the run names keep the matched directory by themselves.
        is_prefix_settled=bool(name or pattern),
    )


def _fixed_part(pattern: str, separator: str) -> str:
    """The directories in front of the first part that has a wildcard."""
    parts = pattern.split(separator)
    first_magic = next(i for i, part in enumerate(parts) if glob.has_magic(part))
    return separator.join(parts[:first_magic])


# ---- no run twice ------------------------------------------------------------------------------------------


def _merged(candidates: Sequence[_Candidate]) -> list[_Candidate]:
    """One candidate per place. What lies inside another root is read there, unless the user named it."""
    by_key: dict[tuple[str, ...], _Candidate] = {}
    for candidate in candidates:
        earlier = by_key.get(candidate.key)
        by_key[candidate.key] = candidate if earlier is None else _one_of(earlier, candidate)
    kept: dict[tuple[str, ...], _Candidate] = {}
    for key, candidate in sorted(by_key.items(), key=lambda item: len(item[0])):
        outer_key = next((key[:n] for n in range(len(key) - 1, 0, -1) if key[:n] in kept), None)
        if outer_key is None:
            kept[key] = candidate
            continue
        outer = kept[outer_key].root
        if candidate.is_named and not candidate.root.is_file:
            outer = replace(outer, exclude=(*outer.exclude, _path_as_glob(key[len(outer_key) :])))
            kept[key] = candidate
            kept[outer_key] = replace(kept[outer_key], root=outer)
    return [kept[key] for key in by_key if key in kept]


def _path_as_glob(parts: Sequence[str]) -> str:
    """A pattern that matches just this path; the last part may be the pattern of a remote root."""
    return "/".join(p[1:] if p.startswith(_PATTERN_MARK) else glob.escape(p) for p in parts)


def _one_of(first: _Candidate, second: _Candidate) -> _Candidate:
    """The same place given twice: a name beats no name, else the first stays."""
    return second if second.is_named and not first.is_named else first


# ---- no two runs of one name -------------------------------------------------------------------------------


def _check_names(candidates: Sequence[_Candidate]) -> None:
    """Raises BadArgumentError when one name was given to two places: their runs would become one."""
    first_of_name: dict[str, _Candidate] = {}
    for candidate in candidates:
        if not candidate.is_named:
            continue
        first = first_of_name.setdefault(candidate.name, candidate)
        is_same_run = _directory(first.root) == _directory(candidate.root)
        if first.given != candidate.given and not is_same_run:
            raise BadArgumentError(
                f"Two places have the same name {candidate.name!r}, and their runs would be mixed; "
                f"give each its own: {first.root.path} and {candidate.root.path}"
            )


def _with_prefixes(candidates: Sequence[_Candidate]) -> list[Root]:
    """Of several plain roots each gets the shortest tail of its path; a single one needs no prefix."""
    candidates = _with_clear_prefixes(candidates)
    unsettled = [c.root for c in candidates if not c.is_prefix_settled]
    if len(candidates) < 2 or not unsettled:
        return [c.root for c in candidates]
    taken = {c.root.prefix for c in candidates if c.is_prefix_settled}
    tails = _shortest_tails({_directory(root) for root in unsettled}, taken=taken)
    return [
        c.root if c.is_prefix_settled else replace(c.root, prefix=tails[_directory(c.root)])
        for c in candidates
    ]


def _with_clear_prefixes(candidates: Sequence[_Candidate]) -> list[_Candidate]:
    """Two globs may keep the same part of different paths: then that part does not settle the prefix."""
    places: dict[str, set[str]] = {}
    for candidate in candidates:
        if candidate.is_prefix_settled:
            places.setdefault(candidate.root.prefix, set()).add(_directory(candidate.root))
    return [
        replace(c, is_prefix_settled=False)
        if c.is_from_glob and not c.is_named and len(places[c.root.prefix]) > 1
        else c
        for c in candidates
    ]


def _directory(root: Root) -> str:
    """Event files of one directory belong to one run, so it is the directory that gets a name."""
    return os.path.dirname(root.path) if root.is_file else root.path


def _shortest_tails(directories: set[str], *, taken: set[str]) -> dict[str, str]:
    """For each directory the fewest last parts that neither another one nor a settled prefix has."""
    parts = {directory: _name_parts(directory) for directory in sorted(directories)}
    lengths = dict.fromkeys(parts, 1)
    while True:
        tails = {directory: "/".join(parts[directory][-length:]) for directory, length in lengths.items()}
        uses = Counter(tails.values())
        unclear = [directory for directory, tail in tails.items() if uses[tail] > 1 or tail in taken]
        longer = [directory for directory in unclear if lengths[directory] < len(parts[directory])]
        if not longer:
            break
        for directory in longer:
            lengths[directory] += 1
    # Left are whole paths that equal someone's name, and a local path that equals a remote one: number them.
    for directory in unclear:
        free = (f"{tails[directory]}-{n}" for n in itertools.count(2))
        tails[directory] = next(name for name in free if name not in taken and name not in tails.values())
    return tails


def _name_parts(directory: str) -> list[str]:
    path = _URL.sub("", directory) if _URL.match(directory) else os.path.splitdrive(directory)[1]
    return [part for part in path.replace(os.sep, "/").split("/") if part] or ["root"]
