"""How checks end: what is wrong line by line, a sentence about all of it, and the exit code."""

from __future__ import annotations

from collections.abc import Sequence


def report(problems: Sequence[str], sentence: str) -> int:
    """``sentence`` goes on behind the number of problems."""
    for problem in problems:
        print(problem)
    if problems:
        print(f"{len(problems)} {sentence}")
    return 1 if problems else 0
