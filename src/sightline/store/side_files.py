"""Files that belong to a run without being event files: embeddings for the projector, profiler traces.

They are found by name, on request, in the directories of the run; nothing is opened. Where they may lie:

    <run>/projector_config.pbtxt                                         also in the root of the log
    <run>/plugins/org_tensorflow_tensorboard_projector/projector_config.pbtxt
    <run>/plugins/profile/<session>/<host>.xplane.pb, *.trace.json.gz …   every file of a session
    <run>/<worker>.<time>.pt.trace.json[.gz]                              PyTorch's profiler
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass

# Shared with readers.side_listing, which finds the same files in listings of remote roots.
PROJECTOR_CONFIG_NAME = "projector_config.pbtxt"
PROJECTOR_PLUGIN = "plugins/org_tensorflow_tensorboard_projector"
PROFILE_PLUGIN = "plugins/profile"
TRACE_ENDINGS = (".pt.trace.json", ".pt.trace.json.gz")


@dataclass(frozen=True, slots=True)
class SideFiles:
    """Paths, sorted, without duplicates."""

    projector: tuple[str, ...] = ()
    profile: tuple[str, ...] = ()


def find_side_files(run_directories: Iterable[str], *, roots: Iterable[str] = ()) -> SideFiles:
    """Look at the disk now. A directory that is gone or closed to us has no side files."""
    projector: set[str] = set()
    profile: set[str] = set()
    for directory in run_directories:
        projector.update(_projector_configs(directory))
        profile.update(_traces(directory))
        profile.update(_profile_sessions(os.path.join(directory, PROFILE_PLUGIN)))
    for root in roots:
        # One config in the root serves every run below it, as in TensorBoard.
        projector.update(_projector_configs(root))
    return SideFiles(tuple(sorted(projector)), tuple(sorted(profile)))


def _projector_configs(directory: str) -> Iterable[str]:
    for place in (directory, os.path.join(directory, PROJECTOR_PLUGIN)):
        path = os.path.join(place, PROJECTOR_CONFIG_NAME)
        if os.path.isfile(path):
            yield path


def _traces(directory: str) -> Iterable[str]:
    return (entry.path for entry in _files_of(directory) if entry.name.endswith(TRACE_ENDINGS))


def _profile_sessions(directory: str) -> Iterable[str]:
    """Sessions are directories named by time; only one level, as every profiler writes it."""
    try:
        with os.scandir(directory) as entries:
            sessions = [entry.path for entry in entries if entry.is_dir()]
    except OSError:
        return
    for session in sessions:
        for entry in _files_of(session):
            yield entry.path


def _files_of(directory: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(directory) as entries:
            return [entry for entry in entries if entry.is_file()]
    except OSError:
        return []
