"""A second reader of event files: slow, plain, and sharing no code with Sightline.

It takes the whole file as bytes, walks it from front to back and parses with protobuf's own classes, so
that a reader who knows the format can see that it is right. Tests compare the core with it, bit for bit.

Two things protobuf's classes do not give are done by hand: where a message lies in the file (a small walk
over the wire format), and strings that are not UTF-8 (the classes are rebuilt with every string declared as
bytes).

    >>> decoded = decode(path.read_bytes())
    >>> decoded.rows["loss", "SCALAR"][0].value
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import google_crc32c
import ml_dtypes
import numpy as np
from google.protobuf import descriptor_pb2, descriptor_pool, message, message_factory
from tensorboard.compat.proto import event_pb2, types_pb2

CLOCK_SLACK_S = 10.0  # threads of one writer read their clocks at slightly different moments
HEADER_BYTES = 12
FOOTER_BYTES = 4
MAX_LENGTH_BYTES = 2**31 - 1

BAD_LENGTH = "bad length checksum"
ABSURD_LENGTH = "absurd length"
BAD_PAYLOAD = "bad payload checksum"
UNFINISHED = "unfinished record"
UNDECODABLE = "undecodable record"

GRAPH_TAG = "__run_graph__"
META_GRAPH_TAG = "__meta_graph__"
LOG_MESSAGE_TAG = "__log_message__"


class Row(NamedTuple):
    """One point. ``value`` for scalars; ``data`` lies at ``offset`` in the file for everything else."""

    step: int
    wall_time: float
    value: float | None
    offset: int | None
    data: bytes


class Damage(NamedTuple):
    offset: int
    length: int
    reason: str


class Break(NamedTuple):
    """One or several STARTs that stand in the file between row ``row`` and the row before it."""

    row: int
    start_step: int
    start_wall_time: float


@dataclass
class Decoded:
    """Everything one file says."""

    rows: dict[tuple[str, str], list[Row]] = field(default_factory=dict)
    metadata: dict[str, bytes] = field(default_factory=dict)  # first of each tag
    plugins: dict[str, str] = field(default_factory=dict)
    breaks: dict[tuple[str, str], list[Break]] = field(default_factory=dict)
    starts: list[tuple[int, float]] = field(default_factory=list)
    starts_seen: dict[tuple[str, str], int] = field(default_factory=dict)  # how many before the last row
    wall_times: list[float] = field(default_factory=list)  # of every record, in order
    version_wall_times: list[float] = field(default_factory=list)  # those of version events, which count last
    damage: list[Damage] = field(default_factory=list)
    record_count: int = 0
    torn_bytes: int = 0
    file_version: str = ""
    source_writer: str = ""

    @property
    def skipped_bytes(self) -> int:
        return sum(place.length for place in self.damage)


def decode_file(path: Path) -> Decoded:
    return decode(path.read_bytes())


def decode(data: bytes) -> Decoded:
    """Read a whole file."""
    decoded = Decoded()
    position = 0
    while position < len(data):
        position = _read_at(data, position, decoded)
    return decoded


# ---------------------------------------------------------------- framing


def masked_crc(data: bytes) -> int:
    crc: int = google_crc32c.value(data)
    return (((crc >> 15) | (crc << 17)) + 0xA282EAD8) & 0xFFFFFFFF


def _header_length(data: bytes, position: int) -> int | None:
    """The length that a record header declares; None when its checksum is wrong or it is cut off."""
    header = data[position : position + HEADER_BYTES]
    if len(header) < HEADER_BYTES:
        return None
    length, crc = struct.unpack("<QI", header)
    return length if crc == masked_crc(header[:8]) else None


def _has_plausible_header(data: bytes, position: int) -> bool:
    length = _header_length(data, position)
    return length is not None and length <= MAX_LENGTH_BYTES


def _complete_payload(data: bytes, position: int) -> bytes | None:
    """The payload at ``position`` when the record is whole and both checksums hold."""
    length = _header_length(data, position)
    if length is None or position + HEADER_BYTES + length + FOOTER_BYTES > len(data):
        return None
    start = position + HEADER_BYTES
    payload = data[start : start + length]
    (crc,) = struct.unpack("<I", data[start + length : start + length + FOOTER_BYTES])
    return payload if crc == masked_crc(payload) else None


def _skip_to_header(data: bytes, position: int, scan_from: int, reason: str, decoded: Decoded) -> int:
    """Damage from ``position`` to the next plausible header. Without one the last 11 bytes stay unjudged."""
    last = len(data) - HEADER_BYTES
    target = next((q for q in range(scan_from, last + 1) if _has_plausible_header(data, q)), None)
    if target is not None:
        decoded.damage.append(Damage(position, target - position, reason))
        return target
    judged_end = max(scan_from, last + 1)
    decoded.damage.append(Damage(position, judged_end - position, reason))
    decoded.torn_bytes = len(data) - judged_end
    return len(data)


def _read_at(data: bytes, position: int, decoded: Decoded) -> int:
    """Read the record at ``position`` or deal with what is there instead; returns where to go on."""
    if len(data) - position < HEADER_BYTES:
        decoded.torn_bytes = len(data) - position
        return len(data)
    length = _header_length(data, position)
    if length is None:
        return _skip_to_header(data, position, position + 1, BAD_LENGTH, decoded)
    if length > MAX_LENGTH_BYTES:
        return _skip_to_header(data, position, position + 1, ABSURD_LENGTH, decoded)
    end = position + HEADER_BYTES + length + FOOTER_BYTES
    if end > len(data):
        return _wait_or_go_on(data, position, decoded)
    payload = _complete_payload(data, position)
    if payload is None:
        if end == len(data) or _has_plausible_header(data, end):
            decoded.damage.append(Damage(position, end - position, BAD_PAYLOAD))
            return end
        return _skip_to_header(data, position, position + HEADER_BYTES, BAD_PAYLOAD, decoded)
    event = parse_event(payload)
    if event is None:
        decoded.damage.append(Damage(position, end - position, UNDECODABLE))
        return end
    _take_event(event, payload, position + HEADER_BYTES, decoded)
    return end


def _wait_or_go_on(data: bytes, position: int, decoded: Decoded) -> int:
    """A record longer than the file: still being written, unless a whole valid event follows inside it.

    An event clearly older than the record proves nothing: it may be a part of it (a text that holds an event
    file). Neither does an empty one.
    """
    own_wall_time = _first_wall_time(data[position + HEADER_BYTES :])
    for q in range(position + HEADER_BYTES, len(data) - HEADER_BYTES - FOOTER_BYTES + 1):
        if _has_plausible_header(data, q):
            event = parse_event(_complete_payload(data, q) or b"\xff")
            if event is not None and not event.wall_time < own_wall_time - CLOCK_SLACK_S:
                decoded.damage.append(Damage(position, q - position, UNFINISHED))
                return q
    decoded.torn_bytes = len(data) - position
    return len(data)


def _first_wall_time(payload: bytes) -> float:
    """Of an event of which only the beginning is there; writers put the wall time first."""
    if len(payload) >= 9 and payload[0] == 0x09:
        (wall_time,) = struct.unpack("<d", payload[1:9])
        return float(wall_time)
    return -math.inf


# ---------------------------------------------------------------- events


def _event_class_with_byte_strings() -> Any:
    """TensorBoard's Event class with every string field declared as bytes, so that any bytes are accepted."""
    pool = descriptor_pool.DescriptorPool()
    done: set[str] = set()

    def loosen(message_type: descriptor_pb2.DescriptorProto) -> None:
        for item in message_type.field:
            if item.type == descriptor_pb2.FieldDescriptorProto.TYPE_STRING:
                item.type = descriptor_pb2.FieldDescriptorProto.TYPE_BYTES
        for nested in message_type.nested_type:
            loosen(nested)

    def add(file: Any) -> None:
        if file.name in done:
            return
        done.add(file.name)
        for dependency in file.dependencies:
            add(dependency)
        proto = descriptor_pb2.FileDescriptorProto()
        file.CopyToProto(proto)
        for message_type in proto.message_type:
            loosen(message_type)
        pool.Add(proto)

    add(event_pb2.DESCRIPTOR)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName(event_pb2.Event.DESCRIPTOR.full_name))


