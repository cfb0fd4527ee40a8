"""The loop that every writer is measured with, inside its own fresh process.

A program of one writer (``write_sightline.py``, ``write_torch.py`` …) says how it is loaded and opened, and
calls `run`. What is logged is the same for all: point k has the tag k mod 20, the step k div 20 and the value
k / 1024, which a 32-bit float holds exactly. So a reader knows what must be there, and in which order
(``write_check.py``).

Between two calls of a paced loop the thread either sleeps or works. Working is a product of long vectors: it
gives Python's lock away and empties the processor's caches, as training does; a call behind it is slower than
one of a thousand in a row.

Settings come as JSON in the first argument, the answer goes as one line of JSON to the standard output. What
a writer prints goes to the standard error.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import sys
import time
from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

import numpy as np

TAGS = tuple(f"train/metric_{number:02d}" for number in range(20))
VALUES_PER_UNIT = 1024
# As often as a quick training step logs.
PAUSE_NS = 1_000_000
# 8 MB together: more than the caches next to a core hold, and below a millisecond to go through.
WORK_ELEMENTS = 1_000_000
TIMER_SAMPLES = 20_000

Pace = Callable[[], object]
Settings = dict[str, Any]
Answer = dict[str, Any]


@dataclass(frozen=True)
class Writer:
    """One opened writer: the calls as a training script makes them."""

    add_scalar: Callable[[str, float, int], object]
    log: Callable[[dict[str, float], int], object]
    """All values of a dict at one step."""
    flush: Callable[[], object]
    close: Callable[[], object]
    add_histogram: Callable[[str, Any, int], object] | None = None


Opener = Callable[[Path], Writer]


def opener_of(writer_class: Any) -> Opener:
    """Of a SummaryWriter without a call for a dict: a script loops."""

    def open_writer(directory: Path) -> Writer:
        writer = writer_class(str(directory))
        add_scalar = writer.add_scalar

        def log(values: dict[str, float], step: int) -> None:
            for tag, value in values.items():
                add_scalar(tag, value, step)

        return Writer(
            add_scalar=add_scalar,
            log=log,
            flush=writer.flush,
            close=writer.close,
            add_histogram=writer.add_histogram,
        )

    return open_writer


def run(load: Callable[[], Opener], *, prepare: Callable[[], object] = lambda: None) -> None:
    """Does what the settings ask for. `prepare` loads what a training job has loaded anyway."""
    settings: Settings = json.loads(sys.argv[1])
    answers = _private_stdout()
    prepare()
    directory = Path(settings["directory"])
    if settings["task"] == "start":
        answer = _start(load, directory)
    elif settings["task"] == "killed":
        _log_until_killed(load()(directory), settings, answers)
    else:
        task = {"calls": _calls, "logs": _logs, "sustained": _sustained, "histogram": _histogram}
        answer = task[settings["task"]](load()(directory), settings)
    print(json.dumps(answer), file=answers, flush=True)


def row_of(step: int) -> dict[str, float]:
    """The 20 points of one step."""
    first = step * len(TAGS)
    return {tag: (first + number) / VALUES_PER_UNIT for number, tag in enumerate(TAGS)}


def _calls(writer: Writer, settings: Settings) -> Answer:
    """Each call of ``add_scalar`` timed by itself."""
    count, pause, now = int(settings["count"]), _pace(settings["pace"]), time.perf_counter_ns
    add_scalar, durations = writer.add_scalar, array("q", bytes(8 * count))
    tags, width = TAGS, len(TAGS)
    gc.collect()
    for point in range(count):
        tag, value, step = tags[point % width], point / VALUES_PER_UNIT, point // width
        start = now()
        add_scalar(tag, value, step)
        end = now()
        durations[point] = end - start
        pause()
    writer.close()
    return {"points": count, **_distribution(durations)}


def _logs(writer: Writer, settings: Settings) -> Answer:
    """Each call of ``log`` with 20 values timed by itself; making the dict is the caller's business."""
    count, pause, now = int(settings["count"]), _pace(settings["pace"]), time.perf_counter_ns
    log, durations = writer.log, array("q", bytes(8 * count))
    gc.collect()
    for step in range(count):
        row = row_of(step)
        start = now()
        log(row, step)
        end = now()
        durations[step] = end - start
        pause()
    writer.close()
    return {"points": count * len(TAGS), **_distribution(durations)}


