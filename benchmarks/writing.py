"""What logging costs: Sightline's writer and its peers, in the same loop and the same run.

    python -m benchmarks.writing [--rounds 5] [--tasks calls,killed] [--quick] [--save]

Every round does every task once with every writer, each time in a fresh process and in an order drawn by lot,
so that a busy moment of the machine hits all alike. Everything that was written is read back by an
independent decoder and must be complete and in order.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks import machine, write_report
from benchmarks.command import command_parser, save_results
from benchmarks.write_check import WrongPointsError
from benchmarks.write_process import (
    FLOOR,
    MODULES,
    SIGHTLINE,
    TENSORBOARDX,
    TORCH,
    TRACKIO,
    FailedProcessError,
    answer_of,
    installed_writers,
    measure_killed,
    measure_writer,
    missing_packages,
)
from benchmarks.write_results import Results

PACKAGES = ("torch", "tensorboardX", "trackio")
# Long enough that the flush timer of every writer has run before the last call.
KILL_LEAD_S = 1.5


@dataclass(frozen=True)
class Sizes:
    """How much of everything. Slow writers get fewer calls where a rate or a share is measured."""

    calls: int = 20_000
    paced_calls: int = 2_000
    logs: int = 1_000
    sustained: dict[str, int] = field(
        default_factory=lambda: {
            SIGHTLINE: 1_000_000,
            FLOOR: 1_000_000,
            TORCH: 50_000,
            TENSORBOARDX: 20_000,
            TRACKIO: 50_000,
        }
    )
    longest: dict[str, int] = field(
        default_factory=lambda: {SIGHTLINE: 1_000_000, FLOOR: 1_000_000, TORCH: 100_000}
    )
    kills: int = 2
    """In each round, at different moments of the flush timer."""
    kill_burst: int = 5_000
    elements: tuple[int, ...] = (1_000_000, 10_000_000)
    histograms: int = 5
    overhead_groups: int = 30
    overhead_steps: int = 100
    overhead_block: int = 2


QUICK = Sizes(
    calls=2_000,
    paced_calls=200,
    logs=100,
    sustained={SIGHTLINE: 200_000, FLOOR: 200_000, TORCH: 10_000, TENSORBOARDX: 4_000, TRACKIO: 10_000},
    longest={SIGHTLINE: 100_000, FLOOR: 100_000, TORCH: 10_000},
    kills=1,
    kill_burst=1_000,
    elements=(1_000_000,),
    histograms=2,
    overhead_groups=1,
    overhead_steps=4,
    overhead_block=2,
)


def measure_round(
    results: Results, *, sizes: Sizes, tasks: Sequence[str], writers: Sequence[str], number: int, rounds: int
) -> None:
    """Every task of one round with every writer that takes part in it."""
    chance = random.Random(number)
    for task in tasks:
        if task not in TASKS:
            continue
        print(f"round {number + 1} of {rounds}: {task}", file=sys.stderr)
        order = list(writers)
        chance.shuffle(order)
        for writer in order:
            for key, answer in TASKS[task](writer, sizes, number / rounds):
                results.add(key, writer, answer)


def measure_once(results: Results, *, sizes: Sizes, tasks: Sequence[str], writers: Sequence[str]) -> None:
    """What needs no rounds, because it compares within one process."""
    if "histogram" in tasks:
        for elements in sizes.elements:
            answer = answer_of("write_counting", str(elements), str(sizes.histograms))
            results.add(f"counting {elements}", SIGHTLINE, answer)
    if "overhead" not in tasks or missing_packages(TORCH):
        return
    for writer, threads in ((SIGHTLINE, 1), (SIGHTLINE, 0), (TORCH, 0)):
        if writer not in writers:
            continue
        print(f"a transformer with {writer}, threads: {threads or 'default'}", file=sys.stderr)
        groups = sizes.overhead_groups if writer == SIGHTLINE else max(sizes.overhead_groups // 4, 1)
        arguments = ["--writer", writer.lower(), "--threads", threads, "--groups", groups]
        arguments += ["--steps", sizes.overhead_steps, "--block", sizes.overhead_block, "--json"]
        answer = answer_of("overhead", *(str(argument) for argument in arguments))
        results.add("overhead", f"{writer}, {answer['threads']}", answer)


Measured = Iterator[tuple[str, dict[str, Any]]]


def _calls(writer: str, sizes: Sizes, _: float) -> Measured:
    yield "calls none", measure_writer(writer, "calls", count=sizes.calls, pace="none")
    for pace in ("working", "idle"):
        yield f"calls {pace}", measure_writer(writer, "calls", count=sizes.paced_calls, pace=pace)


def _logs(writer: str, sizes: Sizes, _: float) -> Measured:
    for pace in ("none", "working"):
        yield f"logs {pace}", measure_writer(writer, "logs", count=sizes.logs, pace=pace)


def _sustained(writer: str, sizes: Sizes, _: float) -> Measured:
    count = sizes.sustained[writer]
    yield "sustained", measure_writer(writer, "sustained", count=count, by="add_scalar")
    yield "sustained log", measure_writer(writer, "sustained", count=count, by="log")


def _longest(writer: str, sizes: Sizes, _: float) -> Measured:
    if writer in sizes.longest:
        yield "longest", measure_writer(writer, "calls", count=sizes.longest[writer], pace="none")


def _killed(writer: str, sizes: Sizes, phase: float) -> Measured:
    if writer == FLOOR:
        return
    for number in range(sizes.kills):
        # Spread evenly over the second of a flush timer: the rounds interleave.
        lead_s = KILL_LEAD_S + (number + phase) / sizes.kills
        yield "killed", measure_killed(writer, lead_s=lead_s, burst=sizes.kill_burst)


def _start(writer: str, _: Sizes, __: float) -> Measured:
    if writer != FLOOR:
        yield "start", measure_writer(writer, "start")


def _histogram(writer: str, sizes: Sizes, _: float) -> Measured:
    if writer in (FLOOR, TRACKIO):
        return
    for elements in sizes.elements:
        answer = measure_writer(writer, "histogram", elements=elements, count=sizes.histograms)
        yield f"histogram {elements}", answer


TASKS: dict[str, Callable[[str, Sizes, float], Measured]] = {
    "calls": _calls,
    "logs": _logs,
    "sustained": _sustained,
    "longest": _longest,
    "killed": _killed,
    "start": _start,
    "histogram": _histogram,
}
ALL_TASKS = (*TASKS, "overhead")


def main() -> int:
    options = _options()
    sizes, rounds = (QUICK, 1) if options.quick else (Sizes(), options.rounds)
    writers = installed_writers()
    for writer in MODULES:
        if missing := missing_packages(writer):
            print(f"not measured: {writer}; not installed: {', '.join(missing)}", file=sys.stderr)
    results = Results()
    try:
        for number in range(rounds):
            measure_round(
                results, sizes=sizes, tasks=options.tasks, writers=writers, number=number, rounds=rounds
            )
        measure_once(results, sizes=sizes, tasks=options.tasks, writers=writers)
    except (WrongPointsError, FailedProcessError) as error:
        print(f"WRONG: {error}", file=sys.stderr)
        return 1
    text = write_report.full_report(results, rounds=rounds)
    print(text)
    if options.save:
        peers = (f"{package} {machine.version_of(package) or '(not installed)'}" for package in PACKAGES)
        save_results("writing", "Writing", text, facts=[f"Peers: {', '.join(peers)}"])
    return 0


def _task_names(text: str) -> list[str]:
    names = text.split(",")
    if unknown := [name for name in names if name not in ALL_TASKS]:
        raise argparse.ArgumentTypeError(f"unknown task {unknown[0]!r}; there are {', '.join(ALL_TASKS)}")
    return names


def _options() -> argparse.Namespace:
    parser = command_parser("writing", __doc__)
    parser.add_argument("--rounds", type=int, default=5, help="default: 5")
    parser.add_argument(
        "--tasks", type=_task_names, default=list(ALL_TASKS), help=f"of {','.join(ALL_TASKS)}; default: all"
    )
    parser.add_argument("--quick", action="store_true", help="one round of small sizes, to see that it works")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