_Event = _event_class_with_byte_strings()


def parse_event(payload: bytes) -> Any | None:
    try:
        return _Event.FromString(payload)
    except message.DecodeError:
        return None


def parse_value(data: bytes) -> Any:
    """A Summary.Value whose tag and names are bytes."""
    event = _Event()
    value = event.summary.value.add()
    value.ParseFromString(data)
    return value


def text_from_bytes(raw: bytes) -> str:
    """Tags as Sightline shows them: bytes that are not UTF-8 as ``\\xNN``."""
    return raw.decode("utf-8", "backslashreplace")


def _wire_fields(data: bytes) -> Iterator[tuple[int, int, int, int]]:
    """(field number, wire type, start, end) of each field of a message that is known to be valid."""

    def varint(at: int) -> tuple[int, int]:
        result = shift = 0
        while True:
            byte = data[at]
            result |= (byte & 0x7F) << shift
            at, shift = at + 1, shift + 7
            if byte < 0x80:
                return result, at

    position = 0
    while position < len(data):
        key, position = varint(position)
        number, wire_type = key >> 3, key & 7
        if wire_type == 0:
            _, end = varint(position)
        elif wire_type == 1:
            end = position + 8
        elif wire_type == 5:
            end = position + 4
        elif wire_type == 2:
            length, position = varint(position)
            end = position + length
        else:
            end = position  # the start or end of a group: its fields are walked as if they were ours
        yield number, wire_type, position, end
        position = end


