"""What the commands of the benchmarks share: how they begin, and where their results are kept."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks import machine

RESULTS_DIRECTORY = Path(__file__).resolve().parent / "results"


def command_parser(name: str, docstring: str | None, *, has_results: bool = True) -> argparse.ArgumentParser:
    """The parser of ``python -m benchmarks.<name>``; its description is the first line of the docstring."""
    parser = argparse.ArgumentParser(
        prog=f"python -m benchmarks.{name}", description=(docstring or "").split("\n")[0]
    )
    if has_results:
        parser.add_argument(
            "--save", action="store_true", help=f"also write benchmarks/results/<date>-{name}.md"
        )
    return parser


def save_results(name: str, title: str, text: str, *, facts: Sequence[str] = ()) -> None:
    """Writes what was measured, under today's date and behind what it was measured on."""
    date = time.strftime("%Y-%m-%d")
    path = RESULTS_DIRECTORY / f"{date}-{name}.md"
    lines = "\n".join(f"- {line}" for line in [*machine.description(), *facts])
    RESULTS_DIRECTORY.mkdir(exist_ok=True)
    path.write_text(f"# {title}, {date}\n\n{lines}\n\n{text}\n")
    print(f"saved benchmarks/results/{path.name}", file=sys.stderr)
