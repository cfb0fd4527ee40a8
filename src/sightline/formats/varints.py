"""Numbers of the protobuf wire: base-128 varints, one at a time and in bulk.

A varint holds seven bits per byte, lowest first; the top bit says that more follow. At most ten bytes make
64 bits. The bulk reader works on whole packed fields with NumPy, because tensors of a million integers do
exist in event files and a Python loop over them takes most of a second.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from sightline.model.byte_source import ByteSource
from sightline.model.errors import DamagedValueError

MASK_64 = (1 << 64) - 1
_LONGEST = 10
# Below this many bytes a loop beats the fixed cost of the NumPy calls.
_BULK_FROM_BYTES = 64
PIECE_BYTES = 256 << 10
"""Of packed numbers that are unpacked together."""


def read_varint(data: ByteSource, pos: int, end: int) -> tuple[int, int]:
    """The unsigned number at ``pos`` and the position behind it. ``end`` must not lie behind the data."""
    value = shift = 0
    while pos < end:
        byte = data[pos]
        pos += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value & MASK_64, pos
        shift += 7
        if shift >= 7 * _LONGEST:
            raise DamagedValueError(f"a number before byte {pos} is longer than {_LONGEST} bytes")
    raise DamagedValueError(f"the data ends inside a number at byte {pos}")


def append_varint(out: bytearray, value: int) -> None:
    """Write an unsigned number below 2^64."""
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)


def unpacked_pieces(data: ByteSource, pos: int, end: int) -> Iterator[NDArray[np.uint64]]:
    """All numbers between two positions, some at a time: NumPy takes thirty bytes for each of theirs."""
    while pos < end:
        stop = min(end, pos + PIECE_BYTES)
        if stop < end:
            stop = _behind_a_number(data, stop)
        yield unpack_varints(data, pos, stop)
        pos = stop


def _behind_a_number(data: ByteSource, pos: int) -> int:
    """The last position at or before this one where a number may begin."""
    for before in range(pos, pos - _LONGEST, -1):
        if data[before - 1] < 0x80:
            return before
    raise DamagedValueError(f"a number before byte {pos} is longer than {_LONGEST} bytes")


def unpack_varints(data: ByteSource, pos: int, end: int) -> NDArray[np.uint64]:
    """All numbers between two positions; the last must end exactly at ``end``."""
    if end - pos < _BULK_FROM_BYTES:
        values = []
        while pos < end:
            value, pos = read_varint(data, pos, end)
            values.append(value)
        return np.array(values, dtype=np.uint64)
    raw = np.frombuffer(data[pos:end], dtype=np.uint8)
    last_bytes = np.flatnonzero(raw < 0x80)
    if last_bytes.size == 0 or last_bytes[-1] != raw.size - 1:
        raise DamagedValueError(f"the data ends inside a number at byte {end}")
    first_bytes = np.concatenate(([0], last_bytes[:-1] + 1))
    sizes = last_bytes - first_bytes + 1
    longest = int(sizes.max())
    if longest > _LONGEST:
        raise DamagedValueError(f"a number between bytes {pos} and {end} is longer than {_LONGEST} bytes")
    numbers = (raw[first_bytes] & 0x7F).astype(np.uint64)
    for k in range(1, longest):
        reaches = np.flatnonzero(sizes > k)
        bits = (raw[first_bytes[reaches] + k] & 0x7F).astype(np.uint64)
        numbers[reaches] |= bits << np.uint64(7 * k)
    return numbers