def _take_event(event: Any, payload: bytes, payload_offset: int, decoded: Decoded) -> None:
    decoded.record_count += 1
    decoded.wall_times.append(event.wall_time)
    what = event.WhichOneof("what")
    if event.HasField("source_metadata") and not decoded.source_writer:
        decoded.source_writer = text_from_bytes(event.source_metadata.writer)
    if what == "file_version":
        decoded.version_wall_times.append(event.wall_time)
    if what == "file_version" and not decoded.file_version:
        decoded.file_version = text_from_bytes(event.file_version)
    if what == "session_log" and event.session_log.status == event_pb2.SessionLog.START:
        decoded.starts.append((event.step, event.wall_time))

    def blob(tag: str, form: str, start: int, end: int) -> None:
        row = Row(event.step, event.wall_time, None, payload_offset + start, payload[start:end])
        _append(decoded, tag, form, row)

    for number, wire_type, start, end in _wire_fields(payload):
        if wire_type != 2:
            continue
        if number == 4:
            blob(GRAPH_TAG, "GRAPH", start, end)
        elif number == 9:
            blob(META_GRAPH_TAG, "META_GRAPH", start, end)
        elif number == 6:
            blob(LOG_MESSAGE_TAG, "LOG_MESSAGE", start, end)
        elif number == 8:
            blob(text_from_bytes(event.tagged_run_metadata.tag), "RUN_METADATA", start, end)
        elif number == 5:
            for value_number, value_type, value_start, value_end in _wire_fields(payload[start:end]):
                if value_number == 1 and value_type == 2:
                    offset = payload_offset + start + value_start
                    _take_value(event, payload[start + value_start : start + value_end], offset, decoded)


_LEGACY_FORMS = {"image": "IMAGE", "audio": "AUDIO", "histo": "HISTOGRAM"}


def _take_value(event: Any, data: bytes, offset: int, decoded: Decoded) -> None:
    value = parse_value(data)
    tag = text_from_bytes(value.tag or value.node_name)
    if value.HasField("metadata") and tag not in decoded.metadata:
        decoded.metadata[tag] = [
            data[start:end] for number, _, start, end in _wire_fields(data) if number == 9
        ][-1]
        decoded.plugins[tag] = text_from_bytes(value.metadata.plugin_data.plugin_name)

    def append(form: str, number: float | None = None) -> None:
        if form == "SCALAR":
            row = Row(event.step, event.wall_time, number, None, b"")
        else:
            row = Row(event.step, event.wall_time, None, offset, data)
        _append(decoded, tag, form, row)

    kind = value.WhichOneof("value")
    if kind == "simple_value":
        append("SCALAR", value.simple_value)
    elif kind in _LEGACY_FORMS:
        append(_LEGACY_FORMS[kind])
    elif kind == "tensor":
        number = one_number(value.tensor)
        if number is None:
            append("TENSOR")
        else:
            append("SCALAR", number)
            if decoded.plugins.get(tag, "") not in ("", "scalars"):
                append("SCALAR_TENSOR")
    elif kind is None and value.HasField("metadata"):
        append("METADATA")


def _append(decoded: Decoded, tag: str, form: str, row: Row) -> None:
    key = (tag, form)
    rows = decoded.rows.setdefault(key, [])
    unseen = decoded.starts[decoded.starts_seen.get(key, 0) :]
    if rows and unseen:  # a START before the first row of a series divides nothing
        place = Break(len(rows), min(step for step, _ in unseen), unseen[-1][1])
        decoded.breaks.setdefault(key, []).append(place)
    decoded.starts_seen[key] = len(decoded.starts)
    rows.append(row)


# ---------------------------------------------------------------- tensors

