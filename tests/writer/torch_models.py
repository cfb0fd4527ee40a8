"""Models for the tests of graphs: plain ones, and those that a tracer has trouble with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import nn


class Mlp(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.fc1 = nn.Linear(8, 16)
        self.act = nn.ReLU()
        self.fc2 = nn.Linear(16, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.fc2(self.act(self.fc1(x)))


class Cnn(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2), nn.Dropout(0.5)
        )
        self.blocks = nn.ModuleList([nn.Conv2d(8, 8, 1) for _ in range(2)])
        self.heads = nn.ModuleDict({"small": nn.Linear(8, 2)})

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        x = self.features(image)
        for block in self.blocks:
            x = x + torch.relu(block(x))
        return self.heads["small"](x.mean((2, 3)))


class Rnn(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.embed = nn.Embedding(11, 6)
        self.lstm = nn.LSTM(6, 5, num_layers=2, batch_first=True)
        self.out = nn.Linear(5, 3)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        hidden, _ = self.lstm(self.embed(ids))
        return self.out(hidden[:, -1])


class Transformer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.out = nn.Linear(8, 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.out(self.encoder(x))


@dataclass
class Answer:
    logits: torch.Tensor
    hidden: list[torch.Tensor]
    note: str = "no tensor"


class Untraceable(nn.Module):
    """Keyword and missing inputs, a way that depends on the data, and a data class of dicts as the result."""

    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Linear(4, 4)
        self.positive = nn.Linear(4, 2)
        self.negative = nn.Linear(4, 2)

    def forward(self, x: torch.Tensor, mask: torch.Tensor | None = None, *, extra: Any = None) -> Answer:
        h = torch.tanh(self.fc(x))
        if mask is not None:
            h = h * mask
        if extra is not None:
            h = h + extra["bias"]
        branch = self.positive if float(x.sum()) > 0 else self.negative
        return Answer(branch(h), [h, x])


class Twice(nn.Module):
    """A block that is called twice, and calls its own layer twice."""

    class Block(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.fc = nn.Linear(4, 4)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return self.fc(torch.relu(self.fc(x)))

    def __init__(self) -> None:
        super().__init__()
        self.block = self.Block()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.block(self.block(x))


class Recursive(nn.Module):
    """Calls itself, and catches an error of a module inside."""

    class Broken(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            raise ValueError("never mind")

    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Linear(4, 4)
        self.broken = self.Broken()

    def forward(self, x: torch.Tensor, depth: int = 2) -> torch.Tensor:
        try:
            self.broken(x)
        except ValueError:
            x = self.fc(x)
        return self(x, depth - 1) if depth else x


class Restless(nn.Module):
    """Changes all it can in a forward pass."""

    def __init__(self) -> None:
        super().__init__()
        self.norm = nn.BatchNorm1d(4)
        self.norm.eval()
        self.drop = nn.Dropout(0.5)
        self.fc = nn.Linear(4, 4)
        self.fc.weight.requires_grad_(False)
        self.register_buffer("steps", torch.zeros(()))
        self.register_buffer("cache", torch.zeros(4))
        self.calls = 0

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        import random

        import numpy as np

        self.calls += 1
        self.last = x
        self.steps += 1
        self.cache = x.mean(0)
        x.mul_(2)
        torch.rand(3), random.random(), np.random.rand()
        y = nn.functional.batch_norm(x, self.norm.running_mean, self.norm.running_var, training=True)
        return self.fc(nn.functional.dropout(y, 0.5, training=True))
