"""Memory and CPU time of a process, from /proc where there is one.

The peak is VmHWM, not ru_maxrss: Linux lets ru_maxrss of a fresh process start at the peak of its parent.
"""

from __future__ import annotations

import os
import resource
import sys
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class MemoryUse:
    peak_bytes: int
    resident_bytes: int
    anonymous_bytes: int
    """Resident and not backed by a file: 0 where the system does not tell."""


def memory_use(pid: int | str = "self") -> MemoryUse:
    status = Path(f"/proc/{pid}/status")
    if not status.is_file():
        unit = 1 if sys.platform == "darwin" else 1024
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
        return MemoryUse(peak_bytes=peak, resident_bytes=peak, anonymous_bytes=0)
    lines = dict(line.split(":", 1) for line in status.read_text().splitlines() if ":" in line)
    peak, resident, anonymous = (
        int(lines.get(name, "0 kB").split()[0]) * 1024 for name in ("VmHWM", "VmRSS", "RssAnon")
    )
    return MemoryUse(peak_bytes=peak, resident_bytes=resident, anonymous_bytes=anonymous)


def cpu_seconds(pid: int | None = None) -> float:
    """User and system time of all threads of this process, or of another one (0.0 without /proc)."""
    if pid is None:
        usage = resource.getrusage(resource.RUSAGE_SELF)
        return usage.ru_utime + usage.ru_stime
    stat = Path(f"/proc/{pid}/stat")
    if not stat.is_file():
        return 0.0
    # The command, field 2, is in parentheses and may hold spaces: count from behind it.
    fields = stat.read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
