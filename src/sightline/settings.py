"""The project's settings, a small file beside its code: ``sightline.toml`` or ``configs/tensorboard.json``.

    logdir = ["runs", "baseline:/data/old"]        {"runs_dir": "runs", "port": 6006,
    port = 6006                                     "histogram_interval": 100}

Both know the same keys, and every key may be left out. Guides and programs spell two of them differently
(``runs_directory``, ``default_port``); both are understood. A key that nobody knows is a warning, because the
file may serve other programs as well; a known key with a senseless value is an error, because the user meant
something by it.

Paths in ``sightline.toml`` are relative to that file, as in every project file; those in the JSON form to the
current directory, because the programs that brought this form read it that way.
"""

from __future__ import annotations

import json
import logging
import math
import os
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from sightline.model.errors import BadArgumentError, NoSuchPathError, UnknownNameError

TOML_PATH = "sightline.toml"
JSON_PATH = "configs/tensorboard.json"

_log = logging.getLogger("sightline")


@dataclass(frozen=True)
class Settings:
    """What a project has set; the defaults for everything else."""

    runs_dir: str = "runs"
    """Where runs are written; also what is shown, when `logdir` is not set."""
    port: int = 6006
    histogram_interval: int = 100
    """Steps from one histogram to the next; 0 or less: none."""
    max_port_attempts: int = 10
    """How many ports are tried, from `port` on, when one is taken."""
    path: str = ""
    """The file they come from; empty when there is none."""
    logdir: tuple[str, ...] = ()
    """What is shown: directories, globs, ``name:path``, URLs."""
    host: str = ""
    """Address to listen on; empty: this machine only."""
    bind_all: bool = False
    path_prefix: str = ""
    window_title: str = ""
    allowed_hosts: tuple[str, ...] = ()
    """More names by which browsers may reach the server."""
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    allow_delete: bool = False
    """Whether the page may move runs to the trash."""

    def is_histogram_step(self, step: int) -> bool:
        """Whether histograms are due at this step."""
        return self.histogram_interval > 0 and step % self.histogram_interval == 0


def load_settings(path: str | os.PathLike[str] | None = None) -> Settings:
    """The settings of a file. By default of ``sightline.toml`` in the current directory, else of
    ``configs/tensorboard.json`` there; without either, the defaults.

    Raises NoSuchPathError for a file that was named and is not there, BadArgumentError for one that makes no
    sense; both name the file, the latter the key.
    """
    if path is None:
        found = next((name for name in (TOML_PATH, JSON_PATH) if os.path.isfile(name)), None)
        if found is None:
            return Settings()
        path = found
    file = Path(path)
    try:
        text = file.read_text("utf-8-sig")
    except (FileNotFoundError, NotADirectoryError):
        raise NoSuchPathError(str(file), "Check the path of the settings") from None
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise BadArgumentError(f"Cannot read the settings: {reason}: {file}") from error
    if file.suffix.lower() == ".toml":
        return settings_from_toml(text, path=str(file))
    return settings_from_json(text, path=str(file))


