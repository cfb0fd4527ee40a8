"""How fast whole log directories are read: Sightline cold and warm, its peers, and the limit, in one run.

    python -m benchmarks.reading [--shapes S1,S3] [--rounds 5] [--data DIR] [--save]

Every round reads every shape once with every reader, each time in a fresh process, so that a busy moment
of the machine hits all readers alike. The plain read comes first in a round and so warms the page cache
for the others. "Cold" has an empty Sightline cache directory, "warm" the one that the cold read of the
same round left behind.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from benchmarks import peers, report
from benchmarks.command import command_parser, save_results
from benchmarks.expectations import Expectations, differences, expected_of
from benchmarks.fresh_process import Measurement, measure
from benchmarks.logdirs import (
    DEFAULT_DATA_DIRECTORY,
    SHAPES,
    GeneratorMissingError,
    LogDirectory,
    full_directory,
    sample_directory,
)
from benchmarks.results import (
    COLD,
    DATA_SERVER,
    PLAIN,
    PYTHON_READER,
    TBPARSE,
    WARM,
    ShapeResult,
    size_of_tree,
)

# I1-large is there for its memory only; the peers' time on it says nothing new.
MEMORY_ONLY_SHAPES = frozenset({"I1-large"})


def main() -> int:
    options = _options()
    missing = peers.missing_packages()
    if missing:
        print(f"not installed, so not measured: {', '.join(missing)}", file=sys.stderr)
    try:
        results = {name: _prepared(name, options) for name in options.shapes}
    except GeneratorMissingError as error:
        print(error, file=sys.stderr)
        return 2
    expectations = {name: expected_of(result.directory) for name, result in results.items()}
    try:
        for number in range(options.rounds):
            for name, result in results.items():
                print(f"round {number + 1} of {options.rounds}, {name}", file=sys.stderr)
                _measure_round(
                    result, expectations[name], has_slow=number < options.slow_rounds, options=options
                )
    except peers.WrongContentError as error:
        print(f"WRONG: {error}", file=sys.stderr)
        return 1
    text = report.full_report(results, rounds=options.rounds)
    print(text)
    if options.save:
        save_results("reading", "Reading", text)
    return 0


def read_with_sightline(
    directory: LogDirectory, expected: Expectations, *, cache_directory: Path
) -> Measurement:
    """One read; raises WrongContentError unless every point is there and the checked series are right."""
    measurement = measure(
        "read_sightline",
        str(directory.path),
        directory.kind,
        *expected,
        environment={"SIGHTLINE_CACHE_DIR": str(cache_directory)},
    )
    found = measurement.found
    wrong = differences(expected, found["checked"])
    for name in ("runs", "series", "points"):
        if found[name] != getattr(directory, name):
            wrong.append(f"{name}: expected {getattr(directory, name):,}, found {found[name]:,}")
    if found["damage"]:
        wrong.append(f"{found['damage']} damaged places in a sound directory")
    if wrong:
        raise peers.WrongContentError(f"Sightline on {directory.name}: " + "; ".join(wrong[:5]))
    return measurement


def _measure_round(
    result: ShapeResult, expected: Expectations, *, has_slow: bool, options: argparse.Namespace
) -> None:
    directory, missing = result.directory, peers.missing_packages()
    result.add(PLAIN, peers.read_plainly(directory))
    if options.has_sightline:
        with tempfile.TemporaryDirectory(prefix="sightline-bench-") as cache:
            result.add(COLD, read_with_sightline(directory, expected, cache_directory=Path(cache)))
            result.cache_bytes = size_of_tree(Path(cache))
            result.add(WARM, read_with_sightline(directory, expected, cache_directory=Path(cache)))
    if not options.has_peers or directory.name in MEMORY_ONLY_SHAPES:
        return
    if not {"tensorboard-data-server", "tensorboard", "grpcio"} & set(missing):
        result.add(DATA_SERVER, peers.read_with_data_server(directory))
    if result.sample is None or not has_slow:
        return
    if "tensorboard" not in missing:
        result.add(PYTHON_READER, peers.read_with_tensorboard(result.sample))
    if not {"tensorboard", "tbparse"} & set(missing):
        result.add(TBPARSE, peers.read_with_tbparse(result.sample))


def _prepared(name: str, options: argparse.Namespace) -> ShapeResult:
    shape, is_compared = SHAPES[name], options.has_peers and name not in MEMORY_ONLY_SHAPES
    return ShapeResult(
        directory=full_directory(shape, data=options.data),
        sample=sample_directory(shape, data=options.data) if is_compared and options.slow_rounds else None,
    )


def _shape_names(text: str) -> list[str]:
    names = text.split(",")
    if unknown := [name for name in names if name not in SHAPES]:
        raise argparse.ArgumentTypeError(f"unknown shape {unknown[0]!r}; there are {', '.join(SHAPES)}")
    return names


def _options() -> argparse.Namespace:
    parser = command_parser("reading", __doc__)
    parser.add_argument(
        "--shapes", type=_shape_names, default=list(SHAPES), help="comma-separated; default: all"
    )
    parser.add_argument("--rounds", type=int, default=5, help="default: 5")
    parser.add_argument(
        "--slow-rounds",
        type=int,
        default=1,
        help="rounds in which TensorBoard's Python reader and tbparse take part; default: 1",
    )
    parser.add_argument(
        "--data",
        type=Path,
        default=DEFAULT_DATA_DIRECTORY,
        help="where the directories are, or are generated; default: build/bench",
    )
    parser.add_argument(
        "--no-peers", dest="has_peers", action="store_false", help="Sightline and the limit only"
    )
    parser.add_argument(
        "--no-sightline", dest="has_sightline", action="store_false", help="peers and limit only"
    )
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
