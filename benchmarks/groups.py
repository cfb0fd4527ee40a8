"""How long the server takes to put 1,000 runs of 1,000 points together, for each centre and band.

    python -m benchmarks.groups [--runs 1000] [--points 1000] [--rounds 5] [--data DIR] [--save]

The server is asked over HTTP on the loopback interface as its page asks: from the request until the last
byte. Nothing is kept from one answer to the next. The peers start further on, with all values in memory:
NumPy with one matrix and its own functions, pandas with one long table grouped by step. Every answer is
compared with NumPy's; a wrong one ends the benchmark with exit code 1, a missed bar is only printed.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.command import command_parser, save_results
from benchmarks.page_fetch import column_of, frame_header
from benchmarks.page_servers import LOAD_LIMIT_S, Server, sightline_server
from benchmarks.table import markdown_table, ratio, seconds
from sightline import SummaryWriter

TAG = "loss"
BAR_S = 0.2
CENTERS = ("mean", "median")
BANDS = ("none", "std", "sem", "minmax", "quartiles", "ci")
RESAMPLES = 1_024
BOOTSTRAP_ROUNDS = 1  # of the peers: each takes as long as all the rest together

Floats = NDArray[np.float64]


class WrongAnswerError(Exception):
    """The server's numbers are not NumPy's."""


# ── the log ──────────────────────────────────────────────────────────────────────────────────────────────


def values_of(runs: int, points: int) -> Floats:
    """Noisy curves that fall, one row per run; numbers that a float keeps."""
    rng = np.random.default_rng(0)
    steps = np.arange(points)
    curves = np.exp(-steps / points * rng.uniform(1, 4, (runs, 1))) + rng.normal(
        scale=0.05, size=(runs, points)
    )
    return curves.astype(np.float32).astype(np.float64)


def write_log(directory: Path, values: Floats, *, stride: int = 1) -> None:
    """One run per row; with a stride every run at steps of its own."""
    for number, row in enumerate(values):
        # The story asks git how the sources stand, which takes longer than the points.
        with SummaryWriter(str(directory / f"run-{number:05}"), story=False) as writer:
            for position, value in enumerate(row.tolist()):
                writer.add_scalar(TAG, value, position * stride + number % stride)


@contextmanager
def loaded_server(directory: Path, scratch: Path, *, points: int) -> Iterator[Server]:
    with sightline_server(directory, cache=scratch / "cache") as server:
        while True:
            table = json.loads(server.get("/api/v1/runs").body)
            if table["progress"]["is_done"] and sum(table["points"]) >= points:
                break
            if time.perf_counter() - server.started_s > LOAD_LIMIT_S:
                raise RuntimeError(f"Not read after {LOAD_LIMIT_S:.0f} s: {directory}")
            time.sleep(0.05)
        yield server


# ── the peers ────────────────────────────────────────────────────────────────────────────────────────────


def by_numpy(values: Floats, center: str, band: str) -> tuple[Floats, Floats | None, Floats | None]:
    """Centre, low and high over the rows."""
    function: Callable[..., Floats] = np.mean if center == "mean" else np.median
    middle = function(values, axis=0)
    if band == "none":
        return middle, None, None
    if band in ("std", "sem"):
        width = values.std(axis=0, ddof=1) / (len(values) ** 0.5 if band == "sem" else 1)
        return middle, middle - width, middle + width
    if band == "minmax":
        return middle, values.min(axis=0), values.max(axis=0)
    if band == "quartiles":
        low, high = np.percentile(values, [25, 75], axis=0)
        return middle, low, high
    rng = np.random.default_rng(0)
    draws = rng.integers(len(values), size=(RESAMPLES, len(values)))
    if center == "mean":
        counts = np.stack([np.bincount(draw, minlength=len(values)) for draw in draws])
        centers = counts.astype(np.float64) @ values / len(values)
    else:
        centers = np.stack([np.median(values[draw], axis=0) for draw in draws])
    low, high = np.percentile(centers, [2.5, 97.5], axis=0)
    return middle, low, high


def by_pandas(table: Any, center: str, band: str) -> object:
    """The same from one long table, for the bands that pandas has a function for."""
    steps = table.groupby("step")["value"]
    names = {"none": [], "std": ["std"], "sem": ["sem"], "minmax": ["min", "max"]}
    if band == "quartiles":
        return steps.agg([center]), steps.quantile([0.25, 0.75])
    return steps.agg([center, *names[band]])


# ── measuring ────────────────────────────────────────────────────────────────────────────────────────────


def ask(server: Server, groups: list[list[int]], *, buckets: int, **query: Any) -> tuple[float, bytes]:
    body = {"queries": [{"tag": TAG, "groups": groups, "buckets": buckets, **query}]}
    answer = server.post_json("/api/v1/scalars/groups", body)
    return answer.duration_s, answer.body


def check(body: bytes, values: Floats, center: str, band: str) -> None:
    """Raises WrongAnswerError. Intervals are drawn by lot: near NumPy's, not the same."""
    (group,) = frame_header(body)["groups"]
    count = group["count"]
    expected = by_numpy(values, center, "none" if band == "ci" else band)
    for name, numbers in zip(("center", "low", "high"), expected, strict=True):
        if numbers is None:
            continue
        found = column_of(body, group[name], count)
        if len(found) != len(numbers) or not np.allclose(found, numbers, rtol=1e-6, atol=1e-6):
            raise WrongAnswerError(f"{center} {band}: {name} is not what NumPy says")
    if band == "ci":
        some = slice(None, None, max(1, values.shape[1] // 10))
        _, low, high = by_numpy(values[:, some], center, "ci")
        assert low is not None
        assert high is not None
        for name, numbers in (("low", low), ("high", high)):
            found = column_of(body, group[name], count)[some]
            # An end is drawn by lot: 0.085 standard errors at one sigma, on each side of the comparison.
            if not np.all(np.abs(found - numbers) < 0.15 * (high - low)):
                raise WrongAnswerError(f"{center} ci: {name} is far from what NumPy says")


def measured(call: Callable[[], object], rounds: int) -> float:
    durations = []
    for _ in range(rounds):
        start_s = time.perf_counter()
        call()
        durations.append(time.perf_counter() - start_s)
    return statistics.median(durations)


def band_rows(server: Server, values: Floats, *, rounds: int) -> list[list[str]]:
    everyone = [list(range(len(values)))]
    table = _long_table(values)
    rows = []
    for center in CENTERS:
        for band in BANDS:
            taken = []
            before_s = server.cpu_s()
            for _ in range(rounds):
                duration_s, body = ask(server, everyone, buckets=values.shape[1], center=center, band=band)
                check(body, values, center, band)
                taken.append(duration_s)
            cpu_s = (server.cpu_s() - before_s) / rounds
            ours_s = statistics.median(taken)
            peer_rounds = BOOTSTRAP_ROUNDS if band == "ci" else rounds
            numpy_s = measured(lambda c=center, b=band: by_numpy(values, c, b), peer_rounds)  # type: ignore[misc]
            pandas = "–"
            if table is not None and band != "ci":
                pandas_s = measured(lambda c=center, b=band: by_pandas(table, c, b), 1)  # type: ignore[misc]
                pandas = f"{seconds(pandas_s)} ({ratio(pandas_s / ours_s)})"
            verdict = "met" if max(taken) < BAR_S else "MISSED"
            rows.append(
                [
                    f"{center}, {band}",
                    seconds(ours_s),
                    seconds(max(taken)),
                    seconds(cpu_s),
                    f"< {BAR_S * 1000:.0f} ms {verdict}",
                    f"{seconds(numpy_s)} ({ratio(numpy_s / ours_s)})",
                    pandas,
                ]
            )
    return rows


def other_rows(server: Server, uneven: Server, runs: int, *, rounds: int) -> list[list[str]]:
    """What has no peer: many groups, and runs that share no step."""
    everyone = list(range(runs))
    tens = [everyone[begin : begin + 10] for begin in range(0, runs, 10)]
    smoothing = {"kind": "ema", "amount": 0.9}
    cases: list[tuple[str, Server, list[list[int]], dict[str, Any]]] = [
        (f"{len(tens):,} groups of 10, mean, std", server, tens, {}),
        (f"{len(tens):,} groups of 10, mean, ci", server, tens, {"band": "ci"}),
        ("one group, smoothed, mean, std", server, [everyone], {"smoothing": smoothing}),
        ("one group, steps of their own, mean, std", uneven, [everyone], {}),
        ("one group, steps of their own, median, ci", uneven, [everyone], {"center": "median", "band": "ci"}),
        ("one group, log x, mean, minmax", uneven, [everyone], {"band": "minmax", "is_log_x": True}),
    ]
    rows = []
    for name, asked, groups, query in cases:
        taken = [ask(asked, groups, buckets=512, **query)[0] for _ in range(rounds)]
        rows.append([name, seconds(statistics.median(taken)), seconds(max(taken))])
    return rows


def _long_table(values: Floats) -> Any:
    try:
        import pandas as pd
    except ImportError:
        return None
    runs, points = values.shape
    return pd.DataFrame({"step": np.tile(np.arange(points), runs), "value": values.ravel()})


def main() -> int:
    options = _options()
    values = values_of(options.runs, options.points)
    with tempfile.TemporaryDirectory(prefix="sightline-groups-", dir=options.data) as scratch_name:
        scratch = Path(scratch_name)
        write_log(scratch / "even", values)
        write_log(scratch / "uneven", values, stride=7)
        with (
            loaded_server(scratch / "even", scratch, points=values.size) as server,
            loaded_server(scratch / "uneven", scratch, points=values.size) as uneven,
        ):
            try:
                bands = band_rows(server, values, rounds=options.rounds)
            except WrongAnswerError as error:
                print(error, file=sys.stderr)
                return 1
            others = other_rows(server, uneven, options.runs, rounds=options.rounds)
    shape = f"{options.runs:,} runs × {options.points:,} points"
    text = "\n\n".join(
        [
            f"## One group of {shape}",
            f"`POST scalars/groups`, request to last byte, median and longest of {options.rounds}, and the "
            "server's processor time on all cores. Behind each peer's time, how many times ours it is. Peers "
            f"have all values in memory; their bootstrap has {RESAMPLES:,} resamples.",
            markdown_table(["centre, band", "Sightline", "longest", "CPU", "bar", "NumPy", "pandas"], bands),
            f"## Other questions about {shape}",
            "On a chart of 512 pixels.",
            markdown_table(["question", "Sightline", "longest"], others),
        ]
    )
    print(text)
    if options.save:
        save_results("groups", "Groups", text)
    return 0


def _options() -> argparse.Namespace:
    parser = command_parser("groups", __doc__)
    parser.add_argument("--runs", type=int, default=1_000, help="default: 1,000")
    parser.add_argument("--points", type=int, default=1_000, help="of each run; default: 1,000")
    parser.add_argument("--rounds", type=int, default=5, help="default: 5")
    parser.add_argument("--data", type=Path, default=None, help="where the logs are written; default: /tmp")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
