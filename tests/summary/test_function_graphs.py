"""Summary functions while TensorFlow traces a function, with a stand-in for TensorFlow.

The stand-in keeps what is left in the graph and runs it later in another thread, as TensorFlow does; the real
one is not in the environment of the tests.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import sightline
from sightline import BadArgumentError, summary


class Tensor:
    """A value that is not known while a function is traced."""

    def __init__(self, name: str) -> None:
        self.name = name


class Graph:
    """What a traced function left behind, and the part of TensorFlow's API that we use."""

    def __init__(self) -> None:
        self.calls: list[tuple[Callable[..., bool], list[Any]]] = []
        self.module = SimpleNamespace(
            executing_eagerly=lambda: False,
            is_tensor=lambda value: isinstance(value, Tensor),
            convert_to_tensor=lambda value: value,
            get_current_name_scope=lambda: self.scope,
            py_function=self.py_function,
            bool=bool,
        )
        self.scope = ""
        self.results: list[object] = []

    def py_function(self, function: Callable[..., bool], inputs: list[Any], kind: type) -> str:
        assert kind is bool
        self.calls.append((function, inputs))
        return "symbolic"

    def run(self, **values: Any) -> None:
        def work() -> None:
            for function, inputs in self.calls:
                known = [values[one.name] if isinstance(one, Tensor) else one for one in inputs]
                self.results.append(function(*known))

        self.module.executing_eagerly = lambda: True
        self.scope = ""
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()


@pytest.fixture
def graph(monkeypatch: pytest.MonkeyPatch) -> Graph:
    graph = Graph()
    monkeypatch.setitem(sys.modules, "tensorflow", graph.module)
    return graph


def scalars(path: Path) -> dict[str, list[tuple[int, float]]]:
    with sightline.open(path, watch=False) as log:
        return {
            tag: list(zip(series.step.tolist(), series.value.tolist(), strict=True))
            for tag, series in log.wait()["."].scalars.items()
        }


def test_a_summary_is_written_at_every_run_with_what_was_around_when_it_was_traced(
    graph: Graph, tmp_path: Path
) -> None:
    writer = summary.create_file_writer(tmp_path, story=False)
    with writer.as_default(), summary.name_scope("ours"):
        graph.scope = "theirs"
        assert summary.scalar("loss", Tensor("loss"), step=Tensor("step")) == "symbolic"
    graph.run(loss=0.5, step=1)
    graph.run(loss=0.25, step=2)
    writer.close()
    assert graph.results == [True, True]
    assert scalars(tmp_path) == {"theirs/ours/loss": [(1, 0.5), (2, 0.25)]}


def test_a_constant_is_written_at_every_run_too(graph: Graph, tmp_path: Path) -> None:
    writer = summary.create_file_writer(tmp_path, story=False)
    with writer.as_default(step=Tensor("step")):
        summary.write("loss", lambda: 0.5)
    for step in (1, 2):
        graph.run(step=step)
    writer.close()
    assert scalars(tmp_path) == {"loss": [(1, 0.5), (2, 0.5)]}


def test_the_condition_is_a_part_of_the_graph(graph: Graph, tmp_path: Path) -> None:
    writer = summary.create_file_writer(tmp_path, story=False)
    with writer.as_default(step=1), summary.record_if(lambda: Tensor("is_wanted")):
        summary.scalar("loss", Tensor("loss"))
    graph.run(loss=0.5, is_wanted=False)
    graph.run(loss=0.25, is_wanted=True)
    writer.close()
    assert graph.results == [False, True]
    assert scalars(tmp_path) == {"loss": [(1, 0.25)]}


def test_a_list_of_tensors_is_one_tensor(graph: Graph, tmp_path: Path) -> None:
    with summary.create_file_writer(tmp_path, story=False) as writer, writer.as_default(step=1):
        summary.image("pictures", [Tensor("a"), Tensor("b")])
    ((_, inputs),) = graph.calls
    assert [one.name for one in inputs[1]] == ["a", "b"]


def test_without_a_writer_nothing_is_left_in_the_graph(graph: Graph) -> None:
    assert not summary.scalar("loss", Tensor("loss"), step=1)
    assert not graph.calls


def test_a_missing_step_is_told_when_the_function_is_traced(graph: Graph, tmp_path: Path) -> None:
    with (
        summary.create_file_writer(tmp_path, story=False).as_default(),
        pytest.raises(BadArgumentError, match="No step is set"),
    ):
        summary.scalar("loss", Tensor("loss"))


def test_a_half_imported_tensorflow_does_no_harm(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "tensorflow", SimpleNamespace())
    with summary.create_file_writer(tmp_path, story=False) as writer, writer.as_default(step=1):
        assert summary.scalar("loss", 0.5)
    assert scalars(tmp_path) == {"loss": [(1, 0.5)]}
