"""A cloud of a million points: until the page has drawn it, frames while it is turned; against TensorBoard.

    python -m benchmarks.mesh_page [--rounds 3] [--points 1000000] [--no-peers] [--save]

Both servers are just started and have nothing cached. WebGL is drawn by software.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from benchmarks.command import command_parser, save_results
from benchmarks.page_browser import Browser
from benchmarks.page_servers import sightline_server, tensorboard_server
from benchmarks.table import markdown_table, met_or_missed, ratio, seconds, section
from sightline import SummaryWriter


def write_cloud(directory: Path, *, points: int) -> None:
    """A spiral on a sphere, coloured by place."""
    turn = np.arange(points) * (np.pi * (3 - np.sqrt(5)))
    height = np.linspace(-1, 1, points)
    radius = np.sqrt(1 - height**2)
    places = np.stack([radius * np.cos(turn), height, radius * np.sin(turn)], axis=1).astype(np.float32)
    colours = ((places + 1) * 127.5).astype(np.uint8)
    with SummaryWriter(str(directory / "run")) as writer:
        writer.add_mesh("cloud", vertices=places[None], colors=colours[None], global_step=1)


def ours(directory: Path) -> dict[str, float]:
    with (
        tempfile.TemporaryDirectory() as cache,
        Browser(has_webgl=True) as browser,
        sightline_server(directory, cache=Path(cache)) as server,
    ):
        return browser.mesh(server)


def of_tensorboard(directory: Path) -> dict[str, float]:
    """Its page does not look again by itself: the browser comes when the tag is there."""
    with Browser(has_webgl=True) as browser, tensorboard_server(directory) as server:
        begin_s = time.perf_counter()
        while not any(json.loads(server.get("/data/plugin/mesh/tags").body).values()):
            time.sleep(0.05)
        waited_ms = (time.perf_counter() - begin_s) * 1e3
        found = browser.mesh(server)
        return {**found, "drawn_ms": waited_ms + found["drawn_ms"]}


def main() -> int:
    options = _options()
    with tempfile.TemporaryDirectory() as scratch:
        write_cloud(Path(scratch), points=options.points)
        own = [ours(Path(scratch)) for _ in range(options.rounds)]
        theirs = [] if options.no_peers else [of_tensorboard(Path(scratch)) for _ in range(options.rounds)]

    def median(looks: list[dict[str, float]], name: str) -> float:
        return statistics.median(look[name] for look in looks) / 1e3

    drawn_s, frame_s = median(own, "drawn_ms"), median(own, "median_frame_ms")
    rows = [
        ["address → drawn", seconds(drawn_s), met_or_missed("≤ 2 s", is_met=drawn_s <= 2)],
        ["a frame while it is turned", seconds(frame_s), ""],
        ["the longest such frame", seconds(median(own, "worst_frame_ms")), ""],
    ]
    for what, name, own_s in (
        ("address → drawn", "drawn_ms", drawn_s),
        ("a frame while it is turned", "median_frame_ms", frame_s),
    ):
        if theirs:
            their_s = median(theirs, name)
            rows.append([f"TensorBoard, {what}: {seconds(their_s)}", ratio(their_s / own_s), ""])
    table = section(
        f"A cloud of {options.points:,} points, nothing cached",
        "Medians. In a browser that was just started and draws WebGL by software.",
        markdown_table(["what", "", "bar"], rows),
    )
    print(table)
    if options.save:
        save_results("mesh_page", "Meshes on the page", f"Rounds: {options.rounds}.\n\n{table}")
    return 0


def _options() -> argparse.Namespace:
    parser = command_parser("mesh_page", __doc__)
    parser.add_argument("--rounds", type=int, default=3, help="default: 3")
    parser.add_argument("--points", type=int, default=1_000_000, help="default: 1,000,000")
    parser.add_argument("--no-peers", action="store_true", help="without TensorBoard")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
