"""The measurements of one run of the benchmark, and how rounds become one number.

The median of the rounds is the headline, because it is what a user of a busy machine sees; the best round
stands beside it, because it is the least disturbed one.
"""

from __future__ import annotations

import statistics
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.fresh_process import Measurement
from benchmarks.logdirs import LogDirectory

COLD, WARM, DATA_SERVER, PYTHON_READER, TBPARSE, PLAIN = (
    "Sightline cold",
    "Sightline warm",
    "data server",
    "TensorBoard Python",
    "tbparse",
    "plain read",
)
# Measured on the sample directory and scaled to the whole one by the number of points.
SCALED_READERS = frozenset({PYTHON_READER, TBPARSE})


@dataclass
class ShapeResult:
    directory: LogDirectory
    sample: LogDirectory | None
    rounds: dict[str, list[Measurement]] = field(default_factory=dict)
    cache_bytes: int = 0
    """Size of Sightline's cache for this directory."""

    def add(self, reader: str, measurement: Measurement | None) -> None:
        if measurement is not None:
            self.rounds.setdefault(reader, []).append(measurement)

    def __contains__(self, reader: str) -> bool:
        return reader in self.rounds

    def scale(self, reader: str) -> float:
        if reader not in SCALED_READERS:
            return 1.0
        assert self.sample is not None
        return self.directory.points / self.sample.points

    def median_read_s(self, reader: str) -> float:
        return statistics.median(m.read_s for m in self.rounds[reader]) * self.scale(reader)

    def best_read_s(self, reader: str) -> float:
        return min(m.read_s for m in self.rounds[reader]) * self.scale(reader)

    def median_process_s(self, reader: str) -> float:
        return statistics.median(m.process_s for m in self.rounds[reader])

    def median_cpu_s(self, reader: str) -> float:
        return statistics.median(m.cpu_s for m in self.rounds[reader])

    def peak_bytes(self, reader: str) -> int:
        """The largest of all rounds: memory is a bound, not an average. Writing the cache is included."""
        return max(max(m.peak_bytes, int(m.found.get("saved_peak_bytes", 0))) for m in self.rounds[reader])

    def growth_bytes(self, reader: str) -> int:
        return self.peak_bytes(reader) - max(m.peak_bytes - m.growth_bytes for m in self.rounds[reader])

    def anonymous_bytes(self, reader: str) -> int:
        return max(m.anonymous_bytes for m in self.rounds[reader])

    def touched_bytes(self, reader: str) -> int:
        return max(int(m.found["touched_bytes"]) for m in self.rounds[reader])


def size_of_tree(directory: Path) -> int:
    return sum(path.stat().st_size for path in directory.rglob("*") if path.is_file())
