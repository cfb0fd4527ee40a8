"""What logging costs a training step: a small transformer on the CPU, with and without, in one process.

    python -m benchmarks.overhead [--writer sightline|torch] [--threads 1] [--groups 30] [--json]

Measured one after the other on a shared machine, such a difference is mostly weather. So both arms share one
process, one model and one stretch of time: a group is 100 steps with logging and 100 without, cut into short
blocks whose order is drawn by lot, pair by pair. Each group gives one difference; the median over all groups
and a bootstrap interval of it are reported.

What a logged step does: one ``log`` of 100 numbers. Once in a group, at a step drawn by lot, histograms of
all parameters and gradients. A block with logging ends when ``flush`` has returned: the work of background
threads is paid where it was caused, and waiting for the disk is counted although a training loop does not
wait. Both arms make the dict of numbers; only writing it differs.
"""

from __future__ import annotations

import argparse
import importlib
import json
import random
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.command import command_parser
from benchmarks.table import markdown_table, met_or_missed, seconds

# 0.9 million parameters in 52 arrays; a step takes some 40 to 80 ms on one core.
LAYERS, WIDTH, HEADS, VOCABULARY, LENGTH, BATCH = 4, 128, 4, 256, 128, 4
SCALARS = 100
BOOTSTRAP_SAMPLES = 10_000
WARM_UP_STEPS = 10
BAR = 0.01
# Fewer pairs, or an interval wider than this share of a step, say nothing about 1 %.
FEWEST_GROUPS, WIDEST_INTERVAL = 5, 2 * BAR


@dataclass(frozen=True)
class Plan:
    writer: str = "sightline"
    threads: int = 0
    """0: as many as torch takes by itself."""
    groups: int = 30
    steps: int = 100
    """Of each arm in a group; the histograms come once in them."""
    block: int = 2
    """Steps of one arm in a row. Few, because step times drift: with blocks of 1, 2, 5, 10, 20 steps the
    differences of groups without any logging scattered by 1.1, 1.4, 1.7, 2.6, 2.6 %. Not 1, because each
    block waits for the disk once."""
    seed: int = 0


@dataclass
class Times:
    """Seconds. Blocks come in pairs: the same place of both lists is one pair."""

    with_logging: list[float] = field(default_factory=list)
    without: list[float] = field(default_factory=list)
    cpu_with_logging: list[float] = field(default_factory=list)
    cpu_without: list[float] = field(default_factory=list)
    has_histograms: list[bool] = field(default_factory=list)
    steps_with_logging: list[float] = field(default_factory=list)
    steps_without: list[float] = field(default_factory=list)
    log_calls: list[float] = field(default_factory=list)
    histogram_calls: list[float] = field(default_factory=list)
    """Of one step: all parameters and gradients."""


class Training:
    """The model, its optimizer, and one step on random tokens."""

    def __init__(self, *, threads: int) -> None:
        torch = importlib.import_module("torch")
        if threads:
            torch.set_num_threads(threads)
        torch.manual_seed(0)
        layer = torch.nn.TransformerEncoderLayer(
            WIDTH, HEADS, dim_feedforward=4 * WIDTH, dropout=0.0, batch_first=True, norm_first=True
        )
        self.model = torch.nn.ModuleDict(
            {
                "embedding": torch.nn.Embedding(VOCABULARY, WIDTH),
                "positions": torch.nn.Embedding(LENGTH, WIDTH),
                "blocks": torch.nn.TransformerEncoder(layer, LAYERS, enable_nested_tensor=False),
                "head": torch.nn.Linear(WIDTH, VOCABULARY),
            }
        )
        self.parameters = dict(self.model.named_parameters())
        self.threads = torch.get_num_threads()
        self._torch = torch
        self._optimizer = torch.optim.AdamW(self.model.parameters(), lr=1e-4)
        self._mask = torch.nn.Transformer.generate_square_subsequent_mask(LENGTH)
        self._places = torch.arange(LENGTH)

    def step(self) -> float:
        tokens = self._torch.randint(0, VOCABULARY, (BATCH, LENGTH + 1))
        hidden = self.model["embedding"](tokens[:, :-1]) + self.model["positions"](self._places)
        hidden = self.model["blocks"](hidden, mask=self._mask, is_causal=True)
        scores = self.model["head"](hidden)
        loss = self._torch.nn.functional.cross_entropy(scores.flatten(0, 1), tokens[:, 1:].flatten())
        self._optimizer.zero_grad()
        loss.backward()
        self._optimizer.step()
        return float(loss.item())


