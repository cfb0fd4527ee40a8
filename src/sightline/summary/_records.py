"""Events put together from encoded parts, for the calls that happen at every step of a training.

Only number, step and time of a scalar change from call to call; the rest of its record is made once for each
tag.
"""

from __future__ import annotations

import math
import struct
from functools import lru_cache

from sightline.formats.messages import DataType, Summary, TensorProto, TensorShapeProto, Value
from sightline.formats.varints import MASK_64, append_varint
from sightline.summary._values import metadata_of

# More tags than any program has; one that makes a new tag at each step must not fill the memory.
_TAGS_REMEMBERED = 4096

_DOUBLE = struct.Struct("<d")
_FLOAT = struct.Struct("<f")
_WALL_TIME = b"\t"  # field numbers and wire types of Event
_STEP = b"\x10"
_SUMMARY = b"*"
_METADATA = b"J"  # of Value


def event_of(summary: bytes, step: int, wall_time: float) -> bytes:
    """An encoded event that holds an encoded summary."""
    out = bytearray(_WALL_TIME)
    out += _DOUBLE.pack(wall_time)
    if step:
        out += _STEP
        append_varint(out, step & MASK_64)
    out += _SUMMARY
    append_varint(out, len(summary))
    out += summary
    return bytes(out)


def scalar_event(tag: str, number: float, description: str | None, step: int, wall_time: float) -> bytes:
    before, after = _around_number(tag, description)
    return event_of(before + float32_bytes(number) + after, step, wall_time)


def float32_bytes(number: float) -> bytes:
    """The four bytes of a number; infinite beyond the range of 32 bits."""
    try:
        return _FLOAT.pack(number)
    except (OverflowError, struct.error):
        return _FLOAT.pack(math.inf if number > 0 else -math.inf)


@lru_cache(_TAGS_REMEMBERED)
def _around_number(tag: str, description: str | None) -> tuple[bytes, bytes]:
    """What stands before and after the four bytes of the number in the summary of a scalar."""
    tensor = TensorProto(dtype=int(DataType.FLOAT), tensor_shape=TensorShapeProto(), tensor_content=bytes(4))
    metadata = metadata_of("scalars", description)
    whole = Summary(value=[Value(tag=tag, tensor=tensor, metadata=metadata)]).encode()
    # Fields are in the order of their numbers: the content of the tensor stands right before the metadata.
    end = len(whole) - len(Value(metadata=metadata).encode())
    return whole[: end - 4], whole[end:]


def tensor_summary(tag: str, tensor: TensorProto, metadata: bytes) -> bytes:
    """The summary of one tensor, with metadata that somebody else encoded: nothing in it is lost."""
    value = bytearray(Value(tag=tag, tensor=tensor).encode())
    if metadata:
        value += _METADATA
        append_varint(value, len(metadata))
        value += metadata
    out = bytearray(b"\n")
    append_varint(out, len(value))
    return bytes(out + value)
