"""The graph that a writer makes of a torch model, which obeys the rules of all graphs of ours."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.writer.graph_facts import assert_sound, written_graph


def graph(directory: Path, model: Any, *args: Any, **kwargs: Any) -> Any:
    made = written_graph(directory, lambda writer: writer.add_graph(model, *args, **kwargs))
    assert_sound(made)
    return made