_DTYPES: dict[str, Any] = {
    "DT_FLOAT": "<f4", "DT_DOUBLE": "<f8", "DT_HALF": "<f2", "DT_BFLOAT16": ml_dtypes.bfloat16,
    "DT_INT8": "<i1", "DT_INT16": "<i2", "DT_INT32": "<i4", "DT_INT64": "<i8",
    "DT_UINT8": "<u1", "DT_UINT16": "<u2", "DT_UINT32": "<u4", "DT_UINT64": "<u8", "DT_BOOL": "?",
    "DT_QINT8": "<i1", "DT_QUINT8": "<u1", "DT_QINT16": "<i2", "DT_QUINT16": "<u2", "DT_QINT32": "<i4",
    "DT_FLOAT8_E5M2": ml_dtypes.float8_e5m2, "DT_FLOAT8_E4M3FN": ml_dtypes.float8_e4m3fn,
    "DT_FLOAT8_E4M3FNUZ": ml_dtypes.float8_e4m3fnuz, "DT_FLOAT8_E4M3B11FNUZ": ml_dtypes.float8_e4m3b11fnuz,
    "DT_FLOAT8_E5M2FNUZ": ml_dtypes.float8_e5m2fnuz, "DT_INT4": ml_dtypes.int4, "DT_UINT4": ml_dtypes.uint4,
    "DT_INT2": ml_dtypes.int2, "DT_UINT2": ml_dtypes.uint2, "DT_FLOAT4_E2M1FN": ml_dtypes.float4_e2m1fn,
}  # fmt: skip
_LISTS = {
    "DT_FLOAT": "float_val", "DT_DOUBLE": "double_val", "DT_INT64": "int64_val", "DT_BOOL": "bool_val",
    "DT_UINT32": "uint32_val", "DT_UINT64": "uint64_val",
}  # fmt: skip


def numeric_dtype(tensor: Any) -> str | None:
    """The name of a real numeric dtype; None for complex numbers, strings and what nobody knows."""
    number = tensor.dtype - 100 if tensor.dtype > 100 else tensor.dtype  # a reference type
    name = types_pb2.DataType.Name(number) if number in types_pb2.DataType.values() else ""
    return name if name in _DTYPES else None


def one_number(tensor: Any) -> float | None:
    """The value of a numeric tensor with exactly one element, as float64; None for any other tensor.

    When the shape is not known, the number of elements decides.
    """
    name = numeric_dtype(tensor)
    sizes = [dim.size for dim in tensor.tensor_shape.dim]
    is_unknown = tensor.tensor_shape.unknown_rank or any(size < 0 for size in sizes)
    if name is None or (not is_unknown and any(size != 1 for size in sizes)):
        return None
    if tensor.tensor_content:
        dtype = np.dtype(_DTYPES[name])
        if len(tensor.tensor_content) != dtype.itemsize:
            return None
        return _float(np.frombuffer(tensor.tensor_content, dtype)[0])
    numbers = _listed_numbers(tensor, name)
    if is_unknown and len(numbers) != 1:
        return None
    return numbers[0] if numbers else 0.0  # TensorFlow fills what is missing with zeros


def _float(number: Any) -> float:
    return float(number)


def _listed_numbers(tensor: Any, name: str) -> list[float]:
    if name.startswith("DT_FLOAT8"):
        return [_float(number) for number in np.frombuffer(tensor.float8_val, _DTYPES[name])]
    if name in ("DT_HALF", "DT_BFLOAT16"):
        return [_half_number(bits, name) for bits in tensor.half_val]
    if name in _LISTS:
        return [_float(number) for number in getattr(tensor, _LISTS[name])]
    # torch's add_tensor puts uint8 in uint32_val.
    return [_float(number) for number in tensor.int_val or tensor.uint32_val]


def array(tensor: Any) -> np.ndarray[Any, Any]:
    """A tensor of any shape and dtype as float64, complex128 or object (of bytes) array."""
    shape = [dim.size for dim in tensor.tensor_shape.dim]
    if tensor.dtype == types_pb2.DT_STRING:
        strings = np.empty(len(tensor.string_val), object)
        strings[:] = list(tensor.string_val)
        return strings.reshape(shape)
    if tensor.dtype in (types_pb2.DT_COMPLEX64, types_pb2.DT_COMPLEX128):
        is_small = tensor.dtype == types_pb2.DT_COMPLEX64
        listed = tensor.scomplex_val if is_small else tensor.dcomplex_val
        pairs = (
            np.array(listed) if listed else np.frombuffer(tensor.tensor_content, "<f4" if is_small else "<f8")
        )
        return (pairs[0::2] + 1j * pairs[1::2]).reshape(shape)
    name = numeric_dtype(tensor)
    assert name is not None
    if tensor.tensor_content:
        return np.frombuffer(tensor.tensor_content, _DTYPES[name]).astype(np.float64).reshape(shape)
    numbers = np.array(_listed_numbers(tensor, name))
    if numbers.size == 1:  # one number for all elements
        return np.full(shape, numbers[0])
    return numbers.reshape(shape)


def _half_number(bits: int, name: str) -> float:
    """A 16-bit pattern; torch's add_tensor wrongly stores the 32-bit pattern of the value."""
    if 0 <= bits <= 0xFFFF:
        return _float(np.array([bits], "<u2").view(_DTYPES[name])[0])
    return _float(np.array([bits & 0xFFFFFFFF], "<u4").view("<f4")[0])


def float_bits(number: float) -> str:
    """A float64 as hexadecimal digits, so that 0.0 differs from -0.0; every NaN is the same."""
    return "nan" if math.isnan(number) else struct.pack(">d", number).hex()