def _sustained(writer: Writer, settings: Settings) -> Answer:
    """As fast as it goes, until ``close`` has returned; with the CPU time of all threads and children."""
    count, width, tags, add_scalar = int(settings["count"]), len(TAGS), TAGS, writer.add_scalar
    gc.collect()
    cpu_s, start_s = _all_cpu_seconds(), time.perf_counter()
    if settings["by"] == "log":
        for step in range(count // width):
            writer.log(row_of(step), step)
    else:
        for point in range(count):
            add_scalar(tags[point % width], point / VALUES_PER_UNIT, point // width)
    called_s = time.perf_counter()
    writer.close()
    end_s = time.perf_counter()
    cpu_s = _all_cpu_seconds() - cpu_s
    _require_no_children()
    return {"points": count, "calls_s": called_s - start_s, "total_s": end_s - start_s, "cpu_s": cpu_s}


def _log_until_killed(writer: Writer, settings: Settings, answers: TextIO) -> None:
    """Logs for `lead_s`, then a burst, tells when the last call returned, and works on without logging."""
    work, point, width = _pace("working"), 0, len(TAGS)
    end_s = time.monotonic() + settings["lead_s"]

    def add() -> None:
        nonlocal point
        writer.add_scalar(TAGS[point % width], point / VALUES_PER_UNIT, point // width)
        point += 1

    while time.monotonic() < end_s:
        add()
        work()
    for _ in range(settings["burst"]):
        add()
    last_call_s = time.monotonic()
    print(json.dumps({"points": point, "last_call_s": last_call_s}), file=answers, flush=True)
    while True:
        work()


def _start(load: Callable[[], Opener], directory: Path) -> Answer:
    """What a training job pays before its first step: imports, opening, the first value, closing."""
    modules = len(sys.modules)
    moments = [time.perf_counter()]
    opener = load()
    moments.append(time.perf_counter())
    writer = opener(directory)
    moments.append(time.perf_counter())
    writer.add_scalar(TAGS[0], 0.0, 0)
    moments.append(time.perf_counter())
    writer.close()
    moments.append(time.perf_counter())
    names = ("import_s", "open_s", "first_s", "close_s")
    parts = {name: end - begin for name, begin, end in zip(names, moments, moments[1:], strict=False)}
    return {"points": 1, "modules": len(sys.modules) - modules, **parts}


def _histogram(writer: Writer, settings: Settings) -> Answer:
    """How long ``add_histogram`` keeps the caller, and how long until it is written."""
    if writer.add_histogram is None:
        return {}
    data = np.random.default_rng(0).standard_normal(int(settings["elements"]), dtype=np.float32)
    called, written = [], []
    for step in range(int(settings["count"])):
        start_s = time.perf_counter()
        writer.add_histogram("weights", data, step)
        called.append(time.perf_counter() - start_s)
        writer.flush()
        written.append(time.perf_counter() - start_s)
    writer.close()
    return {"called_s": float(np.median(called)), "written_s": float(np.median(written))}


def _pace(name: str) -> Pace:
    if name == "none":
        return lambda: None
    if name == "idle":
        return lambda: time.sleep(PAUSE_NS / 1e9)
    left = np.ones(WORK_ELEMENTS, np.float32)
    right = np.ones(WORK_ELEMENTS, np.float32)

    def work() -> None:
        end = time.perf_counter_ns() + PAUSE_NS
        while time.perf_counter_ns() < end:
            np.dot(left, right)

    return work


def _distribution(durations: array[int]) -> Answer:
    """Seconds, without what the timer itself takes."""
    spent = (np.frombuffer(durations, np.int64) - _timer_ns()) / 1e9
    p50, p99, p999 = (float(value) for value in np.quantile(spent, [0.5, 0.99, 0.999]))
    worst = float(spent.max())
    return {"median_s": p50, "p99_s": p99, "p999_s": p999, "max_s": worst, "mean_s": float(spent.mean())}


def _timer_ns() -> int:
    """Between two readings of the clock with nothing in between."""
    now, samples = time.perf_counter_ns, []
    for _ in range(TIMER_SAMPLES):
        start = now()
        end = now()
        samples.append(end - start)
    return int(np.median(samples))


def _all_cpu_seconds() -> float:
    """Of all threads, and of all child processes that have ended."""
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def _require_no_children() -> None:
    """A child that still runs would have used processor time that nobody counted."""
    if running := list(_children()):
        raise RuntimeError(f"child processes are still running after close: {running}")


def _children() -> Iterator[str]:
    for path in Path("/proc/self/task").glob("*/children"):
        yield from path.read_text().split()


def _private_stdout() -> TextIO:
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    return answers
