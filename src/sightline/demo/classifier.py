"""Eight runs of a made-up image classifier, with every kind of data in each.

Two models with three seeds each (cnn/seed0 …), one run that diverged, crashed and was restarted from a
checkpoint (two files, the first with a torn tail), and one with a damaged record. The cnn runs are written
in the manner of TensorFlow 2 (tensors with metadata), the mlp runs in that of torch (plain scalars).

Everything is seeded, so the same bytes come out every time for the same times.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sightline.demo.classifier_values import (
    CLASSES,
    Recipe,
    put_config,
    put_end,
    put_graph,
    put_hparams,
    put_layout,
    put_look,
)
from sightline.demo.event_file import EventFile
from sightline.formats import plugin_messages as plugins
from sightline.formats.messages import LogLevel

Floats = NDArray[np.float64]

STEPS = 2_000
WARM_UP_STEPS = 200
SECONDS_PER_STEP = 0.35
VALIDATE_EVERY = 50
LOOK_EVERY = 250  # media, histograms and curves
START_INTERVAL_S = 1_200
RUN_COUNT = 8
FIRST_START_S = 1_767_600_000.0  # a Monday morning in January 2026; what the guides show was written then


def make_recipe(model: str, name: str, *, seed: int, position: int, first_start_s: float) -> Recipe:
    is_cnn = model == "cnn"
    learning_rate = 3e-3 if is_cnn else 1e-3
    return Recipe(
        name=f"{model}/{name}",
        model=model,
        seed=seed,
        learning_rate=learning_rate,
        final_loss=0.12 if is_cnn else 0.34,
        time_constant_steps=260 if is_cnn else 420,
        start_s=first_start_s + START_INTERVAL_S * position,
        hparams={
            "model": model,
            "learning_rate": learning_rate,
            "seed": seed,
            "batch_size": 64,
            "augment": is_cnn,
        },
    )


def learning_rates(recipe: Recipe) -> Floats:
    """Linear warm-up, then half a cosine."""
    step = np.arange(STEPS)
    decay = 0.5 * (1 + np.cos(np.pi * (step - WARM_UP_STEPS) / (STEPS - WARM_UP_STEPS)))
    return recipe.learning_rate * np.where(step < WARM_UP_STEPS, (step + 1) / WARM_UP_STEPS, decay)


def curves(recipe: Recipe, rng: np.random.Generator, *, diverges_at: int | None = None) -> dict[str, Floats]:
    """One value for each step and tag; the caller picks the steps at which validation was run."""
    step = np.arange(STEPS)
    first_loss = np.log(len(CLASSES))
    progress = np.exp(-step / recipe.time_constant_steps) + 0.08 / np.sqrt(1 + step / 20)
    ideal = recipe.final_loss + (first_loss - recipe.final_loss) * progress / progress[0]
    train_loss = ideal * np.exp(rng.normal(0, 0.12, STEPS))
    grad_norm = 0.4 + 2.5 * ideal * rng.lognormal(0, 0.25, STEPS)
    grad_norm[rng.choice(STEPS, 6, replace=False)] *= 8  # a bad batch now and then
    # The validation loss follows, and creeps up again when the model begins to learn by heart.
    val_loss = ideal * 1.12 + 0.05 * np.clip((step - 1_300) / 700, 0, 1) + rng.normal(0, 0.01, STEPS)
    accuracy = np.clip(1 - 0.8 * (ideal - 0.05) / first_loss + rng.normal(0, 0.006, STEPS), 0, 1)
    if diverges_at is not None:
        late = np.clip(step - diverges_at, 0, None)
        train_loss = np.where(late > 90, np.nan, train_loss * np.exp(late / 18))
        grad_norm = np.where(late > 90, np.inf, grad_norm * np.exp(late / 12))
    return {
        "train/loss": train_loss,
        "train/grad_norm": grad_norm,
        "train/learning_rate": learning_rates(recipe),
        "val/loss": val_loss,
        "val/acc": accuracy,
    }


def make_file(
    root: Path,
    recipe: Recipe,
    series: Mapping[str, Floats],
    *,
    start_s: float,
    first_step: int,
    last_step: int,
) -> EventFile:
    """An event file of the run with the steps from first_step up to, not including, last_step."""
    name = f"events.out.tfevents.{start_s:.0f}.demo.{1_000 + recipe.seed}.0"
    file = EventFile(
        root / recipe.name / name,
        start_s=start_s,
        first_step=first_step,
        seconds_per_step=SECONDS_PER_STEP,
        has_tensor_scalars=recipe.model == "cnn",
    )
    if first_step == 0:
        put_config(file, recipe)
        put_hparams(file, recipe)
        put_graph(file, recipe)
        put_layout(file)
    rng = np.random.default_rng([recipe.seed, first_step])
    for step in range(first_step, last_step):
        for tag, values in series.items():
            if tag.startswith("train/") or step % VALIDATE_EVERY == 0:
                file.put_scalar(tag, float(values[step]), step=step)
        if step % LOOK_EVERY == 0:
            put_look(file, recipe, rng, step=step)
    return file


def write_whole_run(root: Path, recipe: Recipe, *, is_damaged: bool = False) -> None:
    series = curves(recipe, np.random.default_rng(recipe.seed))
    file = make_file(root, recipe, series, start_s=recipe.start_s, first_step=0, last_step=STEPS)
    success = plugins.RunStatus.SUCCESS
    put_end(file, message="training finished", level=LogLevel.INFO, status=success, step=STEPS)
    if is_damaged:
        file.flip_a_bit(len(file.records) // 2)
    file.save()


def write_restarted_run(root: Path, recipe: Recipe, *, checkpoint: int = 1_000, crash: int = 1_300) -> None:
    """The first attempt diverges and dies in the middle of a write; the second goes on from a checkpoint."""
    first = curves(recipe, np.random.default_rng(recipe.seed), diverges_at=crash - 110)
    file = make_file(root, recipe, first, start_s=recipe.start_s, first_step=0, last_step=crash)
    file.save(torn_bytes=9)
    restart_s = file.wall_time_of(crash) + 300
    second = curves(recipe, np.random.default_rng(recipe.seed + 1))
    file = make_file(root, recipe, second, start_s=restart_s, first_step=checkpoint, last_step=STEPS)
    success = plugins.RunStatus.SUCCESS
    put_end(file, message="finished after a restart", level=LogLevel.WARN, status=success, step=STEPS)
    file.save()


def write_classifier_runs(root: Path, *, first_start_s: float = FIRST_START_S) -> None:
    """Eight runs below a directory, which is made if missing; nothing in it is deleted."""

    def recipe(model: str, name: str, *, seed: int, position: int) -> Recipe:
        return make_recipe(model, name, seed=seed, position=position, first_start_s=first_start_s)

    for number, model in enumerate(("cnn", "mlp")):
        for seed in range(3):
            write_whole_run(root, recipe(model, f"seed{seed}", seed=seed, position=3 * number + seed))
    write_restarted_run(root, recipe("cnn", "restarted", seed=3, position=6))
    write_whole_run(root, recipe("mlp", "damaged", seed=4, position=7), is_damaged=True)
