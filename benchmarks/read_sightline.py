"""Measured process: Sightline, through its public API, from ``open`` until ``wait`` returns.

On the way it is noted when what the cache knows can be looked at (``readable_s``). Afterwards one series is
fetched (``first_s``: what the cache left to be done on first use is in there) and the log is closed, which
waits for the cache to be written; then memory is looked at again. At last every series is fetched and every
point counted (``touch_s``), and the columns of the runs named on the command line are summed up for
comparison with the independent decode.
"""

from __future__ import annotations

import sys
import time
import zlib
from typing import Any

import sightline
from benchmarks.expectations import column_checksum
from benchmarks.fresh_process import MeasuredRead
from benchmarks.process_memory import memory_use


def main() -> None:
    path, kind, *checked_runs = sys.argv[1:]
    open_log = sightline.open  # loads what the package imports lazily, before the clock starts
    with MeasuredRead() as measured:
        start_s = time.perf_counter()
        log = open_log(path, watch=False)
        log.wait_cached()
        readable_s = time.perf_counter() - start_s
        log.wait()
    start_s = time.perf_counter()
    len(next(iter(_series_of(log[log.runs[0]], kind).values())).step)
    first_s = time.perf_counter() - start_s
    start_s = time.perf_counter()
    log.close()  # waits for the cache to be written; what was read stays usable
    close_s = time.perf_counter() - start_s
    saved = memory_use()
    start_s = time.perf_counter()
    series = points = 0
    for name in log.runs:
        for found in _series_of(log[name], kind).values():
            series += 1
            points += len(found.step)
    touch_s = time.perf_counter() - start_s
    touched = memory_use()
    checked = {
        name: {tag: _facts(found, kind) for tag, found in _series_of(log[name], kind).items()}
        for name in checked_runs
    }
    measured.report(
        runs=len(log.runs),
        series=series,
        points=points,
        damage=len(log.damage),
        checked=checked,
        readable_s=readable_s,
        first_s=first_s,
        touch_s=touch_s,
        close_s=close_s,
        saved_peak_bytes=saved.peak_bytes,
        touched_bytes=touched.resident_bytes - saved.resident_bytes,
    )


def _series_of(run: Any, kind: str) -> Any:
    return getattr(run, f"{kind}s")


def _facts(series: Any, kind: str) -> dict[str, int | float]:
    facts: dict[str, int | float] = {
        "count": len(series),
        "step": column_checksum(series.step),
        "wall_time": column_checksum(series.wall_time),
    }
    if kind == "scalar":
        return {**facts, "value": column_checksum(series.value)}
    return {**facts, "first_item": _content(series[0], kind), "last_item": _content(series[-1], kind)}


def _content(item: Any, kind: str) -> int | float:
    return zlib.crc32(item.bytes) if kind == "image" else float(item.counts.sum())


if __name__ == "__main__":
    main()
