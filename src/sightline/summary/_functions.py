"""The summary functions. Each writes one value to the thread's default writer, in TensorFlow's tensor form.

All of them return whether something was written: False without a default writer, and where ``record_if`` says
no.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sightline._core import HISTOGRAM_UNIFORM
from sightline.formats.messages import Event, Summary, SummaryMetadata
from sightline.formats.wire import Message
from sightline.model.errors import BadArgumentError, DamagedValueError
from sightline.summary import _values
from sightline.summary._context import record, should_record_summaries, state, tag_of
from sightline.summary._function_graphs import runs_in_functions
from sightline.summary._records import event_of, scalar_event, tensor_summary
from sightline.summary._writer import FileSummaryWriter
from sightline.writer.engine.arguments import checked_count, checked_tag, real_array
from sightline.writer.engine.arrays import number_from, number_later
from sightline.writer.file_writer import encoded_message
from sightline.writer.kinds.scalars import NUMBER_BYTES

_DEFAULT_BUCKETS = 30


@runs_in_functions("data", "step")
def scalar(name: str, data: Any, step: Any = None, description: str | None = None) -> bool:
    """Writes one number.

    `name` and the enclosing scopes make the tag; `description` is Markdown.
    """
    tag = tag_of(name, "scalar_summary")

    def write(writer: FileSummaryWriter, step: int) -> None:
        later = None if isinstance(data, (float, int)) else number_later(data)
        if later is None:
            writer._write_event(scalar_event(tag, number_from(data), description, step, time.time()))
        else:
            writer._defer(lambda: [_values.scalar_value(tag, later(), description)], step, None, NUMBER_BYTES)

    return record(step, write)


@runs_in_functions("data", "step", "buckets")
def histogram(
    name: str, data: Any, step: Any = None, buckets: int | None = None, description: str | None = None
) -> bool:
    """Writes how the elements of an array are distributed over `buckets` (30) intervals of equal width.

    Elements that are not finite are left out, counted and reported.
    """
    tag = tag_of(name, "histogram_summary")
    count = _DEFAULT_BUCKETS if buckets is None else max(0, int(buckets))

    def write(writer: FileSummaryWriter, step: int) -> None:
        array = real_array(data, "Elements of a histogram")
        metadata = _values.metadata_of("histograms", description)
        if count == 0 or array.size == 0:
            writer._write([_values.tensor_value(tag, np.zeros((count, 3)), metadata)], step)
            return
        if array.dtype.kind == "b":
            array = array.astype(np.uint8)
        is_noteworthy = writer._sink.add_histogram(
            tag,
            np.ascontiguousarray(array),
            step,
            time.time(),
            HISTOGRAM_UNIFORM,
            buckets=count,
            metadata=metadata.encode(),
        )
        if is_noteworthy:
            writer._report()

    return record(step, write)


@runs_in_functions("data", "step", "max_outputs")
def image(
    name: str, data: Any, step: Any = None, max_outputs: int = 3, description: str | None = None
) -> bool:
    """Writes up to `max_outputs` images of an array [count, height, width, channels] as PNG.

    Floats are taken from 0 to 1 and cut off outside; whole numbers from 0 to the highest of their type. One
    channel is grey, two grey and alpha, three RGB, four RGB and alpha.
    """
    tag = tag_of(name, "image_summary")
    limit = checked_count(number_from(max_outputs), "max_outputs", 0)

    def write(writer: FileSummaryWriter, step: int) -> None:
        images = _first(data, limit)
        _values.check_images(images, limit)
        metadata = _values.metadata_of("images", description)
        writer._defer(lambda: [_values.image_value(tag, images, limit, metadata)], step, None, images.nbytes)

    return record(step, write)


@runs_in_functions("data", "step", "sample_rate", "max_outputs")
def audio(
    name: str,
    data: Any,
    sample_rate: int,
    step: Any = None,
    max_outputs: int = 3,
    encoding: str | None = None,
    description: str | None = None,
) -> bool:
    """Writes up to `max_outputs` clips of an array [count, frames, channels] as WAV. Samples are -1 to 1."""
    if encoding not in (None, "wav"):
        raise BadArgumentError(f"The only encoding of audio is 'wav', not {encoding!r}")
    tag = tag_of(name, "audio_summary")
    limit = checked_count(number_from(max_outputs), "max_outputs", 0)

    def write(writer: FileSummaryWriter, step: int) -> None:
        clips = _first(data, limit)
        rate = int(number_from(sample_rate))
        _values.check_audio(clips, rate)
        metadata = _values.audio_metadata(description)
        writer._defer(lambda: [_values.audio_value(tag, clips, rate, metadata)], step, None, clips.nbytes)

    return record(step, write)


@runs_in_functions("data", "step")
def text(name: str, data: Any, step: Any = None, description: str | None = None) -> bool:
    """Writes text: a string, or an array of strings, which is shown as a table. Markdown is rendered."""
    tag = tag_of(name, "text_summary")

    def write(writer: FileSummaryWriter, step: int) -> None:
        array = _values.text_array(data)
        metadata = _values.metadata_of("text", description)
        writer._write([_values.tensor_value(tag, array, metadata)], step)

    return record(step, write)


@runs_in_functions("tensor", "step")
def write(tag: str, tensor: Any, step: Any = None, metadata: Any = None, name: str | None = None) -> bool:
    """Writes any tensor under exactly this tag; what summary functions of your own are made from.

    `tensor` may be a function that returns it; it is called only if something is written. `metadata` is a
    SummaryMetadata (protobuf's or ours) or its bytes. `name` is accepted and not used.
    """
    checked_tag(tag)
    encoded_metadata = b"" if metadata is None else encoded_message(metadata)
    _check(SummaryMetadata, encoded_metadata, "metadata")

    def write_tensor(writer: FileSummaryWriter, step: int) -> None:
        array = _values.plain_array(tensor() if callable(tensor) else tensor)
        summary = tensor_summary(tag, _values.content_tensor(array), encoded_metadata)
        writer._write_event(event_of(summary, step, time.time()))

    return record(step, write_tensor)


@runs_in_functions("tensor", "step")
def write_raw_pb(tensor: Any, step: Any = None, name: str | None = None) -> bool:
    """Writes finished summaries: one or several serialized Summary messages, as one event."""

    def write_summaries(writer: FileSummaryWriter, step: int) -> None:
        if hasattr(tensor, "SerializeToString") or isinstance(tensor, Message):
            parts = [encoded_message(tensor)]
        else:
            parts = [bytes(part) for part in _values.text_array(tensor).ravel().tolist()]
        for part in parts:
            _check(Summary, part, "summary")
        writer._write_event(event_of(b"".join(parts), step, time.time()))

    return record(step, write_summaries)


def graph(graph_data: Any) -> bool:
    """Writes the graph of the run: a TensorFlow graph or function graph, a GraphDef message, or its bytes."""
    writer = state.writer
    if writer is None or not should_record_summaries():
        return False
    if callable(getattr(graph_data, "as_graph_def", None)):
        graph_data = graph_data.as_graph_def(add_shapes=True)
    writer._write_event(Event(wall_time=time.time(), graph_def=encoded_message(graph_data)).encode())
    return True


def _check(kind: type[Message], data: bytes, what: str) -> None:
    try:
        kind.decode(data)
    except DamagedValueError as error:
        raise BadArgumentError(f"These bytes are no {what}: {error}") from None


def _first(data: Any, limit: int) -> NDArray[Any]:
    """A copy of the first elements. The rest of a batch stays where it is, perhaps on another device."""
    if isinstance(data, (list, tuple)):
        data = data[: max(limit, 1)]  # one must stay, to know the size
    elif getattr(data, "shape", ()):
        data = data[:limit]
    array = _values.number_array(data)
    return array[:limit].copy() if array.ndim else array