class Logging:
    """What a script would log of a step."""

    def __init__(self, writer: Any, *, has_log: bool) -> None:
        self._writer = writer
        self._has_log = has_log
        self.flush: Callable[[], object] = writer.flush

    def scalars(self, row: dict[str, float], step: int) -> None:
        if self._has_log:
            self._writer.log(row, step)
        else:
            for tag, value in row.items():
                self._writer.add_scalar(tag, value, step)

    def histograms(self, training: Training, step: int) -> None:
        for name, parameter in training.parameters.items():
            self._writer.add_histogram(f"parameters/{name}", parameter, step)
            self._writer.add_histogram(f"gradients/{name}", parameter.grad, step)


def measure(plan: Plan) -> dict[str, Any]:
    """The numbers of one process, ready for a table."""
    training, chance, times = Training(threads=plan.threads), random.Random(plan.seed), Times()
    module = "sightline" if plan.writer == "sightline" else "torch.utils.tensorboard"
    with tempfile.TemporaryDirectory(prefix="sightline-overhead-") as scratch:
        writer = importlib.import_module(module).SummaryWriter(scratch)
        logging = Logging(writer, has_log=plan.writer == "sightline")
        for step in range(WARM_UP_STEPS):
            row = row_of(training.step(), step)
        # The first histograms and the first flush load what is loaded only once.
        logging.scalars(row, 0)
        logging.histograms(training, 0)
        logging.flush()
        step = 1
        for _ in range(plan.groups):
            step = _measure_group(plan, training, logging, times, chance, step)
        writer.close()
    return {"threads": training.threads, **_summary(plan, times, chance)}


def row_of(loss: float, step: int) -> dict[str, float]:
    return {f"train/metric_{number:02d}": loss + number / 16 + step for number in range(SCALARS)}


def _measure_group(
    plan: Plan, training: Training, logging: Logging, times: Times, chance: random.Random, step: int
) -> int:
    blocks = plan.steps // plan.block
    histogram_block, histogram_step = chance.randrange(blocks), chance.randrange(plan.block)
    for number in range(blocks):
        has_histograms = number == histogram_block
        arms = [True, False]
        chance.shuffle(arms)
        for is_logging in arms:
            histograms_at = step + histogram_step if is_logging and has_histograms else -1
            step = _measure_block(
                plan.block, training, logging if is_logging else None, times, step, histograms_at
            )
        times.has_histograms.append(has_histograms)
    return step


def _measure_block(
    count: int, training: Training, logging: Logging | None, times: Times, first: int, histograms_at: int
) -> int:
    now, spent = time.perf_counter, []
    cpu_s, start_s = time.process_time(), now()
    for step in range(first, first + count):
        step_start_s = now()
        row = row_of(training.step(), step)
        if logging is not None:
            called_s = now()
            logging.scalars(row, step)
            times.log_calls.append(now() - called_s)
            if step == histograms_at:
                called_s = now()
                logging.histograms(training, step)
                times.histogram_calls.append(now() - called_s)
        spent.append(now() - step_start_s)
    if logging is not None:
        logging.flush()
    block_s, cpu_s = now() - start_s, time.process_time() - cpu_s
    arm = (
        (times.without, times.cpu_without, times.steps_without)
        if logging is None
        else (times.with_logging, times.cpu_with_logging, times.steps_with_logging)
    )
    arm[0].append(block_s)
    arm[1].append(cpu_s)
    arm[2].extend(spent)
    return first + count


def _summary(plan: Plan, times: Times, chance: random.Random) -> dict[str, Any]:
    with_logging, without = np.array(times.with_logging), np.array(times.without)
    blocks = plan.steps // plan.block
    step_s = float(np.median(without)) / plan.block
    groups = (with_logging - without).reshape(plan.groups, blocks).sum(axis=1) / plan.steps
    cpu = np.array(times.cpu_with_logging) - np.array(times.cpu_without)
    cpu_groups = cpu.reshape(plan.groups, blocks).sum(axis=1) / plan.steps
    pairs, is_rare = with_logging - without, np.array(times.has_histograms)
    low, high = median_interval(groups, seed=chance.randrange(1 << 31))
    return {
        "groups": plan.groups,
        "steps": plan.steps,
        "step_s": step_s,
        "overhead_s": float(np.median(groups)),
        "low_s": low,
        "high_s": high,
        "cpu_step_s": float(np.median(times.cpu_without)) / plan.block,
        "cpu_overhead_s": float(np.median(cpu_groups)),
        "scalars_s": float(np.median(pairs[~is_rare])) / plan.block if blocks > 1 else None,
        "histograms_s": float(np.median(pairs[is_rare])),
        "log_call_s": float(np.median(times.log_calls)),
        "histogram_calls_s": float(np.median(times.histogram_calls)),
        "calls_s": (sum(times.log_calls) + sum(times.histogram_calls)) / len(times.log_calls),
        "p99_with_s": float(np.quantile(times.steps_with_logging, 0.99)),
        "p99_without_s": float(np.quantile(times.steps_without, 0.99)),
    }


