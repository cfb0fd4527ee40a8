"""Runs of a made-up language model: some thirty scalars in groups, with what goes wrong in real trainings.

The loss falls by a power law with noise that hangs together from step to step; everything else follows from
it: perplexity, accuracy, gradient norms with spikes, throughput with dips at every evaluation, memory.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sightline.demo.event_file import OUR_WRITER, EventFile, strings
from sightline.demo.generated_text import GENERATE_EVERY, generated_text
from sightline.demo.stories import end_facts, start_facts
from sightline.formats.messages import Value

Floats = NDArray[np.float64]

STEPS = 1_500
EVALUATE_EVERY = 25
SECONDS_PER_STEP = 1.2
TOKENS_PER_STEP = 65_536

Fate = Literal["finished", "nan episode", "crashed", "resumed", "silent"]


@dataclass(frozen=True)
class Experiment:
    """One run: how it was set up, how well that works, and what becomes of it."""

    name: str
    seed: int = 0
    learning_rate: float = 6e-4
    warm_up_steps: int = 150
    width: int = 768
    final_loss: float = 3.05
    steps: int = STEPS
    fate: Fate = "finished"
    ended_ago_s: float = 0.0

    @property
    def run(self) -> str:
        return f"gpt/{self.name}"


def experiments() -> list[Experiment]:
    """All but the one that is still being written."""
    hour = 3_600.0
    baseline = [
        Experiment(f"baseline/seed{seed}", seed=seed, ended_ago_s=(30 - seed) * hour) for seed in range(3)
    ]
    wide = [
        Experiment(
            f"wide/seed{seed}", seed=10 + seed, width=1_024, final_loss=2.86, ended_ago_s=(20 - seed) * hour
        )
        for seed in range(3)
    ]
    trouble = [
        Experiment("lr-3e-3", 20, 3e-3, final_loss=3.2, fate="nan episode", ended_ago_s=9 * hour),
        Experiment("no-warm-up", 21, 3e-3, warm_up_steps=1, fate="crashed", ended_ago_s=6 * hour),
        Experiment("resumed", 22, fate="resumed", final_loss=3.0, ended_ago_s=3 * hour),
        Experiment("silent", 23, fate="silent", final_loss=3.1, ended_ago_s=1.5 * hour),
    ]
    return [*baseline, *wide, *trouble]


def write_language_model_runs(root: Path, *, now_s: float) -> int:
    """All of them, ended some hours before `now_s`; returns how many."""
    for experiment in experiments():
        _write(root, experiment, end_s=now_s - experiment.ended_ago_s)
    return len(experiments())


# ── curves ──────────────────────────────────────────────────────────────────────────────────────────────


def curves(experiment: Experiment) -> dict[str, Floats]:
    """One value for each step and tag; the slow ones are written at evaluations only."""
    rng = np.random.default_rng([2_026, experiment.seed])
    steps = experiment.steps
    step = np.arange(steps)
    first_loss = math.log(50_257)
    falling = (1 + step / 18) ** -0.62
    ideal = experiment.final_loss + (first_loss - experiment.final_loss) * falling
    loss = ideal + _wandering(rng, steps, spread=0.05, memory=0.8) * (0.4 + falling)
    grad_norm = 0.35 + 3.5 * falling + np.abs(_wandering(rng, steps, spread=0.1, memory=0.5))
    spikes = rng.choice(steps, max(1, steps // 250), replace=False)
    grad_norm[spikes] *= rng.uniform(4, 14, spikes.size)
    loss[np.minimum(spikes + 1, steps - 1)] += rng.uniform(0.1, 0.5, spikes.size)
    # The gap to the training loss opens slowly.
    val_loss = ideal + 0.03 + 0.10 * step / steps + _wandering(rng, steps, spread=0.012, memory=0.2)
    accuracy = np.clip(0.62 - 0.052 * ideal + 0.02 * (first_loss - ideal) / first_loss, 0, 1)
    rate = _learning_rates(experiment)
    is_evaluating = step % EVALUATE_EVERY == 0
    step_time_ms = 1_000 * SECONDS_PER_STEP * rng.lognormal(0, 0.02, steps) * (experiment.width / 768)
    step_time_ms[is_evaluating] *= 1.9
    waiting_ms = 8 * rng.lognormal(0, 0.5, steps)
    waiting_ms[steps // 2 : steps // 2 + 40] *= 12  # the loader fell behind for a while
    warm = 1 - np.exp(-step / 60)
    memory_gb = 41 + 18 * (experiment.width / 768 - 0.4) + 0.6 * warm + 0.05 * rng.standard_normal(steps)
    utilization = np.clip(97 - waiting_ms / 6 + rng.normal(0, 1.2, steps), 0, 100)
    weight_norm = 55 + 22 * np.sqrt(step / STEPS) + _wandering(rng, steps, spread=0.05, memory=0.9)
    return {
        "train/loss": loss,
        "train/perplexity": np.exp(np.minimum(loss, 12)),
        "train/accuracy": accuracy + rng.normal(0, 0.006, steps),
        "train/tokens": (step + 1.0) * TOKENS_PER_STEP,
        "optimizer/learning_rate": rate,
        "optimizer/grad_norm": grad_norm,
        "optimizer/loss_scale": np.full(steps, 65_536.0),
        "optimizer/weight_norm": weight_norm,
        "optimizer/update_ratio": 1e-3 * rate / 6e-4 * rng.lognormal(0, 0.15, steps),
        "layers/h0_grad_norm": 0.40 * grad_norm * rng.lognormal(0, 0.1, steps),
        "layers/h5_grad_norm": 0.22 * grad_norm * rng.lognormal(0, 0.1, steps),
        "layers/h11_grad_norm": 0.31 * grad_norm * rng.lognormal(0, 0.1, steps),
        "layers/attention_entropy": 2.4 + 2.1 * falling + _wandering(rng, steps, spread=0.03, memory=0.9),
        "throughput/tokens_per_s": TOKENS_PER_STEP / step_time_ms * 1_000,
        "throughput/step_time_ms": step_time_ms,
        "throughput/data_wait_ms": waiting_ms,
        "system/gpu0_memory_gb": memory_gb,
        "system/gpu1_memory_gb": memory_gb - 0.7 + 0.05 * rng.standard_normal(steps),
        "system/gpu0_utilization": utilization,
        "system/gpu1_utilization": np.clip(utilization - 1.5 + rng.normal(0, 1, steps), 0, 100),
        "system/gpu0_temperature": 44 + 27 * warm + _wandering(rng, steps, spread=0.4, memory=0.97),
        "system/ram_gb": 120 + 14 * (step % 500) / 500,
        "val/loss": val_loss,
        "val/perplexity": np.exp(val_loss),
        "val/accuracy": accuracy - 0.01 + rng.normal(0, 0.002, steps),
        "eval/hellaswag": 0.25 + 0.11 * (1 - falling) ** 3 + rng.normal(0, 0.004, steps),
        "eval/arc_easy": 0.25 + 0.24 * (1 - falling) ** 2 + rng.normal(0, 0.006, steps),
        "eval/piqa": 0.5 + 0.14 * (1 - falling) ** 2 + rng.normal(0, 0.005, steps),
    }


def logged_steps(
    series: Mapping[str, Floats], *, first_step: int, last_step: int
) -> Iterator[tuple[int, dict[str, float]]]:
    """What the run logs from one step up to, not including, another: all tags only when it evaluates."""
    columns = {tag: values.tolist() for tag, values in series.items()}
    usual = [(tag, column) for tag, column in columns.items() if not tag.startswith(("val/", "eval/"))]
    for step in range(first_step, last_step):
        present = columns.items() if step % EVALUATE_EVERY == 0 else usual
        yield step, {tag: column[step] for tag, column in present}


def _wandering(rng: np.random.Generator, count: int, *, spread: float, memory: float) -> Floats:
    """Noise in which each value remembers the one before."""
    values = rng.normal(0, spread, count)
    kept = np.empty(count)
    last = 0.0
    for place, value in enumerate(values.tolist()):
        last = memory * last + value
        kept[place] = last
    return kept


def _learning_rates(experiment: Experiment) -> Floats:
    """Linear warm-up, then a cosine down to a tenth."""
    step = np.arange(experiment.steps)
    warm_up = experiment.warm_up_steps
    progress = np.clip((step - warm_up) / max(1, experiment.steps - warm_up), 0, 1)
    decay = 0.55 + 0.45 * np.cos(np.pi * progress)
    return experiment.learning_rate * np.where(step < warm_up, (step + 1) / warm_up, decay)


def _with_nan_episode(series: dict[str, Floats], *, first: int, last: int) -> None:
    """The loss explodes, is not a number for a while, and the loss scale is halved until it comes back."""
    climb = slice(first - 30, first)
    series["train/loss"][climb] *= np.exp(np.arange(30) / 22)
    series["optimizer/grad_norm"][climb] *= np.exp(np.arange(30) / 8)
    for tag in ("train/loss", "train/perplexity", "val/loss", "val/perplexity"):
        series[tag][first:last] = np.nan
    for tag in series:
        if tag.endswith("grad_norm"):
            series[tag][first:last] = np.inf
    falls = np.minimum(np.arange(last - first) // 10 + 1, 8)
    series["optimizer/loss_scale"][first:last] /= 2.0**falls
    series["optimizer/loss_scale"][last:] /= 2.0 ** falls[-1]


# ── files ───────────────────────────────────────────────────────────────────────────────────────────────


def _write(root: Path, experiment: Experiment, *, end_s: float) -> None:
    series = curves(experiment)
    end_of_run = STEPS
    if experiment.fate == "nan episode":
        _with_nan_episode(series, first=620, last=705)
    if experiment.fate == "crashed":
        end_of_run = 730
        series["train/loss"][40:] += 1.5 * (1 - np.exp(-np.arange(STEPS - 40) / 30))
        series["optimizer/grad_norm"][40:] *= 3
        series["system/gpu0_memory_gb"][:end_of_run] += np.linspace(0, 29, end_of_run)
    if experiment.fate == "silent":
        end_of_run = 1_100
    if experiment.fate == "resumed":
        _write_resumed(root, experiment, series, end_s=end_s)
        return
    start_s = end_s - end_of_run * SECONDS_PER_STEP
    file = _file(root, experiment, series, start_s=start_s, first_step=0, last_step=end_of_run)
    if experiment.fate == "crashed":
        file.put_story(end_facts(experiment.seed, start_s=start_s, end_s=end_s, has_crashed=True))
    elif experiment.fate != "silent":
        file.put_story(end_facts(experiment.seed, start_s=start_s, end_s=end_s))
    file.save()


def _write_resumed(
    root: Path, experiment: Experiment, series: dict[str, Floats], *, end_s: float, checkpoint: int = 800
) -> None:
    """Killed some steps after a checkpoint; the second start writes those steps again, a little better."""
    killed = checkpoint + 170
    second_s = end_s - (STEPS - checkpoint) * SECONDS_PER_STEP
    first_s = second_s - 900 - killed * SECONDS_PER_STEP
    _file(root, experiment, series, start_s=first_s, first_step=0, last_step=killed).save(torn_bytes=7)
    again = curves(Experiment(experiment.name, seed=experiment.seed + 1, final_loss=experiment.final_loss))
    file = _file(root, experiment, again, start_s=second_s, first_step=checkpoint, last_step=STEPS)
    file.put_story(end_facts(experiment.seed, start_s=second_s, end_s=end_s))
    file.save()


def _file(
    root: Path,
    experiment: Experiment,
    series: dict[str, Floats],
    *,
    start_s: float,
    first_step: int,
    last_step: int,
) -> EventFile:
    file = EventFile(
        root / experiment.run / f"events.out.tfevents.{start_s:.0f}.gpu-node-7.{4_000 + experiment.seed}.0",
        start_s=start_s,
        first_step=first_step,
        seconds_per_step=SECONDS_PER_STEP,
        writer=OUR_WRITER,
    )
    arguments = {"lr": experiment.learning_rate, "width": experiment.width, "seed": experiment.seed}
    file.put_story(start_facts(experiment.seed, experiment.run, start_s=start_s, arguments=arguments))
    for step, numbers in logged_steps(series, first_step=first_step, last_step=last_step):
        file.put_scalars(numbers, step=step)
        if step % GENERATE_EVERY == 0:
            text = strings([generated_text(step, steps=STEPS, seed=experiment.seed)])
            file.put(Value(tag="samples/generated/text_summary", tensor=text), step=step, plugin="text")
    return file
