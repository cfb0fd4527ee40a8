"""The summary functions: what they refuse, and the few things in which they are kinder than TensorFlow.

That they write what TensorFlow writes is tested in ``compat/test_writer_vs_tf_summary.py``.
"""

from __future__ import annotations

import io
import logging
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

import sightline
from sightline import BadArgumentError, summary
from sightline.formats.graph_messages import GraphDef, NodeDef
from sightline.formats.messages import Event, PluginData, Summary, SummaryMetadata, Value
from sightline.formats.tensors import array_from_tensor
from sightline.summary._records import event_of, float32_bytes, scalar_event
from sightline.summary._values import metadata_of, pixels_of, plain_array, samples_of, scalar_value


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Any]:
    """A block with a default writer at step 1; call the fixture's value to get the run that was written."""
    writer = summary.create_file_writer(tmp_path, story=False)

    def written() -> sightline.Run:
        writer.flush()
        return sightline.open(tmp_path, watch=False).wait()["."]

    with writer.as_default(step=1):
        yield written
    writer.close()


def pixels_in(png: Any) -> Any:
    with Image.open(io.BytesIO(png)) as image:
        return np.asarray(image)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: summary.scalar(3, 1.0), "name of a summary is text, not int"),
        (lambda: summary.scalar("x", [1.0, 2.0]), "One number is needed"),
        (lambda: summary.scalar("x", "1.0"), "A number is needed, not str"),
        (lambda: summary.histogram("x", ["a"]), "real numbers, not"),
        (lambda: summary.histogram("x", np.array([1j])), "real numbers, not complex128"),
        (lambda: summary.image("x", np.zeros((4, 5, 3))), r"picture\[None\]"),
        (lambda: summary.image("x", np.zeros((1, 4, 5, 5))), "1 to 4 channels, not 5"),
        (lambda: summary.image("x", np.zeros((1, 0, 5, 3))), "cannot be empty"),
        (lambda: summary.image("x", np.zeros((1, 4, 5, 3), bool)), "Pixels are floats"),
        (lambda: summary.image("x", np.zeros((1, 4, 5, 3)), max_outputs=-1), "max_outputs"),
        (lambda: summary.audio("x", np.zeros((4, 2)), 8000), r"wave\[None, :, None\]"),
        (lambda: summary.audio("x", np.zeros((1, 4, 2), np.int16), 8000), "Samples are floats"),
        (lambda: summary.audio("x", np.zeros((1, 4, 0)), 8000), "at least one channel"),
        (lambda: summary.audio("x", np.zeros((1, 4, 2)), 0), "sample rate"),
        (lambda: summary.audio("x", np.zeros((1, 4, 2)), 8000, encoding="mp3"), "only encoding"),
        (lambda: summary.text("x", 3), r"Convert with str\(\)"),
        (lambda: summary.write(3, 1.0), "A tag is text, not int"),  # type: ignore[arg-type]
        (lambda: summary.write("x", 1.0, metadata=3), "message"),
        (lambda: summary.write("x", 1.0, metadata=b"\xff\xff"), "no metadata"),
        (lambda: summary.write("x", object()), "object"),
        (lambda: summary.experimental.write_raw_pb(b"\xff\xff"), "no summary"),
        (lambda: summary.graph("graph"), "message of protobuf or of Sightline"),
    ],
)
def test_a_mistake_is_told_where_it_was_made(call: Any, message: str, run: Any) -> None:
    with pytest.raises(BadArgumentError, match=message):
        call()
    assert not run().tags


def test_one_number_may_come_in_any_wrapping(run: Any) -> None:
    for number in (2.5, np.float32(2.5), np.array([2.5]), [2.5], np.array([[2.5]], np.float16)):
        assert summary.scalar("loss", number)
    assert run().scalars["loss"].value.tolist() == [2.5] * 5


def test_a_number_beyond_32_bits_is_infinite(run: Any) -> None:
    for number in (1e300, -1e300, 2**2000):
        summary.scalar("loss", number)
    assert run().scalars["loss"].value.tolist() == [np.inf, -np.inf, np.inf]


def test_pictures_of_a_list_of_byte_arrays_are_not_black(run: Any) -> None:
    summary.image("pictures", [np.full((2, 3, 3), 200, np.uint8)] * 2)
    (item,) = run().images["pictures"]
    assert [pixels_in(png).tolist() for png in item.samples] == [np.full((2, 3, 3), 200).tolist()] * 2


def test_numbers_that_are_not_finite_are_left_out_of_a_histogram_and_told(
    run: Any, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "sightline.writer"):
        summary.histogram("weights", [1.0, float("nan"), 2.0, float("inf")], buckets=2)
        (item,) = run().histograms["weights"]
    assert item.counts.tolist() == [1, 1]
    assert "weights" in caplog.text


def test_data_may_change_right_after_the_call(run: Any) -> None:
    picture, wave, weights = np.zeros((1, 4, 4, 3), np.uint8), np.zeros((1, 9, 1), np.float32), np.zeros(50)
    summary.image("picture", picture)
    summary.audio("sound", wave, 8000)
    summary.histogram("weights", weights, buckets=1)
    for array in (picture, wave, weights):
        array[:] = 1
    found = run()
    assert not pixels_in(found.images["picture"][0].bytes).any()
    assert found.histograms["weights"][0].edges.tolist() == [0, 0]


