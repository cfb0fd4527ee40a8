"""Side files (projector configs, profiler traces) found in the listing of a remote root, by name alone.

The same places as in ``store.side_files``, which looks at local disks; here nothing is asked of the store.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable

from sightline.store.side_files import (
    PROFILE_PLUGIN,
    PROJECTOR_CONFIG_NAME,
    PROJECTOR_PLUGIN,
    TRACE_ENDINGS,
    SideFiles,
)


def side_files_by_directory(relative_paths: Iterable[str]) -> dict[str, SideFiles]:
    """Side files of each directory that has any; "" is the root. Paths are those given, sorted.

    >>> side_files_by_directory(["a/plugins/profile/2026_02_10/host.xplane.pb", "a/model.pt"])
    {'a': SideFiles(projector=(), profile=('a/plugins/profile/2026_02_10/host.xplane.pb',))}
    """
    projector: dict[str, list[str]] = {}
    profile: dict[str, list[str]] = {}
    for path in sorted(relative_paths):
        directory, name = posixpath.split(path)
        if name == PROJECTOR_CONFIG_NAME:
            projector.setdefault(_without(directory, PROJECTOR_PLUGIN), []).append(path)
        elif name.endswith(TRACE_ENDINGS):
            profile.setdefault(directory, []).append(path)
        else:
            sessions = posixpath.dirname(directory)
            owner = _without(sessions, PROFILE_PLUGIN)
            if owner != sessions:
                profile.setdefault(owner, []).append(path)
    owners = projector.keys() | profile.keys()
    return {o: SideFiles(tuple(projector.get(o, ())), tuple(profile.get(o, ()))) for o in sorted(owners)}


def _without(directory: str, ending: str) -> str:
    """The directory around ``ending``, or the directory itself when it does not end so."""
    if directory == ending:
        return ""
    return directory.removesuffix("/" + ending)
