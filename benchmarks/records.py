"""A second, slow and obvious implementation of the record format, independent of Sightline's core.

Two uses: the expected checksums that every Sightline read is compared with, and the writer of the live
benchmark. Only what the generated directories contain is understood (simple values, images, histograms);
record checksums are written but not verified here.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

WIRE_VARINT, WIRE_FIXED64, WIRE_BYTES, WIRE_FIXED32 = 0, 1, 2, 5
FIELD_SIMPLE_VALUE, FIELD_IMAGE, FIELD_HISTOGRAM = 2, 4, 5
FRAME_HEADER_BYTES, FRAME_FOOTER_BYTES = 12, 4


class Point(NamedTuple):
    tag: str
    step: int
    wall_time: float
    value: float
    """The scalar; NaN for media."""
    field: int
    """Which field of Summary.Value carries the data."""
    data: bytes
    """The message of an image or histogram; empty for scalars."""


def points_of_file(path: Path) -> Iterator[Point]:
    content = path.read_bytes()
    position = 0
    while position + FRAME_HEADER_BYTES <= len(content):
        (length,) = struct.unpack_from("<Q", content, position)
        start = position + FRAME_HEADER_BYTES
        yield from _points_of_event(content[start : start + length])
        position = start + length + FRAME_FOOTER_BYTES


def fields_of(message: bytes) -> Iterator[tuple[int, int | bytes]]:
    """(field number, value) in order; numbers of fixed width come as their bytes."""
    position = 0
    while position < len(message):
        key, position = _varint(message, position)
        wire = key & 7
        if wire == WIRE_VARINT:
            number, position = _varint(message, position)
            yield key >> 3, number
            continue
        if wire == WIRE_BYTES:
            length, position = _varint(message, position)
        else:
            length = {WIRE_FIXED64: 8, WIRE_FIXED32: 4}[wire]
        yield key >> 3, message[position : position + length]
        position += length


def scalar_record(tag: str, *, step: int, wall_time: float, value: float) -> bytes:
    """One framed event with one simple_value."""
    inner = _length_delimited(1, tag.encode()) + b"\x15" + struct.pack("<f", value)
    summary = _length_delimited(1, inner)
    head = b"\x09" + struct.pack("<d", wall_time) + b"\x10" + _encoded(step)
    return framed(head + _length_delimited(5, summary))


def file_version_record(*, wall_time: float) -> bytes:
    return framed(b"\x09" + struct.pack("<d", wall_time) + _length_delimited(3, b"brain.Event:2"))


def framed(payload: bytes) -> bytes:
    header = struct.pack("<Q", len(payload))
    return header + _masked_crc(header) + payload + _masked_crc(payload)


def _points_of_event(event: bytes) -> Iterator[Point]:
    wall_time, step, summary = 0.0, 0, b""
    for field, value in fields_of(event):
        if field == 1 and isinstance(value, bytes):
            (wall_time,) = struct.unpack("<d", value)
        elif field == 2 and isinstance(value, int):
            step = value - (1 << 64) if value >> 63 else value
        elif field == 5 and isinstance(value, bytes):
            summary = value
    for _, item in fields_of(summary):
        tag, scalar, field_of_data, data = "", float("nan"), 0, b""
        for field, value in fields_of(item if isinstance(item, bytes) else b""):
            if not isinstance(value, bytes):
                continue
            if field == 1:
                tag = value.decode()
            elif field == FIELD_SIMPLE_VALUE:
                (scalar,) = struct.unpack("<f", value)
                field_of_data = field
            elif field in (FIELD_IMAGE, FIELD_HISTOGRAM):
                field_of_data, data = field, value
        yield Point(tag, step, wall_time, scalar, field_of_data, data)


def _varint(data: bytes, position: int) -> tuple[int, int]:
    result = shift = 0
    while True:
        byte = data[position]
        position += 1
        result |= (byte & 0x7F) << shift
        if byte < 0x80:
            return result, position
        shift += 7


def _encoded(number: int) -> bytes:
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def _length_delimited(field: int, payload: bytes) -> bytes:
    return _encoded(field << 3 | WIRE_BYTES) + _encoded(len(payload)) + payload


def _crc_table() -> list[int]:
    table = []
    for byte in range(256):
        crc = byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
        table.append(crc)
    return table


_TABLE = _crc_table()


def _masked_crc(data: bytes) -> bytes:
    crc = 0xFFFFFFFF
    for byte in data:
        crc = _TABLE[(crc ^ byte) & 0xFF] ^ crc >> 8
    crc ^= 0xFFFFFFFF
    return struct.pack("<I", ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF)
