"""Measured process: the limit. Every byte of every event file, sequentially, into one reused buffer.

The list of files is made before the clock starts. Opening, ``fstat`` and closing are part of ``read_s``;
the time inside the read calls alone is reported as ``inside_reads_s``. One thread, and nothing looks at
the bytes. The buffer is page-aligned: on AMD Zen 3, copying a page to an address 8 or 16 bytes into one
(where malloc puts large blocks) is six times slower, and the limit must not be measured with that.
"""

from __future__ import annotations

import mmap
import os
import sys
import time
from pathlib import Path

from benchmarks.fresh_process import MeasuredRead

BUFFER_BYTES = 1 << 20


def main() -> None:
    paths = [str(path) for path in sorted(Path(sys.argv[1]).rglob("*tfevents*"))]
    buffer = [memoryview(mmap.mmap(-1, BUFFER_BYTES))]
    clock = time.perf_counter
    size_bytes, inside_reads_s = 0, 0.0
    with MeasuredRead() as measured:
        for path in paths:
            descriptor = os.open(path, os.O_RDONLY)
            left = os.fstat(descriptor).st_size
            size_bytes += left
            start_s = clock()
            while left > 0:
                count = os.readv(descriptor, buffer)
                left = left - count if count else 0
            inside_reads_s += clock() - start_s
            os.close(descriptor)
    measured.report(size_bytes=size_bytes, inside_reads_s=inside_reads_s)


if __name__ == "__main__":
    main()
