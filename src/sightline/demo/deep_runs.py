"""What the networks of twelve layers log: histograms of every layer, and how well they tell the rings apart.

    weights/layer01 …    48 × 48 each; gradients and activations in the same way
    val/ring             a precision-recall curve
    val/points           what the network takes each point for, as a cloud of points
    val/landscape        the same on a plane through both rings, as a surface of that height

All of them log the same tags, so that one card shows what is different.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from sightline._core import count_uniform
from sightline.demo.deep_network import (
    LAYERS,
    STEPS,
    Floats,
    Moment,
    Network,
    Setup,
    linked_rings,
    losses,
    setups,
    sigmoid,
    training,
)
from sightline.demo.event_file import OUR_WRITER, EventFile
from sightline.demo.stories import end_facts, start_facts
from sightline.formats.messages import Event, Summary, Value
from sightline.writer.kinds.curves import curve_rows, curve_value
from sightline.writer.kinds.custom_scalars import charts_from, layout_value
from sightline.writer.kinds.histograms import histogram_value
from sightline.writer.kinds.mesh import mesh_values

SECONDS_PER_STEP = 2.0
COUNT_EVERY = 4
VALIDATE_EVERY = 20
SHOW_EVERY = 80
BUCKETS = 30

_LAYOUT = {
    "linked rings": {
        "training and validation": ["Multiline", ["(train|val)/loss$"]],
        "validation, by parts": ["Margin", ["val/loss", "val/loss_best_part", "val/loss_worst_part"]],
    }
}
_PARTS = 8
_POINTS_OF_PART = 80
_PLANE_SIDE = 25
_PLANE_REACH = 1.8
_FIRST_RING, _SECOND_RING = np.array([51, 140, 230]), np.array([242, 140, 38])


def write_deep_runs(root: Path, *, now_s: float) -> int:
    """All of them, ended within the hours before `now_s`; returns how many."""
    for position, setup in enumerate(setups()):
        _write(root, setup, seed=30 + position, end_s=now_s - 3_000 - 900 * position)
    return len(setups())


def _write(root: Path, setup: Setup, *, seed: int, end_s: float) -> None:
    start_s = end_s - STEPS * SECONDS_PER_STEP
    run = f"deep/{setup.name}"
    file = EventFile(
        root / run / f"events.out.tfevents.{start_s:.0f}.gpu-node-7.{4_000 + seed}.0",
        start_s=start_s,
        first_step=0,
        seconds_per_step=SECONDS_PER_STEP,
        writer=OUR_WRITER,
    )
    arguments = {
        "layers": LAYERS,
        "activation": setup.activation,
        "shortcuts": setup.has_shortcuts,
        "lr": setup.learning_rate,
    }
    file.put_story(start_facts(seed, run, start_s=start_s, arguments=arguments))
    _put(file, [layout_value(charts_from(_LAYOUT))], step=0)
    points, ring = linked_rings(_PARTS * _POINTS_OF_PART, np.random.default_rng(2_029))
    validation = points.reshape(_PARTS, -1, 3), ring.reshape(_PARTS, -1)
    for moment in training(setup):
        numbers = {
            "train/loss": moment.loss,
            "train/grad_norm": moment.gradient_norm,
            "train/learning_rate": moment.learning_rate,
        }
        file.put_scalars(numbers, step=moment.step)
        if moment.step % COUNT_EVERY == 0:
            _put(file, _histograms(moment), step=moment.step)
        if moment.step % VALIDATE_EVERY == 0:
            _validate(file, moment.network, *validation, step=moment.step)
    file.put_story(end_facts(seed, start_s=start_s, end_s=end_s))
    file.save()


def _put(file: EventFile, values: list[Value], *, step: int) -> None:
    file.add(Event(wall_time=file.wall_time_of(step), step=step, summary=Summary(value=values)))


def _histograms(moment: Moment) -> list[Value]:
    arrays: dict[str, Iterable[Floats]] = {
        "weights": moment.network.weights,
        "gradients": moment.gradients,
        "activations": moment.activations,
    }
    return [
        histogram_value(f"{name}/layer{layer:02}", count_uniform(array, BUCKETS), 0)
        for name, layers in arrays.items()
        for layer, array in enumerate(layers, start=1)
    ]


def _validate(file: EventFile, network: Network, points: Floats, ring: Floats, *, step: int) -> None:
    log_odds = network.log_odds(points)
    of_parts = losses(log_odds, ring).mean(axis=1)
    numbers = {
        "val/loss": of_parts.mean(),
        "val/loss_best_part": of_parts.min(),
        "val/loss_worst_part": of_parts.max(),
        "val/acc": np.mean((log_odds > 0) == (ring > 0)),
    }
    file.put_scalars({tag: float(number) for tag, number in numbers.items()}, step=step)
    probabilities = sigmoid(log_odds).ravel()
    _put(file, [curve_value("val/ring", curve_rows(ring.ravel(), probabilities, None, 101))], step=step)
    if step % SHOW_EVERY == 0:
        cloud = mesh_values("val/points", points.reshape(-1, 3), _colours(probabilities), None, None)
        _put(file, [*cloud, *_landscape(network)], step=step)


def _landscape(network: Network) -> list[Value]:
    side = np.linspace(-_PLANE_REACH, _PLANE_REACH, _PLANE_SIDE, dtype=np.float32)
    x, y = np.meshgrid(side, side)
    heights = sigmoid(network.log_odds(np.stack([x, y, np.zeros_like(x)], axis=2)))
    first = np.arange(_PLANE_SIDE**2).reshape(_PLANE_SIDE, _PLANE_SIDE)[:-1, :-1].ravel()
    right, below = first + 1, first + _PLANE_SIDE
    faces = np.concatenate([np.stack([first, below, right], 1), np.stack([right, below, below + 1], 1)])
    vertices = np.stack([x, heights, y], axis=2).reshape(-1, 3)  # viewers take y for the height
    return mesh_values("val/landscape", vertices, _colours(heights.ravel()), faces, None)


def _colours(probabilities: Floats) -> Floats:
    colours: Floats = _FIRST_RING + probabilities[:, None] * (_SECOND_RING - _FIRST_RING)
    return colours
