"""The scalar types of the protobuf wire: how each one is read, written, and kept when repeated.

``wire`` builds messages from these; nothing else needs them except to name a type in a declaration.
Repeated numbers are kept as ``array.array``: as compact as in the file, a true sequence of Python numbers,
and NumPy sees them without a copy. Bytes go into them as they lie in the file: like the compiled core, this
assumes a little-endian machine.
"""

from __future__ import annotations

import operator
import struct
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from mmap import mmap
from typing import Any, Protocol

import numpy as np

from sightline.formats.texts import text_from_bytes
from sightline.formats.varints import MASK_64, append_varint, unpacked_pieces
from sightline.model.byte_source import ByteSource
from sightline.model.errors import BadArgumentError, DamagedValueError

# Wire types: how many bytes follow a tag.
VARINT, FIXED_64, LENGTH, START_GROUP, END_GROUP, FIXED_32 = range(6)


class Parted(ByteSource, Protocol):
    """Bytes that are not in memory; neither are those of a field that is cut out of them."""

    def part(self, start: int, stop: int) -> ByteSource: ...


Encoded = bytes | mmap | Parted
"""What messages are decoded from. Of a mapped file a field's bytes are copied."""


@dataclass(frozen=True, eq=False)
class ScalarType:
    """One protobuf type. ``typecode`` is that of ``array.array`` for repeated fields; empty means a list."""

    name: str
    wire_type: int
    default: object
    typecode: str = ""
    # Varint types only: the value of the 64 bits on the wire, and the numbers that may be written.
    from_bits: Callable[[int], Any] = int
    lowest: int = 0
    highest: int = 0

    @property
    def is_packable(self) -> bool:
        return self.wire_type != LENGTH


def _int64_from_bits(bits: int) -> int:
    return bits - (1 << 64) if bits >> 63 else bits


def _int32_from_bits(bits: int) -> int:
    bits &= 0xFFFFFFFF
    return bits - (1 << 32) if bits >> 31 else bits


def _uint32_from_bits(bits: int) -> int:
    return bits & 0xFFFFFFFF


DOUBLE = ScalarType("double", FIXED_64, 0.0, "d")
FLOAT = ScalarType("float", FIXED_32, 0.0, "f")
INT32 = ScalarType("int32", VARINT, 0, "i", _int32_from_bits, -(1 << 31), (1 << 31) - 1)
INT64 = ScalarType("int64", VARINT, 0, "q", _int64_from_bits, -(1 << 63), (1 << 63) - 1)
UINT32 = ScalarType("uint32", VARINT, 0, "I", _uint32_from_bits, 0, (1 << 32) - 1)
UINT64 = ScalarType("uint64", VARINT, 0, "Q", int, 0, MASK_64)
ENUM = ScalarType("enum", VARINT, 0, "i", _int32_from_bits, -(1 << 31), (1 << 31) - 1)
BOOL = ScalarType("bool", VARINT, False, "", bool, 0, 1)
STRING = ScalarType("string", LENGTH, "")
BYTES = ScalarType("bytes", LENGTH, b"")

_STRUCTS = {"d": struct.Struct("<d"), "f": struct.Struct("<f")}


def value_from_span(kind: ScalarType, data: Encoded, start: int, stop: int) -> str | ByteSource:
    """The string or bytes between two positions. Bytes of what is read piece by piece stay there."""
    if kind is STRING:
        return text_from_bytes(data[start:stop])
    return data[start:stop] if isinstance(data, bytes | mmap) else data.part(start, stop)


def value_from_fixed(kind: ScalarType, data: Encoded, pos: int) -> float:
    """The double or float at a position that has enough bytes behind it."""
    layout = _STRUCTS[kind.typecode]
    value: float = layout.unpack(data[pos : pos + layout.size])[0]
    return value


def extend_from_packed(kind: ScalarType, column: Any, data: Encoded, start: int, stop: int) -> None:
    """Append all numbers of a packed field to ``column``, an array of the type's code or a list of bools."""
    if kind.wire_type == VARINT:
        for numbers in unpacked_pieces(data, start, stop):
            if kind is BOOL:
                column.extend((numbers != 0).tolist())
            elif column.itemsize == 4:  # the low half of the 64 bits, signed or not
                column.frombytes(numbers.astype("<u4").tobytes())
            else:
                column.frombytes(numbers.tobytes())
    elif (stop - start) % column.itemsize:
        raise DamagedValueError(f"{stop - start} bytes at byte {start} are no whole number of {kind.name}s")
    else:
        column.frombytes(data[start:stop])


def new_column(kind: ScalarType) -> Any:
    """An empty container for a repeated field."""
    return array(kind.typecode) if kind.typecode else []


def append_scalar(kind: ScalarType, out: bytearray, value: Any, name: str) -> None:
    """Write one value, without its tag. ``name`` is for the message when the value does not fit."""
    if kind.wire_type == VARINT:
        append_varint(out, _bits_from_number(kind, value, name))
    elif kind.wire_type == LENGTH:
        chunk = value.encode("utf-8", "backslashreplace") if kind is STRING else bytes(value)
        append_varint(out, len(chunk))
        out += chunk
    else:
        out += _fixed_from_number(kind, value)


def packed_bytes(kind: ScalarType, values: Sequence[Any], name: str) -> bytes:
    """The content of a packed field."""
    if kind.wire_type == VARINT:
        out = bytearray()
        for value in values:
            append_varint(out, _bits_from_number(kind, value, name))
        return bytes(out)
    with np.errstate(over="ignore"):  # a double beyond float32 becomes infinite, as everywhere else
        return np.asarray(values, dtype="<f8" if kind is DOUBLE else "<f4").tobytes()


def _bits_from_number(kind: ScalarType, value: Any, name: str) -> int:
    number = operator.index(bool(value) if kind is BOOL else value)
    if not kind.lowest <= number <= kind.highest:
        raise BadArgumentError(f"{name} = {number} does not fit in {kind.name}")
    return number & MASK_64


def _fixed_from_number(kind: ScalarType, value: Any) -> bytes:
    layout = _STRUCTS[kind.typecode]
    try:
        return layout.pack(value)
    except OverflowError:  # beyond the largest float32
        return layout.pack(float("inf") if value > 0 else float("-inf"))
