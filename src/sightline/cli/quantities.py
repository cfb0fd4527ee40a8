"""Numbers as people read them: sizes, durations, moments, counts."""

from __future__ import annotations

import math
import time


def size_text(size_bytes: int) -> str:
    """Decimal units, as disks and file managers count: ``113.0 MB``."""
    if size_bytes < 1000:
        return f"{size_bytes} B"
    units = ("kB", "MB", "GB", "TB")
    power = 1
    while power < len(units) and size_bytes / 1000**power >= 999.95:
        power += 1
    return f"{size_bytes / 1000**power:,.1f} {units[power - 1]}"


def duration_text(duration_s: float) -> str:
    """Two units at most: ``2 d 3 h``, ``1 h 23 min``, ``4.2 s``, ``15 ms``; empty when unknown."""
    if not math.isfinite(duration_s):
        return ""
    sign = "-" if duration_s < 0 else ""
    duration_s = abs(duration_s)
    if duration_s == 0:
        return "0 s"
    if duration_s < 0.9995:
        return f"{sign}{max(1, round(duration_s * 1000))} ms"
    if duration_s < 59.95:
        return f"{sign}{duration_s:.1f} s"
    minutes, seconds = divmod(round(duration_s), 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    if days:
        return f"{sign}{days:,} d {hours} h"
    if hours:
        return f"{sign}{hours} h {minutes} min"
    return f"{sign}{minutes} min {seconds} s"


def time_text(wall_time: float) -> str:
    """Local time to the second; empty when unknown or outside the calendar."""
    try:
        return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(wall_time))
    except (ValueError, OverflowError, OSError):  # NaN and infinity; years the platform cannot show
        return ""


def count_text(count: int, one: str, many: str = "") -> str:
    """``1 run``, ``2,000 runs``."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"
