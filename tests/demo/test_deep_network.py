"""The demo's networks are trained as networks are: their gradients are those of their loss."""

from __future__ import annotations

import numpy as np
import pytest

from sightline.demo.deep_network import LAYERS, WIDTH, Network, Setup, linked_rings, losses, training


@pytest.mark.parametrize("has_shortcuts", [False, True])
@pytest.mark.parametrize("activation", ["relu", "sigmoid", "tanh"])
def test_the_gradient_is_the_slope_of_the_loss(activation: str, has_shortcuts: bool) -> None:
    rng = np.random.default_rng(0)
    setup = Setup("any", activation, has_shortcuts=has_shortcuts, first_weights=1.7)  # type: ignore[arg-type]
    network = Network(setup, rng)
    for name, value in list(vars(network).items()):
        if isinstance(value, np.ndarray):  # differences are lost in float32
            setattr(network, name, value.astype(np.float64))
    points, ring = (array.astype(np.float64) for array in linked_rings(32, rng))

    def loss() -> float:
        return float(losses(network.log_odds(points), ring).mean())

    told, gradients, activations = network.gradients(points, ring)
    assert told == pytest.approx(loss())
    assert [units.shape for units in activations] == LAYERS * [(32, WIDTH)]
    tiny = 1e-7
    for parameter, gradient in zip(network.parameters, gradients, strict=True):
        direction = gradient / np.linalg.norm(gradient)
        parameter += tiny * direction
        above = loss()
        parameter -= 2 * tiny * direction
        slope = (above - loss()) / (2 * tiny)
        parameter += tiny * direction
        assert slope == pytest.approx(np.vdot(gradient, direction), rel=1e-3, abs=1e-8)


def test_points_in_parts_get_the_answers_that_they_get_together() -> None:
    rng = np.random.default_rng(0)
    network = Network(Setup("any"), rng)
    points, _ = linked_rings(24, rng)
    in_parts = network.log_odds(points.reshape(4, 6, 3))
    np.testing.assert_allclose(in_parts.ravel(), network.log_odds(points), rtol=1e-4)


def test_only_the_forgotten_layer_stays_as_it_was() -> None:
    moments = training(Setup("any", has_shortcuts=True, forgotten_layer=3))
    first = next(moments).network.weights.copy()
    later = next(moments).network.weights
    is_same = (first == later).all(axis=(1, 2))
    assert np.flatnonzero(is_same).tolist() == [2]


def test_a_long_gradient_moves_the_weights_no_farther_than_the_limit() -> None:
    limit, rate = 0.1, 0.2
    moments = training(Setup("any", learning_rate=rate, first_weights=5, largest_gradient=limit))
    first = next(moments)
    assert first.gradient_norm > limit
    before = first.network.weights.copy()
    moved = np.linalg.norm(next(moments).network.weights - before)
    assert 0 < moved <= 1.001 * rate * limit


def test_a_learning_rate_doubles_when_it_shall() -> None:
    rates = [moment.learning_rate for moment in training(Setup("any", learning_rate=0.01, doubles_every=50))]
    assert rates[::50] == pytest.approx([0.01 * 2**count for count in range(len(rates[::50]))])
