"""The project's settings, as a small file beside its code: ``configs/tensorboard.json``.

    {"runs_dir": "runs", "port": 6006, "histogram_interval": 100}

Every key may be left out. Guides and programs spell two of them differently (``runs_directory``,
``default_port``); both are understood. A key that nobody knows is a warning, because the file may serve other
programs as well; a known key with a senseless value is an error, because the user meant something by it.
"""

from __future__ import annotations

import json
import logging
import math
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from sightline.model.errors import BadArgumentError, NoSuchPathError, UnknownNameError

DEFAULT_PATH = "configs/tensorboard.json"

_log = logging.getLogger("sightline")


@dataclass(frozen=True)
class Settings:
    """What a project has set; the defaults for everything else."""

    runs_dir: str = "runs"
    """Where runs are; relative to the current directory."""
    port: int = 6006
    histogram_interval: int = 100
    """Steps from one histogram to the next; 0 or less: none."""
    max_port_attempts: int = 10
    """How many ports are tried, from `port` on, when one is taken."""
    path: str = ""
    """The file they come from; empty when there is none."""

    def is_histogram_step(self, step: int) -> bool:
        """Whether histograms are due at this step."""
        return self.histogram_interval > 0 and step % self.histogram_interval == 0


def load_settings(path: str | os.PathLike[str] | None = None) -> Settings:
    """The settings of a file; by default of ``configs/tensorboard.json`` here, or the defaults without one.

    Raises NoSuchPathError for a file that was named and is not there, BadArgumentError for one that makes no
    sense; both name the file, the latter the key.
    """
    file = Path(DEFAULT_PATH if path is None else path)
    try:
        text = file.read_text("utf-8-sig")
    except (FileNotFoundError, NotADirectoryError):
        if path is None:
            return Settings()
        raise NoSuchPathError(str(file), "Check the path of the settings") from None
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise BadArgumentError(f"Cannot read the settings: {reason}: {file}") from error
    return settings_from_json(text, path=str(file))


def settings_from_json(text: str, *, path: str) -> Settings:
    """The settings in the text of a file; `path` is for messages."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadArgumentError(f"Settings must be JSON: {error}: {path}") from error
    if not isinstance(found, dict):
        raise BadArgumentError(f'Settings must be a JSON object, like {{"runs_dir": "runs"}}: {path}')
    _warn_of_unknown_keys(found, path=path)
    values = {name: _value(name, found, path=path) for name in _CHECKS if _spellings(name) & set(found)}
    return replace(Settings(path=path), **values)


# ── keys ────────────────────────────────────────────────────────────────────────────────────────────────

_OTHER_SPELLINGS = {"runs_dir": "runs_directory", "port": "default_port"}


def _is_directory_name(value: object) -> bool:
    return isinstance(value, str) and value != ""


def _is_whole(value: object, *, least: float = -math.inf, most: float = math.inf) -> bool:
    # To Python, true is a number.
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


_CHECKS: Mapping[str, tuple[Callable[[object], bool], str]] = {
    "runs_dir": (_is_directory_name, 'the name of a directory, like "runs"'),
    "port": (partial(_is_whole, least=0, most=65535), "a whole number from 0 to 65535"),
    "histogram_interval": (_is_whole, "a whole number of steps (0: no histograms)"),
    "max_port_attempts": (partial(_is_whole, least=1), "a whole number above 0"),
}


def _spellings(name: str) -> set[str]:
    return {name, _OTHER_SPELLINGS.get(name, name)}


def _value(name: str, found: Mapping[str, Any], *, path: str) -> Any:
    given = {key: found[key] for key in sorted(_spellings(name)) if key in found}
    is_good, wanted = _CHECKS[name]
    for key, value in given.items():
        if not is_good(value):
            raise BadArgumentError(f"Setting {key!r} must be {wanted}, not {json.dumps(value)}: {path}")
    first, *others = given.values()
    if any(other != first for other in others):
        both = " and ".join(f"{key!r} ({json.dumps(value)})" for key, value in given.items())
        raise BadArgumentError(f"Settings {both} are two names for one thing; keep one of them: {path}")
    return first


def _warn_of_unknown_keys(found: Mapping[str, object], *, path: str) -> None:
    known = {spelling for name in _CHECKS for spelling in _spellings(name)}
    unknown = [key for key in found if key not in known]
    if unknown:
        told = "; ".join(str(UnknownNameError("setting", key, sorted(known))) for key in unknown[:10])
        _log.warning("Settings that Sightline does not know: %s: %s", told, path)
