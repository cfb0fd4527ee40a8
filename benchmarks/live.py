"""How soon an appended record is visible through the API, and what watching costs when nothing happens.

    python -m benchmarks.live [--appends 200] [--idle 10] [--data DIR] [--save]

A second process appends records that carry the time of their writing; here ``on_change`` fires, the series
is fetched, and the difference to now is the latency: writing, notification, reading and Python included.
Measured with the growing run alone, and beside the 10,000 runs of S4 (once it is watched, and starting at
once when ``wait`` returns). The idle watching of S4 is measured too.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import sightline
from benchmarks.append_records import TAG
from benchmarks.command import command_parser, save_results
from benchmarks.logdirs import (
    DEFAULT_DATA_DIRECTORY,
    PROJECT_ROOT,
    SHAPES,
    GeneratorMissingError,
    full_directory,
)
from benchmarks.process_memory import cpu_seconds
from benchmarks.records import file_version_record
from benchmarks.table import markdown_table, met_or_missed, seconds

LATENCY_BAR_S = 0.2
IDLE_CPU_BAR = 0.01
# Far longer than all gaps of the writer together; reached only when records get lost.
GIVE_UP_AFTER_S = 300.0
# Between the end of reading and the start of measuring: the watching of all directories is being set up.
SETTLE_S = 3.0


@dataclass
class Latencies:
    """Collects the delay of every new point; called on the reader's thread."""

    log: sightline.Log
    run: str
    expected: int

    def __post_init__(self) -> None:
        self.delays_s: list[float] = []
        self.wrong: list[str] = []
        self.is_complete = threading.Event()

    def note(self, change: sightline.Change) -> None:
        if change.run != self.run:
            return
        series = self.log[self.run].scalars.get(TAG)
        now_s = time.time()
        if series is None:
            return
        for row in range(len(self.delays_s), len(series)):
            self.delays_s.append(now_s - float(series.wall_time[row]))
            if series.step[row] != row or series.value[row] != row:
                self.wrong.append(f"row {row} has step {series.step[row]} and value {series.value[row]}")
        if len(self.delays_s) >= self.expected:
            self.is_complete.set()


def measure_latencies(*, beside: Path | None, appends: int, seed: int, settle_s: float) -> list[float]:
    """Sorted delays; the writer starts ``settle_s`` after ``wait`` has returned."""
    with tempfile.TemporaryDirectory(prefix="sightline-live-") as scratch:
        run_directory = Path(scratch) / "run"
        run_directory.mkdir()
        file = run_directory / "events.out.tfevents.1750000000.bench.1.0"
        file.write_bytes(file_version_record(wall_time=time.time()))
        roots = [f"live:{scratch}"] + ([f"many:{beside}"] if beside else [])
        with sightline.open(roots, watch=True, cache=False) as log:
            log.wait()
            latencies = Latencies(log=log, run="live/run", expected=appends)
            log.on_change(latencies.note)
            time.sleep(settle_s)
            writer = [sys.executable, "-m", "benchmarks.append_records", str(file), str(appends), str(seed)]
            subprocess.run(writer, cwd=PROJECT_ROOT, check=True)
            if not latencies.is_complete.wait(GIVE_UP_AFTER_S) or latencies.wrong:
                found = f"{len(latencies.delays_s)} of {appends} points seen"
                raise RuntimeError("; ".join([found, *latencies.wrong[:3]]))
            return sorted(latencies.delays_s)


def measure_idle_cpu(directory: Path, *, duration_s: float) -> float:
    """Share of one core that all threads of this process use while nothing changes."""
    with sightline.open(directory, watch=True, cache=False) as log:
        log.wait()
        time.sleep(SETTLE_S)
        before_s, start_s = cpu_seconds(), time.perf_counter()
        time.sleep(duration_s)
        return (cpu_seconds() - before_s) / (time.perf_counter() - start_s)


def main() -> int:
    options = _options()
    try:
        many = full_directory(SHAPES["S4"], data=options.data)
    except GeneratorMissingError as error:
        print(error, file=sys.stderr)
        return 2
    crowd = f"beside {many.runs:,} runs"
    # The last case is written before the watching of so many directories is set up; it has no bar.
    cases = [("one run", None, SETTLE_S), (crowd, many.path, SETTLE_S), (f"{crowd}, at once", many.path, 0.0)]
    rows = [_latency_row(*case, options=options) for case in cases]
    share = measure_idle_cpu(many.path, duration_s=options.idle)
    idle_bar = met_or_missed(f"< {IDLE_CPU_BAR:.0%}", is_met=share < IDLE_CPU_BAR)
    text = "\n\n".join(
        [
            "## Appended record visible through the API",
            "From just before the write in another process until `on_change` fired and the series is there.",
            markdown_table(["case", "appends", "median", "p95", "max", "bar (max)"], rows),
            "## Watching when nothing happens",
            markdown_table(
                ["directory", "runs", "watched for", "CPU of one core", "bar"],
                [["S4", f"{many.runs:,}", seconds(options.idle), f"{share:.2%}", idle_bar]],
            ),
        ]
    )
    print(text)
    if options.save:
        save_results("live", "Live", text)
    return 0


def _latency_row(
    name: str, beside: Path | None, settle_s: float, *, options: argparse.Namespace
) -> list[str]:
    delays = measure_latencies(beside=beside, appends=options.appends, seed=options.seed, settle_s=settle_s)
    numbers = [statistics.median(delays), delays[int(len(delays) * 0.95)], delays[-1]]
    met = met_or_missed(f"< {LATENCY_BAR_S * 1000:.0f} ms", is_met=delays[-1] < LATENCY_BAR_S)
    bar = met if settle_s else "–"
    return [name, f"{len(delays)}", *(seconds(number) for number in numbers), bar]


def _options() -> argparse.Namespace:
    parser = command_parser("live", __doc__)
    parser.add_argument("--appends", type=int, default=200, help="default: 200")
    parser.add_argument("--idle", type=float, default=10.0, help="seconds of idle watching; default: 10")
    parser.add_argument("--seed", type=int, default=0, help="of the gaps between appends; default: 0")
    parser.add_argument("--data", type=Path, default=DEFAULT_DATA_DIRECTORY, help="default: build/bench")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
