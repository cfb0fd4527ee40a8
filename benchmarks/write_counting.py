"""Measured process: counting an array into buckets, by Sightline's core and by numpy.histogram, in turns.

    python -m benchmarks.write_counting ELEMENTS COUNT

Two grids, the same for both: 30 buckets of equal width, and the uneven grid that torch writes by default.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from sightline import _core

UNIFORM_BUCKETS = 30


def geometric_edges() -> np.ndarray[Any, Any]:
    """0, and 1e-12 times powers of 1.1 up to 1e20, on both sides."""
    positive = []
    edge = 1e-12
    while edge < 1e20:
        positive.append(edge)
        edge *= 1.1
    return np.array([*(-value for value in reversed(positive)), 0.0, *positive])


def main() -> None:
    elements, count = int(sys.argv[1]), int(sys.argv[2])
    data = np.random.default_rng(0).standard_normal(elements, dtype=np.float32)
    edges = geometric_edges()
    contenders: dict[str, Callable[[], Any]] = {
        "uniform": lambda: _core.count_uniform(data, UNIFORM_BUCKETS).counts,
        "numpy_uniform": lambda: np.histogram(data, UNIFORM_BUCKETS)[0],
        "geometric": lambda: _core.count_geometric(data).counts,
        "numpy_geometric": lambda: np.histogram(data, edges)[0],
    }
    times: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(count):
        for name, work in contenders.items():
            start_s = time.perf_counter()
            counts = work()
            times[name].append(time.perf_counter() - start_s)
            if int(counts.sum()) != elements:
                raise ValueError(f"{name} counted {int(counts.sum()):,} of {elements:,} elements")
    print(json.dumps({name: float(np.median(spent)) for name, spent in times.items()}), flush=True)


if __name__ == "__main__":
    main()
