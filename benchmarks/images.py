"""5,000 pictures in one run: the first screenful, any step, and the server's memory; against TensorBoard.

    python -m benchmarks.images [--rounds 3] [--data DIR] [--save]

Logs of one run each, photographs of 1,024 × 1,024 pixels: 5,000 and 500 of one tag, and 5,000 as 200 steps
of 25 tags. Every one is another file (a comment in it holds its place), so that no thumbnail can be used
twice. Servers are asked over HTTP, four questions at a time as browsers and our page do it; TensorBoard sends
the originals, and has ten steps of them. Then our page in headless Chromium (needs web/node_modules, the
built page and Chromium): a browser that was just started, a server without thumbnails.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import struct
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from urllib.parse import urlencode

import numpy as np
import PIL.Image

from benchmarks.command import command_parser, save_results
from benchmarks.logdirs import DEFAULT_DATA_DIRECTORY
from benchmarks.page_browser import Browser
from benchmarks.page_fetch import column_of, frame_header
from benchmarks.page_servers import LOAD_LIMIT_S, Server, sightline_server, tensorboard_server
from benchmarks.table import markdown_table, megabytes, met_or_missed, ratio, seconds, section
from sightline._core import masked_crc32c
from sightline.formats.messages import Event, Image, Summary, Value

MANY, FEW = 5_000, 500
TAGS = 25
TAG = "samples"
SIDE_PX = 1_024
SCREENFUL = 24
ASKED_STEPS = 200
BROWSER_STEPS = 30
AT_ONCE = 4
SIZE_PX = 256
_WORST_SHARE = 0.99
_POLL_S = 0.005


# ── logs ─────────────────────────────────────────────────────────────────────────────────────────────────


def picture_log(data: Path, count: int, tags: int = 1) -> Path:
    """A directory with one event file, written unless it is there already."""
    directory = data / (f"pictures-{count}" if tags == 1 else f"pictures-{count}-tags-{tags}")
    path = directory / "run" / "events.out.tfevents.1700000000.bench.1.0"
    if path.is_file():
        return directory
    photograph = _photograph()
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(".tmp")
    with temporary.open("wb") as file:
        file.write(_record(Event(wall_time=1.7e9, file_version="brain.Event:2")))
        for place in range(count):
            step, number = divmod(place, tags)
            image = Image(
                height=SIDE_PX, width=SIDE_PX, colorspace=3, encoded_image_string=_marked(photograph, place)
            )
            value = Value(tag=TAG if tags == 1 else f"{TAG}/{number:02}", image=image)
            file.write(_record(Event(wall_time=1.7e9 + step, step=step, summary=Summary(value=[value]))))
    temporary.rename(path)
    return directory


def _photograph() -> bytes:
    """Smooth with some grain: packs like a photograph."""
    chance = np.random.default_rng(0)
    coarse = PIL.Image.fromarray(chance.integers(0, 256, (24, 24, 3), dtype=np.uint8))
    smooth = np.asarray(coarse.resize((SIDE_PX, SIDE_PX), PIL.Image.Resampling.BICUBIC)).astype(float)
    grainy = np.clip(smooth + chance.normal(0, 4, smooth.shape), 0, 255).astype(np.uint8)
    out = BytesIO()
    PIL.Image.fromarray(grainy).save(out, "JPEG", quality=85)
    return out.getvalue()


def _marked(jpeg: bytes, place: int) -> bytes:
    comment = f"picture {place}".encode()
    return jpeg[:2] + b"\xff\xfe" + struct.pack(">H", 2 + len(comment)) + comment + jpeg[2:]


def _record(event: Event) -> bytes:
    data = event.encode()
    length = struct.pack("<Q", len(data))
    return b"".join(
        [length, struct.pack("<I", masked_crc32c(length)), data, struct.pack("<I", masked_crc32c(data))]
    )


# ── asking ───────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Visit:
    """What one server did with one log."""

    loaded_s: float
    """From starting the command until all steps that the server will have are listed."""
    screen_s: float
    """From then on, until the first screenful is there."""
    asked_s: Sequence[float]
    """Of single pictures at steps chosen by lot, one after the other."""
    again_s: Sequence[float]
    steps: int
    """That can be asked for."""
    picture_bytes: float
    """Of one answer, on average."""
    resident_bytes: int
    anonymous_bytes: int


def visit_sightline(directory: Path, count: int, seed: int) -> Visit:
    with tempfile.TemporaryDirectory() as scratch, sightline_server(directory, cache=Path(scratch)) as server:
        steps = _wait(server, lambda: _sightline_steps(server), count)

        def path(step: int) -> str:
            asked = {"run": 0, "tag": TAG, "index": step, "step": step, "size": SIZE_PX}
            return f"/api/v1/images/thumbnail?{urlencode(asked)}"

        return _visit(server, steps, path, seed)


def _sightline_steps(server: Server, tag: str = TAG) -> list[int]:
    runs = json.loads(server.get("/api/v1/runs").body)["id"]
    body = {"queries": [{"kind": "image", "tag": tag, "runs": runs}]}
    answer = server.post_json("/api/v1/media/series", body).body
    found = [column_of(answer, one["step"], one["count"]) for one in frame_header(answer)["series"]]
    return [int(step) for step in found[0]] if found else []


def visit_tensorboard(directory: Path, count: int, seed: int) -> Visit:
    with tensorboard_server(directory) as server:
        listed: dict[int, str] = {}

        def steps() -> list[int]:
            tags = json.loads(server.get("/data/plugin/images/tags").body)
            if TAG not in tags.get("run", {}):
                return []
            query = urlencode({"run": "run", "tag": TAG, "sample": 0})
            listed.clear()
            for one in json.loads(server.get(f"/data/plugin/images/images?{query}").body):
                listed[one["step"]] = one["query"]
            return sorted(listed)

        kept = _wait(server, steps, count)
        return _visit(server, kept, lambda step: f"/data/plugin/images/individualImage?{listed[step]}", seed)


@dataclass(frozen=True)
class Look:
    """At the page's gallery, in a browser of its own."""

    pictures: int
    """In sight."""
    first_s: float
    """From going to the address until all of them are drawn."""
    steps_s: Sequence[float]
    """From typing a step until all of them are drawn at it."""


