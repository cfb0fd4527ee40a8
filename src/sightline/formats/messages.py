"""The messages every event file is made of: events, summaries, metadata and tensors.

Numbers and names are those of the format, as TensorFlow defines events, summaries and tensors. Messages of
single plugins are in ``plugin_messages``, those of graphs in ``graph_messages``.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

from sightline.formats.wire import Message, field, repeated
from sightline.formats.wire_types import (
    BOOL,
    BYTES,
    DOUBLE,
    ENUM,
    FLOAT,
    INT32,
    INT64,
    STRING,
    UINT32,
    UINT64,
)


class DataType(IntEnum):
    """Element types of tensors. A reference type is the same number + 100."""

    INVALID = 0
    FLOAT = 1
    DOUBLE = 2
    INT32 = 3
    UINT8 = 4
    INT16 = 5
    INT8 = 6
    STRING = 7
    COMPLEX64 = 8
    INT64 = 9
    BOOL = 10
    QINT8 = 11
    QUINT8 = 12
    QINT32 = 13
    BFLOAT16 = 14
    QINT16 = 15
    QUINT16 = 16
    UINT16 = 17
    COMPLEX128 = 18
    HALF = 19
    RESOURCE = 20
    VARIANT = 21
    UINT32 = 22
    UINT64 = 23
    FLOAT8_E5M2 = 24
    FLOAT8_E4M3FN = 25
    FLOAT8_E4M3FNUZ = 26
    FLOAT8_E4M3B11FNUZ = 27
    FLOAT8_E5M2FNUZ = 28
    INT4 = 29
    UINT4 = 30
    INT2 = 31
    UINT2 = 32
    FLOAT4_E2M1FN = 33


class LogLevel(IntEnum):
    UNKNOWN = 0
    DEBUGGING = 10
    INFO = 20
    WARN = 30
    ERROR = 40
    FATAL = 50


# -- tensors


class Dim(Message):
    size: int = field(1, INT64)  # -1: unknown
    name: str = field(2, STRING)


class TensorShapeProto(Message):
    dim: Sequence[Dim] = repeated(2, Dim)
    unknown_rank: bool = field(3, BOOL)


class TensorProto(Message):
    """An array. The elements are raw bytes in ``tensor_content`` or in the ``*_val`` list of their type."""

    dtype: int = field(1, ENUM)
    tensor_shape: TensorShapeProto | None = field(2, TensorShapeProto)
    version_number: int = field(3, INT32)
    tensor_content: bytes = field(4, BYTES)
    float_val: Sequence[float] = repeated(5, FLOAT)
    double_val: Sequence[float] = repeated(6, DOUBLE)
    int_val: Sequence[int] = repeated(7, INT32)
    string_val: Sequence[bytes] = repeated(8, BYTES)
    scomplex_val: Sequence[float] = repeated(9, FLOAT)
    int64_val: Sequence[int] = repeated(10, INT64)
    bool_val: Sequence[bool] = repeated(11, BOOL)
    dcomplex_val: Sequence[float] = repeated(12, DOUBLE)
    half_val: Sequence[int] = repeated(13, INT32)
    resource_handle_val: Sequence[bytes] = repeated(14, BYTES)  # ResourceHandleProto
    variant_val: Sequence[bytes] = repeated(15, BYTES)  # VariantTensorDataProto
    uint32_val: Sequence[int] = repeated(16, UINT32)
    uint64_val: Sequence[int] = repeated(17, UINT64)
    float8_val: bytes = field(18, BYTES)


# -- summaries


class PluginData(Message):
    plugin_name: str = field(1, STRING)
    content: bytes = field(2, BYTES)


class SummaryMetadata(Message):
    """Which plugin owns a tag. Only the first value of a tag is sure to carry it."""

    plugin_data: PluginData | None = field(1, PluginData)
    display_name: str = field(2, STRING)
    summary_description: str = field(3, STRING)  # Markdown
    data_class: int = field(4, ENUM)


class Image(Message):
    height: int = field(1, INT32)
    width: int = field(2, INT32)
    colorspace: int = field(3, INT32)
    encoded_image_string: bytes = field(4, BYTES)


class Audio(Message):
    sample_rate: float = field(1, FLOAT)
    num_channels: int = field(2, INT64)
    length_frames: int = field(3, INT64)
    encoded_audio_string: bytes = field(4, BYTES)
    content_type: str = field(5, STRING)


class HistogramProto(Message):
    min: float = field(1, DOUBLE)
    max: float = field(2, DOUBLE)
    num: float = field(3, DOUBLE)
    sum: float = field(4, DOUBLE)
    sum_squares: float = field(5, DOUBLE)
    bucket_limit: Sequence[float] = repeated(6, DOUBLE)  # right edges
    bucket: Sequence[float] = repeated(7, DOUBLE)  # counts


class Value(Message):
    tag: str = field(1, STRING)
    simple_value: float | None = field(2, FLOAT, oneof="value")
    obsolete_old_style_histogram: bytes | None = field(3, BYTES, oneof="value")
    image: Image | None = field(4, Image, oneof="value")
    histo: HistogramProto | None = field(5, HistogramProto, oneof="value")
    audio: Audio | None = field(6, Audio, oneof="value")
    node_name: str = field(7, STRING)  # very old files have this instead of a tag
    tensor: TensorProto | None = field(8, TensorProto, oneof="value")
    metadata: SummaryMetadata | None = field(9, SummaryMetadata)


class Summary(Message):
    value: Sequence[Value] = repeated(1, Value)


class StringTensor(Message):
    """What a TensorProto has of strings. Its lists of numbers would take thirty times their bytes in memory,
    and in a value that should hold strings nobody asks for them: they are skipped."""

    dtype: int = field(1, ENUM)
    tensor_shape: TensorShapeProto | None = field(2, TensorShapeProto)
    string_val: Sequence[bytes] = repeated(8, BYTES)


class StringValue(Message):
    """What a Value has of pictures, sounds and strings; of the rest only whether it is there."""

    simple_value: float | None = field(2, FLOAT, oneof="value")
    obsolete_old_style_histogram: bytes | None = field(3, BYTES, oneof="value")
    image: Image | None = field(4, Image, oneof="value")
    histo: bytes | None = field(5, BYTES, oneof="value")
    audio: Audio | None = field(6, Audio, oneof="value")
    tensor: StringTensor | None = field(8, StringTensor, oneof="value")
    metadata: SummaryMetadata | None = field(9, SummaryMetadata)


# -- events


class LogMessage(Message):
    level: int = field(1, ENUM)
    message: str = field(2, STRING)


class SessionLog(Message):
    status: int = field(1, ENUM)
    checkpoint_path: str = field(2, STRING)
    msg: str = field(3, STRING)


class TaggedRunMetadata(Message):
    tag: str = field(1, STRING)
    run_metadata: bytes = field(2, BYTES)


class SourceMetadata(Message):
    writer: str = field(1, STRING)


class Event(Message):
    """One record of an event file."""

    wall_time: float = field(1, DOUBLE)
    step: int = field(2, INT64)
    file_version: str | None = field(3, STRING, oneof="what")
    graph_def: bytes | None = field(4, BYTES, oneof="what")
    summary: Summary | None = field(5, Summary, oneof="what")
    log_message: LogMessage | None = field(6, LogMessage, oneof="what")
    session_log: SessionLog | None = field(7, SessionLog, oneof="what")
    tagged_run_metadata: TaggedRunMetadata | None = field(8, TaggedRunMetadata, oneof="what")
    meta_graph_def: bytes | None = field(9, BYTES, oneof="what")
    source_metadata: SourceMetadata | None = field(10, SourceMetadata)
