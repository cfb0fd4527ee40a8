"""Train an MNIST-sized network with PyTorch on generated pictures, and log it.

    python examples/train_torch.py --base runs --tag baseline

The script is what people have already, with one import line changed: what was
``from torch.utils.tensorboard import SummaryWriter`` is ``from sightline import SummaryWriter``. Needs torch.
"""

from __future__ import annotations

import argparse
from typing import Any

import torch
from torch import nn

import sightline
from sightline import SummaryWriter

CLASSES = ["across", "down", "diagonal", "ring"]
SIZE_PX = 28


def pictures(count: int, generator: torch.Generator) -> tuple[Any, Any]:
    """Noisy strokes and rings of 28 × 28 pixels, and the class of each."""
    labels = torch.randint(0, len(CLASSES), (count,), generator=generator)
    place = torch.randint(6, 22, (count,), generator=generator)
    axis = torch.arange(SIZE_PX)
    y, x = axis[None, :, None], axis[None, None, :]
    at = place[:, None, None]
    radius = ((y - 14.0) ** 2 + (x - 14.0) ** 2).sqrt()
    shapes = torch.stack(
        [
            (y - at).abs().expand(-1, -1, SIZE_PX) < 2,
            (x - at).abs().expand(-1, SIZE_PX, -1) < 2,
            (x - y + at - 14).abs() < 2,
            (radius - at / 2).abs() < 2,
        ]
    )
    clean = shapes[labels, torch.arange(count)].float()
    return (clean + 0.3 * torch.randn(clean.shape, generator=generator)).clamp(0, 1)[:, None], labels


class Net(nn.Module):  # type: ignore[misc]  # mypy does not look into torch
    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 8, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(8, 16, 3), nn.ReLU(), nn.MaxPool2d(2)
        )
        self.classifier = nn.Linear(16 * 5 * 5, len(CLASSES))

    def forward(self, picture: Any) -> Any:
        return self.classifier(self.features(picture).flatten(1))


def train(log_dir: str, *, steps: int, learning_rate: float) -> float:
    """Trains and logs; returns the accuracy on pictures that were not trained on."""
    torch.manual_seed(0)
    generator = torch.Generator().manual_seed(1)
    test_pictures, test_labels = pictures(256, generator)
    model = Net()
    optimizer = torch.optim.Adam(model.parameters(), lr=learning_rate)
    accuracy = 0.0
    with SummaryWriter(log_dir) as writer:
        writer.add_hparams({"lr": learning_rate, "optimizer": "adam"}, {})
        writer.add_graph(model, test_pictures[:1])
        for step in range(steps):
            batch, labels = pictures(32, generator)
            loss = nn.functional.cross_entropy(model(batch), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            writer.add_scalar("Loss/train", loss, step)

            if step % 20 == 0 or step == steps - 1:
                with torch.no_grad():
                    output = model(test_pictures)
                guesses = output.argmax(1)
                accuracy = float((guesses == test_labels).float().mean())
                writer.log(
                    {"test": {"loss": nn.functional.cross_entropy(output, test_labels), "acc": accuracy}},
                    step,
                )
                writer.add_images("test/pictures", test_pictures[:16], step)
                writer.add_confusion_matrix(
                    "test/confusion", global_step=step, y_true=test_labels, y_pred=guesses, labels=CLASSES
                )
                for name, parameter in model.named_parameters():
                    writer.add_histogram(f"Parameters/{name}", parameter, step)
                    writer.add_histogram(f"Gradients/{name}", parameter.grad, step)
        features = model.features(test_pictures).flatten(1)
        names = [CLASSES[label] for label in test_labels]
        writer.add_embedding(features, metadata=names, label_img=test_pictures, global_step=steps)
    return accuracy


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--base", default="runs")
    parser.add_argument("--tag", default="")
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--learning-rate", type=float, default=2e-3)
    arguments = parser.parse_args()
    log_dir = sightline.run_dir(arguments.base, tag=arguments.tag)
    accuracy = train(log_dir, steps=arguments.steps, learning_rate=arguments.learning_rate)
    print(f"accuracy {accuracy:.3f}; see it with:  sightline inspect {log_dir}")


if __name__ == "__main__":
    main()
