"""The answers of the measured processes, and how rounds become one number."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from benchmarks.table import ratio
from benchmarks.write_process import MODULES, PEERS, SIGHTLINE

NOTHING = "–"


@dataclass
class Results:
    """Answers of the measured processes, by task and writer, one for each round."""

    rounds: dict[str, dict[str, list[dict[str, Any]]]] = field(default_factory=dict)

    def add(self, task: str, writer: str, answer: dict[str, Any]) -> None:
        self.rounds.setdefault(task, {}).setdefault(writer, []).append(answer)

    def writers(self, task: str) -> list[str]:
        """Those that were measured: Sightline first, the floor last."""
        return [writer for writer in MODULES if writer in self.rounds.get(task, {})]

    def answers(self, task: str, writer: str) -> list[dict[str, Any]]:
        return self.rounds.get(task, {}).get(writer, [])

    def median(self, task: str, writer: str, key: str) -> float:
        return statistics.median(float(answer[key]) for answer in self.answers(task, writer))

    def worst(self, task: str, writer: str, key: str) -> float:
        return max(float(answer[key]) for answer in self.answers(task, writer))

    def per_point(self, task: str, writer: str, key: str) -> float:
        answers = self.answers(task, writer)
        return statistics.median(float(answer[key]) / float(answer["points"]) for answer in answers)

    def rate(self, task: str, writer: str) -> float:
        """Points a second until they are on disk."""
        return 1 / self.per_point(task, writer, "total_s")

    def best_peer(self, task: str, value: Callable[[str], float]) -> tuple[str, float] | None:
        """The peer with the smallest value."""
        found = [(value(writer), writer) for writer in PEERS if self.answers(task, writer)]
        return (min(found)[1], min(found)[0]) if found else None

    def sizes_of(self, task: str) -> list[int]:
        """The numbers of elements that a task was measured with."""
        return sorted(int(key.split()[1]) for key in self.rounds if key.startswith(f"{task} "))

    def ratio_to_sightline(self, task: str, writer: str, key: str, *, is_per_point: bool = False) -> str:
        if writer == SIGHTLINE or not self.answers(task, SIGHTLINE):
            return NOTHING
        value = self.per_point if is_per_point else self.median
        return ratio(value(task, writer, key) / value(task, SIGHTLINE, key))
