"""Train a small classifier with NumPy alone, and log everything worth seeing.

    python examples/log_numpy_loop.py runs/numpy

The task: which of two rings a point lies in. One hidden layer, plain gradient descent.
"""

from __future__ import annotations

import argparse

import numpy as np
from numpy.typing import NDArray

from sightline import SummaryWriter

Floats = NDArray[np.float64]


def rings(points: int, seed: int) -> tuple[Floats, Floats]:
    """Points in two noisy rings, and which ring each belongs to (0 or 1)."""
    random = np.random.default_rng(seed)
    ring = random.integers(0, 2, points).astype(float)
    angle = random.uniform(0, 2 * np.pi, points)
    radius = 1 + ring + random.normal(0, 0.15, points)
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1), ring


def train(log_dir: str, *, steps: int, learning_rate: float, hidden: int = 32) -> float:
    """Trains and logs; returns the accuracy on points that were not trained on."""
    random = np.random.default_rng(0)
    x, y = rings(2_000, seed=1)
    x_test, y_test = rings(500, seed=2)
    w1, b1 = random.normal(0, 1, (2, hidden)), np.zeros(hidden)
    w2, b2 = random.normal(0, 0.3, hidden), 0.0
    accuracy = 0.0

    with SummaryWriter(log_dir) as writer:
        writer.add_hparams({"learning_rate": learning_rate, "hidden": hidden, "bias": True}, {})
        writer.add_text("about", "Two rings, one hidden layer, **NumPy** only.")
        for step in range(steps):
            z = np.tanh(x @ w1 + b1)
            p = 1 / (1 + np.exp(-(z @ w2 + b2)))
            loss = float(-np.mean(y * np.log(p + 1e-12) + (1 - y) * np.log(1 - p + 1e-12)))

            d = (p - y) / len(y)
            dz = np.outer(d, w2) * (1 - z**2)
            gradients = {"w1": x.T @ dz, "b1": dz.sum(axis=0), "w2": z.T @ d, "b2": np.array(d.sum())}
            w1, b1 = w1 - learning_rate * gradients["w1"], b1 - learning_rate * gradients["b1"]
            w2, b2 = w2 - learning_rate * gradients["w2"], b2 - learning_rate * float(gradients["b2"])

            # One call, one record; nested names become tags such as "gradient/w1".
            norms = {name: float(np.linalg.norm(gradient)) for name, gradient in gradients.items()}
            writer.log({"loss": loss, "gradient": norms}, step)

            if step % 50 == 0 or step == steps - 1:
                p_test = 1 / (1 + np.exp(-(np.tanh(x_test @ w1 + b1) @ w2 + b2)))
                accuracy = float(np.mean((p_test > 0.5) == y_test))
                writer.add_scalar("test/accuracy", accuracy, step)
                writer.add_histogram("weights/w1", w1, step)
                writer.add_pr_curve("test/precision_recall", y_test, p_test, step)
                writer.add_confusion_matrix(
                    "test/confusion",
                    global_step=step,
                    y_true=y_test.astype(int),
                    y_pred=(p_test > 0.5).astype(int),
                    labels=["inner", "outer"],
                )
                writer.add_image("decision", decision(w1, b1, w2, b2), step, dataformats="HW")
    return accuracy


def decision(w1: Floats, b1: Floats, w2: Floats, b2: float, size_px: int = 64) -> Floats:
    """What the network answers over the plane, as a grey picture."""
    axis = np.linspace(-3, 3, size_px)
    plane = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    picture: Floats = 1 / (1 + np.exp(-(np.tanh(plane @ w1 + b1) @ w2 + b2)))
    return picture.reshape(size_px, size_px)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("log_dir", nargs="?", default="runs/numpy")
    parser.add_argument("--steps", type=int, default=500)
    parser.add_argument("--learning-rate", type=float, default=1.0)
    arguments = parser.parse_args()
    accuracy = train(arguments.log_dir, steps=arguments.steps, learning_rate=arguments.learning_rate)
    print(f"accuracy {accuracy:.3f}; see it with:  sightline inspect {arguments.log_dir}")


if __name__ == "__main__":
    main()