def median_interval(values: NDArray[np.float64], *, seed: int) -> tuple[float, float]:
    """95 % of the medians of samples drawn from `values` with replacement."""
    generator = np.random.default_rng(seed)
    drawn = generator.choice(values, size=(BOOTSTRAP_SAMPLES, len(values)))
    low, high = np.quantile(np.median(drawn, axis=1), [0.025, 0.975])
    return float(low), float(high)


def verdict(result: dict[str, Any]) -> str:
    """Of the median; none when the interval is too wide for the question."""
    is_clear = result["high_s"] - result["low_s"] <= WIDEST_INTERVAL * result["step_s"]
    if result["groups"] < FEWEST_GROUPS or not is_clear:
        return f"≤ {BAR:.0%} (too noisy)"
    return met_or_missed(f"≤ {BAR:.0%}", is_met=result["overhead_s"] <= BAR * result["step_s"])


def tables(results: dict[str, dict[str, Any]]) -> str:
    """One row for each case; the bar is for Sightline."""
    rows, parts = [], []
    for name, result in results.items():
        step_s = result["step_s"]
        share = result["overhead_s"] / step_s
        bar = verdict(result) if name.startswith("Sightline") else "–"
        interval = f"{result['low_s'] / step_s:+.2%} … {result['high_s'] / step_s:+.2%}"
        cpu = f"{result['cpu_overhead_s'] / result['cpu_step_s']:+.2%}"
        worst = [seconds(result[key]) for key in ("p99_without_s", "p99_with_s")]
        rows.append(
            [name, f"{result['groups']}", seconds(step_s), f"{share:+.2%}", interval, bar, cpu, *worst]
        )
        inside = f"{result['calls_s'] / step_s:.2%}"
        calls = [seconds(result[key]) for key in ("log_call_s", "histogram_calls_s")]
        parts.append([name, *calls, inside, *(_signed(result[key]) for key in ("scalars_s", "histograms_s"))])
    header = ["writer, threads of torch", "pairs", "step", "with logging", "95 %", "bar", "CPU"]
    header += ["p99 step without", "p99 step with"]
    part_header = ["writer, threads of torch", "`log` call", "histogram calls of a step", "inside calls"]
    part_header += ["paired: scalars of a step", "paired: histograms once"]
    return markdown_table(header, rows) + "\n\n" + markdown_table(part_header, parts)


def _signed(value_s: float | None) -> str:
    return "–" if value_s is None else f"{'-' if value_s < 0 else '+'}{seconds(abs(value_s))}"


def main() -> None:
    options = _options()
    plan = Plan(
        writer=options.writer,
        threads=options.threads,
        groups=options.groups,
        steps=options.steps,
        block=min(options.block, options.steps),
        seed=options.seed,
    )
    result = measure(plan)
    if options.json:
        print(json.dumps(result), flush=True)
    else:
        name = "Sightline" if plan.writer == "sightline" else plan.writer
        print(tables({f"{name}, {result['threads']}": result}))


def _options() -> argparse.Namespace:
    parser = command_parser("overhead", __doc__, has_results=False)
    parser.add_argument("--writer", choices=["sightline", "torch"], default=Plan.writer)
    parser.add_argument("--threads", type=int, default=Plan.threads, help="default: torch's own choice")
    parser.add_argument("--groups", type=int, default=Plan.groups, help="pairs of arms; default: 30")
    parser.add_argument("--steps", type=int, default=Plan.steps, help="of an arm in a group; default: 100")
    parser.add_argument("--block", type=int, default=Plan.block, help="steps in a row; default: 2")
    parser.add_argument("--seed", type=int, default=Plan.seed, help="of the order; default: 0")
    parser.add_argument("--json", action="store_true", help="numbers instead of tables")
    return parser.parse_args()


if __name__ == "__main__":
    main()
