"""The writing half of the live benchmark: appends records, one at a time, with random gaps.

    python -m benchmarks.append_records FILE COUNT SEED

Each record carries the time of its own writing as wall time and goes to the file in one unbuffered write.
Gaps are log-uniform between 2 and 400 ms: bursts closer together than any watcher's debouncing, and pauses
longer than it.
"""

from __future__ import annotations

import math
import random
import sys
import time
from pathlib import Path

from benchmarks.records import scalar_record

TAG = "live"
SHORTEST_GAP_S, LONGEST_GAP_S = 0.002, 0.4


def main() -> None:
    path, count, seed = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    chance = random.Random(seed)
    with path.open("ab", buffering=0) as file:
        for step in range(count):
            time.sleep(math.exp(chance.uniform(math.log(SHORTEST_GAP_S), math.log(LONGEST_GAP_S))))
            file.write(scalar_record(TAG, step=step, wall_time=time.time(), value=float(step)))


if __name__ == "__main__":
    main()
