"""Networks of twelve layers, trained for real while the demo is written: one that learns, and ways not to.

They learn which of two linked rings a point lies on. That is little enough for NumPy to train one in a tenth
of a second, and enough layers for gradients to vanish, for units to die and for weights to explode by
themselves: nothing that is logged of them is made up.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[Any]
"""Of float32, all of them."""

LAYERS = 12
WIDTH = 48
STEPS = 241
_BATCH = 64
_TRAINING_POINTS = 2_048
_NOISE = 0.25
_MOMENTUM = 0.9


@dataclass(frozen=True)
class Setup:
    """How a network is built and trained."""

    name: str
    activation: Literal["relu", "sigmoid", "tanh"] = "relu"
    has_shortcuts: bool = False
    learning_rate: float = 0.2
    doubles_every: int | None = None
    """The learning rate does, after so many steps."""
    first_weights: float = 1.0
    """What PyTorch begins a linear layer with, times this."""
    largest_gradient: float | None = None
    """The norm to which longer gradients are clipped."""
    forgotten_layer: int | None = None
    """One that the optimizer was not given."""


def setups() -> list[Setup]:
    return [
        Setup("residual", has_shortcuts=True),
        Setup("forgotten-layer", has_shortcuts=True, forgotten_layer=7),
        Setup("sigmoid", "sigmoid", learning_rate=0.1, first_weights=1.7),
        Setup("dead-relu", learning_rate=0.8, first_weights=2.4, largest_gradient=1.0),
        Setup("exploding", has_shortcuts=True, learning_rate=0.05, doubles_every=32, largest_gradient=1.0),
        Setup("saturated", "tanh", learning_rate=0.05, first_weights=5.0),
    ]


def linked_rings(count: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Points around two rings, linked as those of a chain, and on which of them each lies: 0 or 1."""
    angle = rng.uniform(0, 2 * np.pi, count)
    ring = rng.integers(0, 2, count)
    nothing = np.zeros(count)
    lying = np.stack([np.cos(angle) - 0.5, np.sin(angle), nothing], axis=1)
    standing = np.stack([np.cos(angle) + 0.5, nothing, np.sin(angle)], axis=1)
    points = np.where(ring[:, None] == 0, lying, standing) + rng.normal(0, _NOISE, (count, 3))
    return points.astype(np.float32), ring.astype(np.float32)


def sigmoid(values: Floats) -> Floats:
    result: Floats = np.float32(0.5) * (1 + np.tanh(np.float32(0.5) * values))  # never beyond float32
    return result


class Network:
    """Points → hidden units → twelve layers → log odds that a point lies on the second ring."""

    def __init__(self, setup: Setup, rng: np.random.Generator) -> None:
        bound = setup.first_weights / np.sqrt(WIDTH)
        self._setup = setup
        self._share = np.float32(1 / np.sqrt(LAYERS) if setup.has_shortcuts else 1)
        self.weights: Floats = rng.uniform(-bound, bound, (LAYERS, WIDTH, WIDTH)).astype(np.float32)
        self._entry: Floats = rng.normal(0, 1 / np.sqrt(3), (3, WIDTH)).astype(np.float32)
        self._exit: Floats = rng.normal(0, 1 / np.sqrt(WIDTH), WIDTH).astype(np.float32)
        self._biases: Floats = np.zeros((LAYERS, WIDTH), np.float32)
        self._exit_bias: Floats = np.zeros(1, np.float32)

    @property
    def parameters(self) -> list[Floats]:
        return [self.weights, self._biases, self._entry, self._exit, self._exit_bias]

    def log_odds(self, points: Floats) -> Floats:
        """For an array of points of any shape. Many are best stacked in parts: each is multiplied by itself,
        while a large product would wait for threads where the machine is busy.
        """
        return self._forward(points)[2]

    def gradients(self, points: Floats, ring: Floats) -> tuple[float, list[Floats], list[Floats]]:
        """The loss, its gradients in the order of the parameters, and the activations of every layer."""
        inputs, activations, log_odds = self._forward(points)
        loss = float(np.mean(losses(log_odds, ring)))
        error = (sigmoid(log_odds) - ring) / np.float32(len(ring))
        of_weights, of_biases = np.empty_like(self.weights), np.empty_like(self._biases)
        back = np.outer(error, self._exit)
        for layer in reversed(range(LAYERS)):
            slope = self._share * back * self._slope(activations[layer])
            of_weights[layer] = inputs[layer].T @ slope
            of_biases[layer] = slope.sum(axis=0)
            through = slope @ self.weights[layer].T
            back = back + through if self._setup.has_shortcuts else through
        of_exit, of_exit_bias = inputs[LAYERS].T @ error, error.sum(keepdims=True)
        return loss, [of_weights, of_biases, points.T @ back, of_exit, of_exit_bias], activations

    def _forward(self, points: Floats) -> tuple[list[Floats], list[Floats], Floats]:
        """What goes into each layer and, last, into the exit; the activations; the answers."""
        inputs = [points @ self._entry]
        activations = []
        for weights, biases in zip(self.weights, self._biases, strict=True):
            units = self._activated(inputs[-1] @ weights + biases)
            activations.append(units)
            inputs.append(inputs[-1] + self._share * units if self._setup.has_shortcuts else units)
        return inputs, activations, inputs[-1] @ self._exit + self._exit_bias

    def _activated(self, sums: Floats) -> Floats:
        if self._setup.activation == "relu":
            return np.maximum(sums, 0, out=sums)
        return sigmoid(sums) if self._setup.activation == "sigmoid" else np.tanh(sums, out=sums)

    def _slope(self, units: Floats) -> Floats:
        if self._setup.activation == "relu":
            return units > 0
        return units * (1 - units) if self._setup.activation == "sigmoid" else 1 - units * units


def losses(log_odds: Floats, ring: Floats) -> Floats:
    """The cross entropy of each answer."""
    result: Floats = np.logaddexp(np.float32(0), log_odds) - ring * log_odds
    return result


@dataclass(frozen=True)
class Moment:
    """One step of a training, before its update."""

    step: int
    network: Network
    loss: float
    learning_rate: float
    gradient_norm: float
    gradients: Floats
    """Of the weights, before they are clipped."""
    activations: list[Floats]


def training(setup: Setup, *, seed: int = 0) -> Iterator[Moment]:
    """Plain gradient descent with momentum. The network goes on after each moment was looked at."""
    rng = np.random.default_rng([2_028, seed])
    network = Network(setup, rng)
    points, ring = linked_rings(_TRAINING_POINTS, rng)
    velocities = [np.zeros_like(one) for one in network.parameters]
    for step in range(STEPS):
        batch = rng.integers(0, _TRAINING_POINTS, _BATCH)
        loss, gradients, activations = network.gradients(points[batch], ring[batch])
        norm = float(np.sqrt(sum(np.vdot(one, one) for one in gradients)))
        doublings = step / setup.doubles_every if setup.doubles_every else 0
        rate = setup.learning_rate * 2**doublings
        yield Moment(step, network, loss, rate, norm, gradients[0], activations)
        clipped = min(1.0, setup.largest_gradient / norm) if setup.largest_gradient and norm > 0 else 1.0
        if setup.forgotten_layer is not None:
            for one in gradients[:2]:
                one[setup.forgotten_layer - 1] = 0
        for parameter, velocity, gradient in zip(network.parameters, velocities, gradients, strict=True):
            velocity *= np.float32(_MOMENTUM)
            velocity -= np.float32(rate * clipped) * gradient
            parameter += velocity
