"""FileWriter: messages of protobuf, of ours and bytes end up in the file as they are."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from tensorboard.compat.proto import config_pb2, event_pb2, graph_pb2, node_def_pb2, summary_pb2

from sightline import BadArgumentError, FileWriter, SummaryWriter
from sightline.formats.graph_messages import GraphDef, NodeDef
from sightline.formats.messages import Event, Summary, Value
from tests.compat.written_events import events_of, only_event_file

SUMMARY = summary_pb2.Summary(value=[summary_pb2.Summary.Value(tag="loss", simple_value=0.5)])
GRAPH = graph_pb2.GraphDef(node=[node_def_pb2.NodeDef(name="a", op="Const")])


def written_by(directory: Path, call: Any) -> list[event_pb2.Event]:
    """The events after the first, which says the version."""
    writer = FileWriter(directory)
    call(writer)
    writer.close()
    return events_of(only_event_file(directory))[1:]


@pytest.mark.parametrize(
    "summary", [SUMMARY, SUMMARY.SerializeToString(), Summary(value=[Value(tag="loss", simple_value=0.5)])]
)
def test_a_summary_may_be_of_protobuf_or_ours_or_bytes(summary: Any, tmp_path: Path) -> None:
    (event,) = written_by(tmp_path, lambda w: w.add_summary(summary, 3, 123.5))
    assert event == event_pb2.Event(wall_time=123.5, step=3, summary=SUMMARY)


def test_an_event_keeps_its_content_and_gets_step_and_time(tmp_path: Path) -> None:
    given = event_pb2.Event(wall_time=1.0, step=2, summary=SUMMARY)
    before = time.time()
    kept, placed, ours = written_by(
        tmp_path,
        lambda w: [
            w.add_event(given),
            w.add_event(given.SerializeToString(), 7, 123.5),
            w.add_event(Event(step=4, log_message=None, file_version="x"), walltime=5.0),
        ],
    )
    assert before <= kept.wall_time <= time.time()
    assert (kept.step, kept.summary) == (2, SUMMARY)
    assert (placed.step, placed.wall_time, placed.summary) == (7, 123.5, SUMMARY)
    assert (ours.step, ours.wall_time, ours.file_version) == (4, 5.0, "x")
    assert given.wall_time == 1.0  # the caller's message is left alone


def test_what_a_later_format_adds_inside_a_summary_is_kept(tmp_path: Path) -> None:
    unknown = SUMMARY.SerializeToString() + b"\xfa\x01\x02\x08\x01"
    (event,) = written_by(tmp_path, lambda w: w.add_summary(unknown))
    assert event.summary.SerializeToString() == unknown


@pytest.mark.parametrize("graph", [GRAPH, GraphDef(node=[NodeDef(name="a", op="Const")])])
def test_graphs_are_events_of_their_own(graph: Any, tmp_path: Path) -> None:
    metadata = config_pb2.RunMetadata()
    first, tagged, onnx, openvino = written_by(
        tmp_path,
        lambda w: [
            w.add_graph((graph, metadata), 1.0),
            w.add_onnx_graph(graph, 2.0),
            w.add_openvino_graph(graph),
        ],
    )
    for event in (first, onnx, openvino):
        assert graph_pb2.GraphDef.FromString(event.graph_def) == GRAPH
    assert tagged.tagged_run_metadata.tag == "step1"
    assert (first.wall_time, tagged.wall_time, onnx.wall_time) == (1.0, 1.0, 2.0)


def test_defaults_of_a_block_are_used(tmp_path: Path) -> None:
    def call(writer: FileWriter) -> None:
        with writer.use_metadata(global_step=9, walltime=1.5):
            writer.add_summary(SUMMARY)
            writer.add_event(event_pb2.Event(summary=SUMMARY))
        writer.add_summary(SUMMARY)

    one, two, after = written_by(tmp_path, call)
    assert [(event.step, event.wall_time) for event in (one, two)] == [(9, 1.5)] * 2
    assert after.step == 0


def test_after_close_the_next_event_begins_a_new_file(tmp_path: Path) -> None:
    writer = FileWriter(str(tmp_path), 10, 120, ".mine")
    writer.add_summary(SUMMARY, 1)
    writer.flush()
    writer.close()
    writer.reopen()
    writer.add_summary(SUMMARY, 2)
    writer.close()
    assert writer.get_logdir() == str(tmp_path)
    files = sorted(tmp_path.glob("*.mine"))
    assert [[event.step for event in events_of(path)[1:]] for path in files] == [[1], [2]]


def test_a_summary_writer_has_such_a_face(tmp_path: Path) -> None:
    with SummaryWriter(tmp_path, story=False) as writer:
        writer.add_scalar("a", 1.0, 1)
        FileWriter.of(writer).add_summary(SUMMARY, 2)
        assert FileWriter.of(writer).get_logdir() == writer.log_dir
    assert [event.step for event in events_of(only_event_file(tmp_path))] == [0, 1, 2]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda w: w.add_summary(3), "is needed, not int"),
        (lambda w: w.add_event(b"\xff\xff"), "no Event"),
        (lambda w: w.add_event(event_pb2.Event(), "x"), "whole number"),
    ],
)
def test_a_mistake_is_told_where_it_was_made(call: Any, message: str, tmp_path: Path) -> None:
    writer = FileWriter(logdir=tmp_path)
    with pytest.raises(BadArgumentError, match=message):
        call(writer)
    writer.close()


def test_a_directory_is_needed() -> None:
    with pytest.raises(BadArgumentError, match="needs a directory"):
        FileWriter()