def settings_from_json(text: str, *, path: str) -> Settings:
    """The settings in the text of a JSON file; `path` is for messages."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadArgumentError(f"Settings must be JSON: {error}: {path}") from error
    if not isinstance(found, dict):
        raise BadArgumentError(f'Settings must be a JSON object, like {{"runs_dir": "runs"}}: {path}')
    return _settings_from(found, path=path)


def settings_from_toml(text: str, *, path: str) -> Settings:
    """The settings in the text of a TOML file; places in it are relative to the directory of `path`."""
    try:
        found = _toml_parser()(text)
    except (ValueError, RecursionError) as error:
        raise BadArgumentError(f"Settings must be TOML: {error}: {path}") from error
    except ImportError:
        raise BadArgumentError(
            f"Python {sys.version_info[0]}.{sys.version_info[1]} cannot read TOML by itself: install tomli "
            f"(pip install tomli), or put the settings into {JSON_PATH}: {path}"
        ) from None
    settings = _settings_from(found, path=path)
    base = os.path.dirname(path)
    return replace(
        settings,
        runs_dir=_below(base, settings.runs_dir),
        logdir=tuple(place for given in settings.logdir for place in _places_below(base, given)),
    )


def _toml_parser() -> Callable[[str], dict[str, Any]]:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    return tomllib.loads


# ── places ──────────────────────────────────────────────────────────────────────────────────────────────

# As readers.roots sees them, which training code must not import: a name in front, a URL.
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.\-:]+://")
_NAMED = re.compile(r"(?P<name>[^:,/\\~.][^:,\\]*):(?P<location>.+)", re.DOTALL)


def _below(base: str, path: str) -> str:
    """A path as seen from the current directory."""
    is_fixed = os.path.isabs(path) or path.startswith("~") or _URL.match(path)
    return path if is_fixed or not base else os.path.join(base, path)


def _places_below(base: str, given: str) -> list[str]:
    """The same for what may be a comma list of ``path`` and ``name:path``; what exists is meant literally."""
    if not base or os.path.lexists(_below(base, given)):
        return [_below(base, given)]
    places = []
    for piece in given.split(","):
        named = None if _URL.match(piece) else _NAMED.fullmatch(piece.strip())
        if named is None:
            places.append(_below(base, piece.strip()))
        else:
            places.append(f"{named['name']}:{_below(base, named['location'].strip())}")
    return places


# ── keys ────────────────────────────────────────────────────────────────────────────────────────────────

_OTHER_SPELLINGS = {"runs_dir": "runs_directory", "port": "default_port"}


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_filled_text(value: object) -> bool:
    return isinstance(value, str) and value != ""


def _is_texts(value: object) -> bool:
    """One text, or a list of them."""
    if isinstance(value, list):
        return all(map(_is_filled_text, value))
    return _is_filled_text(value)


def _is_whole(value: object, *, least: float = -math.inf, most: float = math.inf) -> bool:
    # To Python, true is a number.
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def _is_truth(value: object) -> bool:
    return isinstance(value, bool)


_CHECKS: Mapping[str, tuple[Callable[[object], bool], str]] = {
    "runs_dir": (_is_filled_text, 'the name of a directory, like "runs"'),
    "port": (partial(_is_whole, least=0, most=65535), "a whole number from 0 to 65535"),
    "histogram_interval": (_is_whole, "a whole number of steps (0: no histograms)"),
    "max_port_attempts": (partial(_is_whole, least=1), "a whole number above 0"),
    "logdir": (_is_texts, 'a directory or a list of them, like ["runs", "old:/data/old"]'),
    "host": (_is_text, 'an address to listen on, like "localhost"'),
    "bind_all": (_is_truth, "true or false"),
    "path_prefix": (_is_text, 'a path, like "/sightline"'),
    "window_title": (_is_text, "a text"),
    "allowed_hosts": (_is_texts, 'a host name or a list of them, like ["gpu7.example.org"]'),
    "include": (_is_texts, 'a glob or a list of them, like ["2026-*"]'),
    "exclude": (_is_texts, 'a glob or a list of them, like ["*test*"]'),
    "allow_delete": (_is_truth, "true or false"),
}

_LISTS = frozenset(name for name, (check, _) in _CHECKS.items() if check is _is_texts)


def _settings_from(found: Mapping[str, Any], *, path: str) -> Settings:
    _warn_of_unknown_keys(found, path=path)
    values = {name: _value(name, found, path=path) for name in _CHECKS if _spellings(name) & set(found)}
    return replace(Settings(path=path), **values)


def _spellings(name: str) -> set[str]:
    return {name, _OTHER_SPELLINGS.get(name, name)}


def _value(name: str, found: Mapping[str, Any], *, path: str) -> Any:
    given = {key: found[key] for key in sorted(_spellings(name)) if key in found}
    is_good, wanted = _CHECKS[name]
    for key, value in given.items():
        if not is_good(value):
            raise BadArgumentError(f"Setting {key!r} must be {wanted}, not {_shown(value)}: {path}")
    first, *others = given.values()
    if any(other != first for other in others):
        both = " and ".join(f"{key!r} ({_shown(value)})" for key, value in given.items())
        raise BadArgumentError(f"Settings {both} are two names for one thing; keep one of them: {path}")
    if name in _LISTS:
        return (first,) if isinstance(first, str) else tuple(first)
    return first


def _shown(value: object) -> str:
    return json.dumps(value, default=str)  # TOML has dates, JSON has not


def _warn_of_unknown_keys(found: Mapping[str, object], *, path: str) -> None:
    known = {spelling for name in _CHECKS for spelling in _spellings(name)}
    unknown = [key for key in found if key not in known]
    if "token" in unknown:
        unknown.remove("token")
        _log.warning(
            "A token does not belong into a file that others read, and is not used: "
            "set the environment variable SIGHTLINE_TOKEN instead: %s",
            path,
        )
    if unknown:
        told = "; ".join(str(UnknownNameError("setting", key, sorted(known))) for key in unknown[:10])
        _log.warning("Settings that Sightline does not know: %s: %s", told, path)
