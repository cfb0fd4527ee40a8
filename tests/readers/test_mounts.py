"""Which file systems have to be polled."""

from __future__ import annotations

from pathlib import Path

import pytest

from sightline.readers.mounts import network_type_of, read_mount_table

TABLE = r"""
/dev/sda1 / ext4 rw 0 0
server:/export /mnt/nfs nfs4 rw 0 0
tmpfs /mnt/nfs/scratch tmpfs rw 0 0
me@host: /mnt/with\040space fuse.sshfs rw 0 0
overlay /mnt/layers fuse.fuse-overlayfs rw 0 0
//box/share /mnt/covered cifs rw 0 0
/dev/sdb1 /mnt/covered xfs rw 0 0
short line
"""


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/home/me/runs", ""),
        ("/mnt/nfs", "nfs4"),
        ("/mnt/nfs/a/b", "nfs4"),
        ("/mnt/nfsother", ""),
        ("/mnt/nfs/scratch/a", ""),
        ("/mnt/with space/runs", "fuse.sshfs"),
        ("/mnt/layers/runs", ""),
        ("/mnt/covered/runs", ""),
    ],
)
def test_the_innermost_and_latest_mount_decides(path: str, kind: str) -> None:
    assert network_type_of(path, TABLE) == kind


def test_a_network_mount_below_the_path_counts_too() -> None:
    assert network_type_of("/mnt", TABLE) == "nfs4"


def test_links_are_resolved_first(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "data")
    assert network_type_of(str(tmp_path / "link"), f"x {tmp_path}/data nfs rw 0 0") == "nfs"


def test_without_a_mount_table_nothing_is_known() -> None:
    assert network_type_of("/mnt/nfs", "") == ""
    assert isinstance(read_mount_table(), str)
