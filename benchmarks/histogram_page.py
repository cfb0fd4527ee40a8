"""The page's histograms: first screen, heat map and overview; against TensorBoard's first histogram.

    python -m benchmarks.histogram_page [--rounds 3] [--no-peers] [--data DIR] [--save]

Both servers are just started and have nothing cached; the browser, just started too, goes to the address as
soon as the server has printed it. Of ours all histograms in sight count, with all their steps; of
TensorBoard's the first one, as far as it has been read by then, and also when its run was read to the end.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlencode

from benchmarks.command import command_parser, save_results
from benchmarks.logdirs import DEFAULT_DATA_DIRECTORY, SHAPES, LogDirectory, full_directory
from benchmarks.page_browser import Browser
from benchmarks.page_servers import Server, manifest_tags, sightline_server, tensorboard_server
from benchmarks.table import markdown_table, met_or_missed, ratio, seconds, section

MAPS = 20
SCREEN_LAST_STEP = 999


def first_screen(directory: LogDirectory, *, look: str) -> dict[str, float]:
    with (
        tempfile.TemporaryDirectory() as cache,
        Browser() as browser,
        sightline_server(directory.path, cache=Path(cache)) as server,
    ):
        last_step = SCREEN_LAST_STEP if look == "histograms" else None
        return browser.histograms(server, look=look, last_step=last_step)


PEERS = {"TensorBoard": (), "TensorBoard without its data server": ("--load_fast", "false")}


def first_of_tensorboard(directory: LogDirectory, flags: Sequence[str], *, is_whole: bool) -> float:
    """Milliseconds. Its page does not look again by itself: the browser comes when there is what counts."""

    def is_there(server: Server) -> bool:
        tags: dict[str, dict[str, object]] = json.loads(server.get("/data/plugin/histograms/tags").body)
        if not any(tags.values()) or not is_whole:
            return any(tags.values())
        run = min(tags)
        if not tags[run]:
            return False
        query = urlencode({"run": run, "tag": min(tags[run])})
        values = json.loads(server.get(f"/data/plugin/histograms/histograms?{query}").body)
        return bool(values) and values[-1][1] == SCREEN_LAST_STEP

    with Browser() as browser, tensorboard_server(directory.path, flags=flags) as server:
        begin_s = time.perf_counter()
        while not is_there(server):
            time.sleep(0.05)
        waited_ms = (time.perf_counter() - begin_s) * 1e3
        return waited_ms + browser.histograms(server, look="histograms")["drawn_ms"]


def map_times(directory: LogDirectory) -> list[float]:
    """Seconds for heat maps of all steps of a tag, each of another one."""
    times = []
    with (
        tempfile.TemporaryDirectory() as cache,
        sightline_server(directory.path, cache=Path(cache)) as server,
    ):
        while not (runs := json.loads(server.get("/api/v1/runs").body))["progress"]["is_done"]:
            time.sleep(0.05)
        for tag in manifest_tags(directory)[:MAPS]:
            body = {
                "server_id": runs["server_id"],
                "queries": [{"runs": [runs["id"][0]], "tag": tag, "rows": 96}],
            }
            answer = server.post_json("/api/v1/histograms/maps", body)
            times.append(answer.duration_s)
    return times


def main() -> int:
    options = _options()
    many = full_directory(SHAPES["H1"], data=options.data)
    layers = full_directory(SHAPES["H2"], data=options.data)
    screens, overviews, maps = [], [], []
    theirs: dict[str, list[float]] = {}
    for _ in range(options.rounds):
        screens.append(first_screen(many, look="histograms")["drawn_ms"])
        overviews.append(first_screen(layers, look="overview"))
        maps += map_times(many)
    for name, flags in {} if options.no_peers else PEERS.items():
        for what, is_whole in {"first histogram": False, "first with all that was logged": True}.items():
            theirs[f"{name}, address → {what}"] = [
                first_of_tensorboard(many, flags, is_whole=is_whole) for _ in range(options.rounds)
            ]
    screen_s = statistics.median(screens) / 1e3
    drawn_s = statistics.median(look["drawn_ms"] for look in overviews) / 1e3
    frame_s = max(look["worst_frame_ms"] for look in overviews) / 1e3
    map_s = statistics.median(maps)
    rows = [
        [
            f"address → first screen, {SHAPES['H1'].summary}",
            seconds(screen_s),
            met_or_missed("≤ 1 s", is_met=screen_s <= 1),
        ],
        [
            "heat map of 1,000 steps, the server's answer",
            seconds(map_s),
            met_or_missed("≤ 150 ms", is_met=map_s <= 0.15),
        ],
        [
            f"overview, address → drawn, {SHAPES['H2'].summary}",
            seconds(drawn_s),
            met_or_missed("≤ 1.5 s", is_met=drawn_s <= 1.5),
        ],
        [
            "the longest frame while the overview is scrolled",
            seconds(frame_s),
            met_or_missed("≤ 50 ms", is_met=frame_s <= 0.05),
        ],
    ]
    for name, times_ms in theirs.items():
        their_s = statistics.median(times_ms) / 1e3
        times = their_s / screen_s
        rows.append(
            [
                f"{name}: {seconds(their_s)}",
                ratio(times),
                met_or_missed("≥ 20×", is_met=times >= 20),
            ]
        )
    table = section(
        "Histograms on the page, nothing cached",
        "Medians, except of frames. In a browser that was just started and draws without graphics processor.",
        markdown_table(["what", "", "bar"], rows),
    )
    print(table)
    if options.save:
        save_results("histogram_page", "Histograms on the page", f"Rounds: {options.rounds}.\n\n{table}")
    return 0


def _options() -> argparse.Namespace:
    parser = command_parser("histogram_page", __doc__)
    parser.add_argument("--rounds", type=int, default=3, help="default: 3")
    parser.add_argument("--no-peers", action="store_true", help="without TensorBoard")
    parser.add_argument("--data", type=Path, default=DEFAULT_DATA_DIRECTORY, help="default: build/bench")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
