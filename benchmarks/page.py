"""The page against TensorBoard's: start, fetching, a spike, many runs, scrolling, live points, memory.

    python -m benchmarks.page [--only NAME …] [--rounds 3] [--data DIR] [--save]

Each table is one bar of the project. Browser figures are from headless Chromium without a GPU, driven by
``page_browser.mjs``; both tools are measured with the same browser, window and machine, in turn.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchmarks.command import command_parser, save_results
from benchmarks.logdirs import DEFAULT_DATA_DIRECTORY, GeneratorMissingError, LogDirectory, full_directory
from benchmarks.page_browser import Browser
from benchmarks.page_bundle import first_view_bytes
from benchmarks.page_fetch import (
    Fetch,
    fetch_from_sightline,
    fetch_from_tensorboard,
    greatest_from_sightline,
    points_from_tensorboard,
)
from benchmarks.page_servers import (
    manifest_tags,
    sightline_server,
    tensorboard_server,
    wait_until_loaded,
)
from benchmarks.page_shapes import SHAPES, SPIKE_STEP, SPIKE_VALUE
from benchmarks.table import markdown_table, megabytes, met_or_missed, ratio, seconds, section

EMA = {"kind": "ema", "amount": 0.6}


@dataclass(frozen=True)
class Bench:
    data: Path
    rounds: int

    def directory(self, name: str) -> LogDirectory:
        return full_directory(SHAPES[name], data=self.data)


def start_table(bench: Bench) -> str:
    """Start of the command → first chart drawn, warm cache."""
    s2 = bench.directory("S2")
    ours, theirs = [], []
    with Browser() as browser, tempfile.TemporaryDirectory() as scratch:
        cache = Path(scratch)
        with sightline_server(s2.path, cache=cache) as server:  # fills the cache; its time does not count
            wait_until_loaded(server, s2)
        for _ in range(bench.rounds):
            with sightline_server(s2.path, cache=cache) as server:
                ours.append(browser.first_chart(server))
            with tensorboard_server(s2.path) as server:
                theirs.append(browser.first_chart(server))
    gain = statistics.median(theirs) / statistics.median(ours)
    rows = [
        ["Sightline, warm cache", seconds(statistics.median(ours)), seconds(min(ours)), "1.00×", ""],
        [
            "TensorBoard",
            seconds(statistics.median(theirs)),
            seconds(min(theirs)),
            ratio(gain),
            met_or_missed("≥ 4×", is_met=gain >= 4),
        ],
    ]
    return section(
        "Start of the command until the first chart is drawn, S2 (2,000 series)",
        "From starting the process. The browser is open already and goes to the address when it is printed.",
        markdown_table(["tool", "median", "best", "ratio", "bar"], rows),
    )


def fetch_table(bench: Bench) -> str:
    """20 tags × 100 runs × 1,000 points, all of it once."""
    s2 = bench.directory("S2")
    tags = manifest_tags(s2)
    found: dict[str, list[Fetch]] = {}
    with (
        tempfile.TemporaryDirectory() as scratch,
        sightline_server(s2.path, cache=Path(scratch)) as ours,
        tensorboard_server(s2.path) as theirs,
    ):
        wait_until_loaded(ours, s2)
        wait_until_loaded(theirs, s2)
        ways: dict[str, Callable[[], Fetch]] = {
            "Sightline": partial(fetch_from_sightline, ours, tags, smoothing=None),
            "Sightline, with smoothed line": partial(fetch_from_sightline, ours, tags, smoothing=EMA),
            "TensorBoard": partial(fetch_from_tensorboard, theirs, tags, is_gzipped=False),
            "TensorBoard, gzip": partial(fetch_from_tensorboard, theirs, tags, is_gzipped=True),
        }
        for _ in range(bench.rounds):
            for name, fetch in ways.items():
                found.setdefault(name, []).append(fetch())
    base = found["Sightline"]
    rows = []
    for name, fetches in found.items():
        if any(fetch.points != s2.points for fetch in fetches):
            raise RuntimeError(f"{name} brought {fetches[0].points:,} points of {s2.points:,}")
        time_ratio = _median(fetches, "duration_s") / _median(base, "duration_s")
        cpu_ratio = _median(fetches, "cpu_s") / max(_median(base, "cpu_s"), 0.01)
        byte_ratio = fetches[0].bytes / base[0].bytes
        is_peer = name.startswith("TensorBoard")
        rows.append(
            [
                name,
                seconds(_median(fetches, "duration_s")),
                ratio(time_ratio),
                seconds(_median(fetches, "cpu_s")),
                ratio(cpu_ratio),
                megabytes(fetches[0].bytes),
                ratio(byte_ratio),
                met_or_missed("≥ 50× time, ≥ 5× bytes", is_met=time_ratio >= 50 and byte_ratio >= 5)
                if is_peer
                else "",
            ]
        )
    header = ["server", "time", "ratio", "CPU", "ratio", "bytes", "ratio", "bar"]
    return section(
        "20 tags × 100 runs × 1,000 points, all fetched once",
        "All 2 M points arrive in both cases. Time until the last byte is there; CPU of the server and its "
        "children (resolution 10 ms). Sightline's frames are not compressed; TensorBoard compresses for a "
        "browser (last row).",
        markdown_table(header, rows),
    )


def spike_table(bench: Bench) -> str:
    """A one-step spike in 10 M points, at every zoom."""
    spike = bench.directory("spike")
    (tag,) = manifest_tags(spike)
    rows = []
    with (
        tempfile.TemporaryDirectory() as scratch,
        sightline_server(spike.path, cache=Path(scratch)) as ours,
        tensorboard_server(spike.path) as theirs,
    ):
        wait_until_loaded(ours, spike)
        wait_until_loaded(theirs, spike)
        kept = points_from_tensorboard(theirs, tag)
        for width in (10_000_000, 1_000_000, 100_000, 10_000, 1_000, 100):
            low = max(0, SPIKE_STEP - width // 3)
            x_range = None if width >= spike.points else (float(low), float(low + width))
            greatest, count = greatest_from_sightline(ours, tag, x_range)
            shown = [value for step, value in kept if low <= step <= low + width or x_range is None]
            rows.append(
                [
                    f"{width:,} steps",
                    f"{count:,}",
                    _yes_or_no(greatest == SPIKE_VALUE),
                    f"{len(shown):,}",
                    _yes_or_no(SPIKE_VALUE in shown),
                ]
            )
    is_met = all(row[2] == "yes" for row in rows)
    header = ["zoom", "Sightline: points", "spike there", "TensorBoard: points", "spike there"]
    return section(
        f"A one-step spike in 10 M points ({met_or_missed('at every zoom', is_met=is_met)})",
        "Points that reach the page for a chart of 512 pixels. TensorBoard keeps 1,000 points, by chance.",
        markdown_table(header, rows),
    )


def lines_table(bench: Bench) -> str:
    """1,000 runs in one chart."""
    lines = bench.directory("lines")
    tag = manifest_tags(lines)[0]
    places = {"card": False, "full screen": True}
    found: dict[str, list[dict[str, float]]] = {place: [] for place in places}
    with (
        Browser() as browser,
        tempfile.TemporaryDirectory() as scratch,
        sightline_server(lines.path, cache=Path(scratch)) as server,
    ):
        wait_until_loaded(server, lines)
        for _ in range(bench.rounds):
            for place, is_full_screen in places.items():
                found[place].append(browser.many_lines(server, tag=tag, is_full_screen=is_full_screen))
    rows = []
    for place, rounds in found.items():
        drawn = [one["drawn_ms"] / 1e3 for one in rounds]
        hover = [one["worst_frame_ms"] / 1e3 for one in rounds]
        typical = [one["median_frame_ms"] / 1e3 for one in rounds]
        rows += [
            [f"{place}: drawn", *_median_and_worst(drawn), met_or_missed("< 1 s", is_met=max(drawn) < 1)],
            [
                f"{place}: longest frame while hovering",
                *_median_and_worst(hover),
                met_or_missed("< 50 ms", is_met=max(hover) < 0.05),
            ],
            [f"{place}: median frame while hovering", *_median_and_worst(typical), ""],
        ]
    return section(
        "1,000 runs × 1,000 points in one chart",
        "Drawn: from asking for the card until its last line is drawn, fetching and decoding included. "
        "Hovering: the pointer crosses the chart in 60 moves; the time between two frames.",
        markdown_table(["what", "median", "worst", "bar"], rows),
    )


def _median_and_worst(durations_s: list[float]) -> tuple[str, str]:
    return seconds(statistics.median(durations_s)), seconds(max(durations_s))


def scrolling_table(bench: Bench) -> str:
    """200 cards × 20 runs, scrolled from top to bottom."""
    cards = bench.directory("cards")
    worst, typical = [], []
    with (
        Browser() as browser,
        tempfile.TemporaryDirectory() as scratch,
        sightline_server(cards.path, cache=Path(scratch)) as server,
    ):
        wait_until_loaded(server, cards)
        for _ in range(bench.rounds):
            found = browser.scrolling(server)
            worst.append(found["worst_frame_ms"] / 1e3)
            typical.append(found["median_frame_ms"] / 1e3)
    rows = [
        ["longest frame", seconds(statistics.median(worst)), seconds(max(worst))],
        ["median frame", seconds(statistics.median(typical)), seconds(max(typical))],
    ]
    return section(
        f"200 cards × 20 runs, scrolling ({met_or_missed('no frame over 100 ms', is_met=max(worst) <= 0.1)})",
        "The wheel turns by 120 pixels a frame from the top to the bottom; times between two frames.",
        markdown_table(["what", "median of rounds", "worst round"], rows),
    )


def live_table(bench: Bench) -> str:
    """A flushed point → drawn."""
    with Browser() as browser, tempfile.TemporaryDirectory() as scratch:
        delays = browser.live(Path(scratch), points=20 * bench.rounds)
    rows = [
        [
            f"{len(delays)}",
            seconds(statistics.median(delays)),
            seconds(max(delays)),
            met_or_missed("< 1 s", is_met=max(delays) < 1),
        ]
    ]
    return section(
        "A flushed point until it is drawn",
        "Another process logs a point and flushes; the clock stops in the frame after it was drawn.",
        markdown_table(["points", "median", "worst", "bar"], rows),
    )


def bundle_table(bench: Bench) -> str:
    """JavaScript of the first view."""
    del bench
    sizes = first_view_bytes()
    total = sum(sizes.values())
    rows = [[name, f"{size / 1000:.1f} kB"] for name, size in sizes.items()]
    rows.append(["together", f"{total / 1000:.1f} kB"])
    return section(
        f"JavaScript for the first view ({met_or_missed('< 120 kB gzip', is_met=total < 120_000)})",
        "What index.html loads, what that imports, and the scalars dashboard. Not in it: the settings pane, "
        "which comes after the charts.",
        markdown_table(["file", "gzip"], rows),
    )


def memory_table(bench: Bench) -> str:
    """Server memory with S3 loaded."""
    s3 = bench.directory("S3")
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        figures = {}
        with sightline_server(s3.path, cache=Path(scratch)) as server:
            wait_until_loaded(server, s3)
            fetch_from_sightline(server, manifest_tags(s3)[:10], smoothing=EMA)
            figures["Sightline"] = (server.resident_bytes(), server.anonymous_bytes())
        with tensorboard_server(s3.path) as server:
            wait_until_loaded(server, s3)
            fetch_from_tensorboard(server, manifest_tags(s3)[:10], is_gzipped=True)
            figures["TensorBoard, server and data server"] = (
                server.resident_bytes(),
                server.anonymous_bytes(),
            )
    base = figures["Sightline"]
    for name, (resident, anonymous) in figures.items():
        rows.append([name, megabytes(resident), ratio(resident / base[0]), megabytes(anonymous)])
    is_met = figures["TensorBoard, server and data server"][0] > base[0]
    return section(
        f"Server memory, S3 loaded ({met_or_missed('below TensorBoard', is_met=is_met)})",
        "1,000 runs × 50 tags × 100 points read, then 10 tags of all runs fetched once. Both hold all points "
        "here: S3 has fewer points a series than TensorBoard keeps.",
        markdown_table(["server", "resident", "ratio", "anonymous"], rows),
    )


TABLES: dict[str, Callable[[Bench], str]] = {
    "start": start_table,
    "fetch": fetch_table,
    "spike": spike_table,
    "lines": lines_table,
    "scrolling": scrolling_table,
    "live": live_table,
    "bundle": bundle_table,
    "memory": memory_table,
}


def _median(fetches: list[Fetch], name: str) -> float:
    return float(statistics.median(getattr(fetch, name) for fetch in fetches))


def _yes_or_no(is_so: bool) -> str:
    return "yes" if is_so else "no"


def main() -> int:
    options = _options()
    bench = Bench(options.data, options.rounds)
    sections = []
    for name in options.only or TABLES:
        try:
            sections.append(TABLES[name](bench))
        except GeneratorMissingError as error:
            print(error, file=sys.stderr)
            return 2
        print(sections[-1], end="\n\n", flush=True)
    if options.save:
        save_results("page", "The page", "\n\n".join([f"Rounds: {options.rounds}.", *sections]))
    return 0


def _options() -> argparse.Namespace:
    parser = command_parser("page", __doc__)
    parser.add_argument("--only", nargs="+", choices=list(TABLES), help="default: all tables")
    parser.add_argument("--rounds", type=int, default=3, help="default: 3")
    parser.add_argument("--data", type=Path, default=DEFAULT_DATA_DIRECTORY, help="default: build/bench")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
