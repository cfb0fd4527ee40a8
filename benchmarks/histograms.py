"""Decoding 1,000 histograms of one tag, in both forms: by the core, one by one in Python, by TensorBoard.

    python -m benchmarks.histograms [--values 1000] [--rounds 5]

All three start with bytes in the event file or in memory and end with edges and counts as arrays. The core's
time includes reading the file. Calls are those of Python functions, as its profiler counts them. Every answer
is compared with that of the decoder of single values; a wrong one ends the benchmark with exit code 1.
"""

from __future__ import annotations

import argparse
import importlib
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.table import markdown_table, ratio, seconds
from sightline import SummaryWriter, summary
from sightline.formats.items import HistogramItem
from sightline.log import open_log
from sightline.store.media import MediaSeries

TAG = "weights"
MANY = 1 << 40
Columns = list[Any]
"""Left edges, right edges and counts of all values end to end."""


def write_logs(directory: Path, values: int) -> None:
    """As torch's writer does it (run "legacy") and as TensorFlow's (run "tensor")."""
    rng = np.random.default_rng(0)
    with SummaryWriter(str(directory / "legacy")) as writer:
        for step in range(values):
            writer.add_histogram(TAG, rng.normal(size=500), step)
    tensor_writer = summary.create_file_writer(str(directory / "tensor"))
    with tensor_writer.as_default():
        for step in range(values):
            summary.histogram(TAG, rng.normal(size=500), step=step)
    tensor_writer.close()


def by_core(series: MediaSeries[HistogramItem]) -> Columns:
    columns = series.decoded(MANY)
    if columns is None or columns["state"].any():
        raise ValueError("not all values could be decoded")
    return [columns[name] for name in ("left", "right", "counts")]


def by_python(series: MediaSeries[HistogramItem]) -> Columns:
    items = list(series)
    return [np.concatenate([getattr(item, name) for item in items]) for name in ("left", "right", "counts")]


def by_tensorboard(values: list[bytes]) -> Columns:
    migrate = importlib.import_module("tensorboard.data_compat").migrate_value
    parse = importlib.import_module("tensorboard.compat.proto.summary_pb2").Summary.Value.FromString
    array_of = importlib.import_module("tensorboard.util.tensor_util").make_ndarray
    rows = [array_of(migrate(parse(value)).tensor) for value in values]
    return list(np.concatenate(rows).astype(np.float64).T)


def calls_of(decode: Callable[[], object]) -> int:
    calls = 0

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        decode()
    finally:
        sys.setprofile(None)
    return calls


def least_time_s(decode: Callable[[], object], rounds: int) -> float:
    times = []
    for _ in range(rounds):
        begin = time.perf_counter()
        decode()
        times.append(time.perf_counter() - begin)
    return min(times)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--values", type=int, default=1_000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        write_logs(Path(scratch), options.values)
        log = open_log(scratch, watch=False, cache=False).wait()
        for form in ("legacy", "tensor"):
            series = log[form].histograms[TAG]
            tag, places = series._tag, series._columns
            stored = [tag.read_bytes(places.place(row)) for row in range(len(series))]
            decoders: dict[str, Callable[[], Columns]] = {
                "core": partial(by_core, series),
                "Python": partial(by_python, series),
                "TensorBoard": partial(by_tensorboard, stored),
            }
            if not all(map(np.array_equal, decoders["core"](), decoders["Python"]())):
                print(f"the two decoders do not agree ({form})", file=sys.stderr)
                return 1
            least_s = {name: least_time_s(decode, options.rounds) for name, decode in decoders.items()}
            for name, decode in decoders.items():
                factor = ratio(least_s[name] / least_s["core"])
                rows.append([f"{form}: {name}", seconds(least_s[name]), factor, f"{calls_of(decode):,}"])
        log.close()
    print(markdown_table([f"{options.values:,} histograms", "time", "of the core's", "calls"], rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
