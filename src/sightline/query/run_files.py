"""Which files on disk belong to a run, and to no other."""

from __future__ import annotations

import os
from collections.abc import Iterable

from sightline.store.run import Run
from sightline.store.runs import RunStore
from sightline.store.side_files import PROJECTOR_PLUGIN


def event_files_of(run: Run) -> list[str]:
    return [file.path for file in run.files]


def own_side_files_of(store: RunStore, run: Run) -> list[str]:
    """Projector configs and traces beside the event files. A config in a root serves all runs."""
    roots = {os.path.join(root, "") for root in store.access.root_directories}
    found = run.side_files
    return [*(path for path in found.projector if _served_directory(path) not in roots), *found.profile]


def count_other_files(directories: Iterable[str], taken: Iterable[str]) -> int:
    """Files right in these directories that are none of those."""
    known = set(taken)
    count = 0
    for directory in directories:
        try:
            with os.scandir(directory) as entries:
                count += sum(1 for entry in entries if not entry.is_dir() and entry.path not in known)
        except OSError:
            continue  # gone, or closed to us: there is nothing to tell
    return count


def _served_directory(config: str) -> str:
    return os.path.join(os.path.dirname(config).removesuffix(f"/{PROJECTOR_PLUGIN}"), "")