def test_a_graph_may_be_a_message_or_bytes(run: Any) -> None:
    class TensorFlowGraph:
        def as_graph_def(self, *, add_shapes: bool) -> GraphDef:
            assert add_shapes
            return graph

    graph = GraphDef(node=[NodeDef(name="a", op="Const")])
    for graph_data in (graph, graph.encode(), TensorFlowGraph()):
        assert summary.graph(graph_data)
    assert run().tags["__run_graph__"].count == 3


def test_metadata_may_be_our_own_message(run: Any) -> None:
    summary.write("x", 1.0, metadata=SummaryMetadata(plugin_data=PluginData(plugin_name="mine")))
    summary.experimental.write_raw_pb(Summary(value=[Value(tag="y", simple_value=2.0)]))
    assert run().tags["x"].plugin == "mine"
    assert run().scalars["y"].value.tolist() == [2.0]


# -- names


def test_scopes_nest_and_end(run: Any) -> None:
    with summary.name_scope("a"), summary.name_scope("b/c/") as scope:
        summary.scalar("x", 1.0)
        assert scope == "a/b/c/"
    with pytest.raises(KeyError), summary.name_scope("lost"):
        raise KeyError
    summary.scalar("x", 1.0)
    assert list(run().tags) == ["a/b/c/x", "x"]


def test_a_scope_of_a_summary_function_leaves_odd_characters_out(run: Any) -> None:
    with summary.experimental.summary_scope("my ? loss", "Default", values=[1]) as (tag, scope):
        assert (tag, scope) == ("my ? loss", "myloss/")
    with summary.experimental.summary_scope("?", "Default") as (tag, scope):
        assert (tag, scope) == ("?", "Default/")
    with summary.experimental.summary_scope(None) as (tag, scope):
        assert (tag, scope) == ("summary", "summary/")


# -- pure parts


@given(st.text(), st.floats(width=32), st.integers(-(2**63), 2**63 - 1), st.floats(0, 1e12), st.text())
def test_an_event_put_together_is_the_event_that_the_codec_makes(
    tag: str, number: float, step: int, wall_time: float, description: str
) -> None:
    tag, description = (text.encode("utf-8", "ignore").decode() for text in (tag, description))
    event = scalar_event(tag, number, description, step, wall_time)
    expected = Event(
        wall_time=wall_time, step=step, summary=Summary(value=[scalar_value(tag, number, description)])
    )
    decoded = Event.decode(event)
    assert decoded == expected or np.isnan(number)
    assert decoded.encode() == expected.encode()


@given(st.floats(allow_nan=False) | st.integers(-(2**100), 2**100))
def test_four_bytes_are_those_of_numpy(number: float) -> None:
    with np.errstate(over="ignore"):
        assert float32_bytes(number) == np.float64(number).astype("<f4").tobytes()


def test_an_event_holds_any_summary() -> None:
    summary_bytes = Summary(value=[Value(tag="x", simple_value=1.0)]).encode()
    event = Event.decode(event_of(summary_bytes, -5, 12.5))
    assert (event.step, event.wall_time) == (-5, 12.5)
    assert event.summary is not None
    assert event.summary.encode() == summary_bytes


@pytest.mark.parametrize(
    ("value", "dtype"),
    [
        (1, np.int32), (2**40, np.int64), (1.5, np.float32), ([1, 2.5], np.float32), (True, np.bool_),
        ([True, False], np.bool_), (np.float64(1), np.float64), ([np.float64(1)], np.float64),
        (np.arange(3), np.int64), (1j, np.complex128), ("x", object), ([b"x"], object), ([], np.float32),
    ],
)  # fmt: skip
def test_arrays_have_the_types_that_tensorflow_gives_them(value: Any, dtype: Any) -> None:
    array = plain_array(value)
    assert array.dtype == dtype


def test_every_byte_survives_the_way_through_floats() -> None:
    every = np.arange(256, dtype=np.uint8)
    for dtype in (np.float32, np.float64):
        assert pixels_of(every / dtype(255)).tolist() == every.tolist()


@given(st.lists(st.floats(-2, 2, width=32), min_size=1))
def test_samples_are_rounded_away_from_zero_at_a_half(numbers: list[float]) -> None:
    expected = []
    for number in numbers:
        scaled = abs(number) * 32768
        rounded = int(scaled) + (scaled - int(scaled) >= 0.5)
        expected.append(max(-32768, min(32767, rounded if number >= 0 else -rounded)))
    assert samples_of(np.array(numbers, np.float32)).tolist() == expected


def test_metadata_has_no_data_class() -> None:
    assert metadata_of("scalars", None).encode() == b"\n\t\n\x07scalars"


def test_a_deferred_number_has_the_form_of_an_immediate_one() -> None:
    value = scalar_value("x", 1e300, "described")
    assert value.tensor is not None
    assert array_from_tensor(value.tensor) == np.inf
    assert value.tensor.tensor_content == struct.pack("<f", np.inf)
