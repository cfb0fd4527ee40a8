"""``trace_on`` and its relatives, without TensorFlow and with a stand-in for it."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import sightline
from sightline import BadArgumentError, summary
from sightline.formats.messages import Event, Summary, Value


@pytest.fixture(autouse=True)
def no_tensorflow(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delitem(sys.modules, "tensorflow", raising=False)
    yield
    summary.trace_off()


class TensorFlow:
    """The part of TensorFlow that is used: it writes one event where it is told to."""

    def __init__(self) -> None:
        self.calls: list[Any] = []
        self.summary = SimpleNamespace(
            trace_on=self.trace_on,
            trace_export=self.trace_export,
            trace_off=lambda: self.calls.append("off"),
            create_file_writer=self.create_file_writer,
            record_if=lambda condition: nullcontext(),
        )
        self.data = SimpleNamespace(TFRecordDataset=self.records_of)
        self.directory = Path()

    def trace_on(
        self, graph: bool = True, profiler: bool = False, profiler_outdir: str | None = None
    ) -> None:
        self.calls.append(("on", graph, profiler, profiler_outdir))

    def create_file_writer(self, directory: str) -> Any:
        self.directory = Path(directory)
        return SimpleNamespace(as_default=nullcontext, close=lambda: None)

    def trace_export(self, name: str, step: int, **options: Any) -> None:
        self.calls.append(("export", options))
        traced = Event(wall_time=2.0, step=step, summary=Summary(value=[Value(tag=name, simple_value=0.5)]))
        self.events = [Event(wall_time=1.0, file_version="brain.Event:2"), traced]
        (self.directory / "events.out.tfevents.1.host").touch()

    def records_of(self, paths: list[str]) -> Iterator[Any]:
        assert [Path(path).parent for path in paths] == [self.directory]
        for event in self.events:
            yield SimpleNamespace(numpy=event.encode)


def test_there_is_nothing_to_trace_without_tensorflow() -> None:
    with pytest.raises(BadArgumentError, match="TensorFlow is not imported"):
        summary.trace_on()
    with pytest.raises(BadArgumentError, match="no trace to export"):
        summary.trace_export("trace", step=1)
    summary.trace_off()


def test_what_tensorflow_traced_is_copied_into_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tensorflow = TensorFlow()
    monkeypatch.setitem(sys.modules, "tensorflow", tensorflow)
    summary.trace_on(graph=True)
    with summary.create_file_writer(tmp_path, story=False) as writer, writer.as_default():
        with pytest.raises(BadArgumentError, match="No step is set"):
            summary.trace_export("too early")
        with summary.name_scope("scope"):
            summary.trace_export("trace", step=3)
    assert tensorflow.calls == [("on", True, False, None), ("export", {})]
    assert not tensorflow.directory.exists()
    with sightline.open(tmp_path, watch=False) as log:
        series = log.wait()["."].scalars["scope/trace"]
        assert (series.step.tolist(), series.wall_time.tolist()) == ([3], [2.0])


def test_a_trace_that_is_not_recorded_ends_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tensorflow = TensorFlow()
    monkeypatch.setitem(sys.modules, "tensorflow", tensorflow)
    summary.trace_on()
    summary.trace_export("nowhere")
    with summary.create_file_writer(tmp_path, story=False) as writer, writer.as_default(step=1):
        summary.trace_on()
        with summary.record_if(False):
            summary.trace_export("nowhere")
    assert [call[0] for call in tensorflow.calls] == ["on", "export", "on", "export"]
    with sightline.open(tmp_path, watch=False) as log:
        assert not log.wait()["."].tags


def test_profiles_go_into_the_run_when_no_place_is_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tensorflow = TensorFlow()
    monkeypatch.setitem(sys.modules, "tensorflow", tensorflow)
    with summary.create_file_writer(tmp_path, story=False) as writer, writer.as_default(step=1):
        summary.trace_on(profiler=True)
        summary.trace_export("trace")
    assert tensorflow.calls[0] == ("on", True, True, str(tmp_path))
    with pytest.raises(BadArgumentError, match="needs a place"):
        summary.trace_on(profiler=True)


def test_a_second_trace_is_refused_and_the_first_can_be_dropped(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    tensorflow = TensorFlow()
    monkeypatch.setitem(sys.modules, "tensorflow", tensorflow)
    summary.trace_on()
    with caplog.at_level(logging.WARNING, "sightline.summary"):
        summary.trace_on()
    assert "already being recorded" in caplog.text
    summary.trace_off()
    assert tensorflow.calls == [("on", True, False, None), "off"]