def look(directory: Path, tags: int, seed: int) -> Look:
    steps = random.Random(seed).sample(range(MANY // tags - 1), BROWSER_STEPS)
    last_tag = TAG if tags == 1 else f"{TAG}/{tags - 1:02}"
    with (
        tempfile.TemporaryDirectory() as scratch,
        Browser() as browser,
        sightline_server(directory, cache=Path(scratch)) as server,
    ):
        _wait(server, lambda: _sightline_steps(server, last_tag), MANY // tags)
        seen = browser.gallery(server, steps=steps)
    return Look(seen["pictures"], seen["drawn_ms"] / 1e3, [ms / 1e3 for ms in seen["steps_ms"]])


def _wait(server: Server, steps: Callable[[], list[int]], count: int) -> list[int]:
    """Until the last step is there."""
    while True:
        found = steps()
        if found and found[-1] == count - 1:
            return found
        if time.perf_counter() - server.started_s > LOAD_LIMIT_S:
            raise RuntimeError(f"{server.name} does not list step {count - 1:,}")
        time.sleep(_POLL_S)


def _visit(server: Server, steps: list[int], path: Callable[[int], str], seed: int) -> Visit:
    loaded_s = time.perf_counter() - server.started_s
    begin_s = time.perf_counter()
    with ThreadPoolExecutor(AT_ONCE) as pool:
        first = list(pool.map(lambda step: server.get(path(step)), steps[-SCREENFUL:]))
    screen_s = time.perf_counter() - begin_s
    for answer in first:
        PIL.Image.open(BytesIO(answer.body)).load()  # an answer that is no picture must not count
    chance = random.Random(seed)
    chosen = chance.sample(steps[:-SCREENFUL] or steps, min(ASKED_STEPS, len(steps[:-SCREENFUL] or steps)))
    answers = [server.get(path(step)) for step in chosen]
    again = [server.get(path(step)) for step in chosen]
    return Visit(
        loaded_s=loaded_s,
        screen_s=screen_s,
        asked_s=[answer.duration_s for answer in answers],
        again_s=[answer.duration_s for answer in again],
        steps=len(steps),
        picture_bytes=statistics.mean(len(answer.body) for answer in answers),
        resident_bytes=server.resident_bytes(),
        anonymous_bytes=server.anonymous_bytes(),
    )


# ── tables ───────────────────────────────────────────────────────────────────────────────────────────────


def screen_table(ours: list[Visit], theirs: list[Visit]) -> str:
    rows = []
    for name, visits in (("Sightline", ours), ("TensorBoard", theirs)):
        screen = [visit.screen_s for visit in visits]
        total = [visit.loaded_s + visit.screen_s for visit in visits]
        pictures = min(SCREENFUL, visits[0].steps)
        rows.append(
            [
                name,
                f"{pictures} of {visits[0].picture_bytes / 1e3:,.0f} kB",
                seconds(statistics.median(visit.loaded_s for visit in visits)),
                seconds(statistics.median(screen)),
                seconds(max(screen)),
                seconds(statistics.median(total)),
                met_or_missed("< 1 s", is_met=max(screen) < 1) if visits is ours else "",
            ]
        )
    header = ["server", "pictures", "start → listed", "listed → sent", "worst", "start → sent", "bar"]
    return section(
        f"First screenful of {MANY:,} pictures, nothing cached",
        "From starting the command. Sightline sends thumbnails of 256 pixels, TensorBoard the originals, as "
        "many as it keeps. Both have the last step listed before they are asked.",
        markdown_table(header, rows),
    )


def steps_table(ours: list[Visit], theirs: list[Visit]) -> str:
    rows = []
    for name, visits, is_again in (
        ("Sightline, first time", ours, False),
        ("Sightline, again", ours, True),
        ("TensorBoard", theirs, False),
    ):
        found = sorted(s for visit in visits for s in (visit.again_s if is_again else visit.asked_s))
        worst = found[min(len(found) - 1, int(_WORST_SHARE * len(found)))]
        is_ours = visits is ours
        rows.append(
            [
                name,
                f"{visits[0].steps:,} of {MANY:,}",
                f"{len(found):,}",
                seconds(statistics.median(found)),
                seconds(worst),
                seconds(found[-1]),
                met_or_missed("< 100 ms", is_met=found[-1] < 0.1) if is_ours else "",
            ]
        )
    header = ["server", "steps there", "asked", "median", "99 %", "longest", "bar"]
    return section(
        "The picture at any step",
        "One question at a time, at steps chosen by lot among those that the server has.",
        markdown_table(header, rows),
    )


def browser_table(one: list[Look], screen: list[Look]) -> str:
    rows = []
    for looks in (one, screen):
        log = f"{MANY:,} steps" if looks is one else f"{TAGS} tags × {MANY // TAGS} steps"
        first = [look.first_s for look in looks]
        steps = [step_s for look in looks for step_s in look.steps_s]
        step_bar = met_or_missed("< 100 ms", is_met=max(steps) < 0.1) if looks is one else ""
        for what, times_s, bar in (
            ("address → drawn", first, met_or_missed("< 1 s", is_met=max(first) < 1)),
            ("step typed → drawn", steps, step_bar),
        ):
            times = [f"{len(times_s):,}", seconds(statistics.median(times_s)), seconds(max(times_s)), bar]
            rows.append([log, f"{looks[0].pictures}", what, *times])
    return section(
        f"{MANY:,} pictures on our page, nothing cached",
        "In a browser that was just started and draws without a graphics processor, until every picture in "
        "sight is on the screen; thumbnails that nobody has asked for before.",
        markdown_table(["log", "in sight", "", "times", "median", "longest", "bar"], rows),
    )


def memory_table(ours: list[Visit], few: list[Visit], theirs: list[Visit]) -> str:
    def median(visits: list[Visit], name: str) -> float:
        return float(statistics.median(getattr(visit, name) for visit in visits))

    base = median(few, "anonymous_bytes")
    growth = median(ours, "anonymous_bytes") / base
    rows = [
        [f"Sightline, {FEW:,} pictures", _memory(few, median), "1.00×", ""],
        [
            f"Sightline, {MANY:,} pictures",
            _memory(ours, median),
            ratio(growth),
            met_or_missed("≤ 1.1×", is_met=growth <= 1.1),
        ],
        [f"TensorBoard, {MANY:,} pictures", _memory(theirs, median), "", ""],
    ]
    return section(
        "Server memory after all of this",
        "Resident, and of that what is not backed by a file (which the ratio is of).",
        markdown_table(["server", "resident / anonymous", "ratio", "bar"], rows),
    )


def _memory(visits: list[Visit], median: Callable[[list[Visit], str], float]) -> str:
    return f"{megabytes(median(visits, 'resident_bytes'))} / {megabytes(median(visits, 'anonymous_bytes'))}"


def main() -> int:
    options = _options()
    many, small = picture_log(options.data, MANY), picture_log(options.data, FEW)
    tagged = picture_log(options.data, MANY, TAGS)
    ours, few, theirs, one, screen = [], [], [], [], []
    for number in range(options.rounds):
        ours.append(visit_sightline(many, MANY, number))
        few.append(visit_sightline(small, FEW, number))
        theirs.append(visit_tensorboard(many, MANY, number))
        one.append(look(many, 1, number))
        screen.append(look(tagged, TAGS, number))
    sections = [
        screen_table(ours, theirs),
        steps_table(ours, theirs),
        browser_table(one, screen),
        memory_table(ours, few, theirs),
    ]
    print("\n\n".join(sections))
    if options.save:
        save_results("images", "Pictures", "\n\n".join([f"Rounds: {options.rounds}.", *sections]))
    return 0


def _options() -> argparse.Namespace:
    parser = command_parser("images", __doc__)
    parser.add_argument("--rounds", type=int, default=3, help="default: 3")
    parser.add_argument("--data", type=Path, default=DEFAULT_DATA_DIRECTORY, help="default: build/bench")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
