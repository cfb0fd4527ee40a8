"""Side files of a remote root, by name."""

from __future__ import annotations

import os
from pathlib import Path

from sightline.readers.side_listing import side_files_by_directory
from sightline.store.side_files import SideFiles, find_side_files

PATHS = [
    "projector_config.pbtxt",
    "a/projector_config.pbtxt",
    "a/plugins/org_tensorflow_tensorboard_projector/projector_config.pbtxt",
    "a/plugins/profile/2026_02_10/host.xplane.pb",
    "a/plugins/profile/2026_02_10/host.trace.json.gz",
    "a/plugins/profile/not-in-a-session.pb",
    "a/plugins/other/file.pb",
    "a/events.tfevents.1",
    "b/worker.123.pt.trace.json",
    "b/worker.123.pt.trace.json.gz",
    "b/trace.json",
    "plugins/profile/2026_02_11/host.xplane.pb",
]


def test_a_listing_gives_what_a_look_at_the_disk_gives(tmp_path: Path) -> None:
    for path in PATHS:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(b"")
    listed = side_files_by_directory(PATHS)
    for directory in ("", "a", "b"):
        on_disk = find_side_files([os.path.join(tmp_path, directory).rstrip(os.sep)])
        start = len(str(tmp_path)) + 1
        assert listed[directory] == SideFiles(
            tuple(path[start:] for path in on_disk.projector), tuple(path[start:] for path in on_disk.profile)
        )
    assert set(listed) == {"", "a", "b"}
