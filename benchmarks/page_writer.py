"""The training job of the live benchmark: logs a point for each step on standard input, prints the time."""

from __future__ import annotations

import sys
import time

from sightline import SummaryWriter


def main() -> int:
    with SummaryWriter(sys.argv[1]) as writer:
        for line in sys.stdin:
            step = int(line)
            writer.add_scalar("train/loss", 1 / (step + 1), step)
            writer.flush()
            print(time.time(), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
