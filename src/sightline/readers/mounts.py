"""Which directories lie on file systems whose changes the kernel does not tell about.

inotify sees what this machine writes. On network and FUSE file systems another machine, or a daemon, does
the writing, so those have to be polled. The mount table (Linux) says which ones they are; elsewhere nothing
is known and notifications are trusted, with the watcher's slow rescan as the net.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

# As the mount table spells them. Every "fuse." type counts too (sshfs, gcsfuse, mountpoint-s3, rclone …).
_NETWORK_TYPES = frozenset(
    [
        "nfs",
        "nfs4",
        "cifs",
        "smb2",
        "smb3",
        "smbfs",
        "ncpfs",
        "afs",
        "ceph",
        "glusterfs",
        "lustre",
        "gpfs",
        "beegfs",
        "orangefs",
        "pvfs2",
        "ocfs2",
        "gfs2",
        "9p",
        "virtiofs",
        "vboxsf",
        "prl_fs",
        "drvfs",
        "fuse",
    ]
)

# FUSE, but the writers are on this machine and go through the same mount.
_LOCAL_FUSE_TYPES = frozenset(["fuse.fuse-overlayfs", "fuse.ntfs-3g", "fuse.mergerfs", "fuse.encfs"])

_OCTAL_ESCAPE = re.compile(r"\\([0-7]{3})")


def read_mount_table() -> str:
    """The text of the mount table; "" where there is none."""
    try:
        return Path("/proc/self/mounts").read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return ""


def network_type_of(path: str, mount_table: str) -> str:
    """Type of the network file system that holds the path or is mounted somewhere below it; "" for none."""
    real = os.path.realpath(path).rstrip("/") + "/"
    around = ("", "")
    for line in mount_table.splitlines():
        fields = line.split(" ")
        if len(fields) < 3:
            continue
        mount_point = _unescaped(fields[1]).rstrip("/") + "/"
        if real.startswith(mount_point):
            # The longest mount point holds the path; of two mounts on one point the later covers the earlier.
            if len(mount_point) >= len(around[0]):
                around = (mount_point, fields[2])
        elif mount_point.startswith(real) and _is_network(fields[2]):
            return fields[2]
    return around[1] if _is_network(around[1]) else ""


def _is_network(kind: str) -> bool:
    return kind in _NETWORK_TYPES or (kind.startswith("fuse.") and kind not in _LOCAL_FUSE_TYPES)


def _unescaped(field: str) -> str:
    return _OCTAL_ESCAPE.sub(lambda match: chr(int(match[1], 8)), field)
