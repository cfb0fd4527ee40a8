"""Bytes of small event files, a clock that only moves when it is told to, a scripted store."""

from __future__ import annotations

import struct
from collections.abc import Iterator

import fsspec
import pytest

from sightline import _core
from tests.readers.scripted_store import MakeRecords, Scripted, World


def scalar_record(step: int, *, tag: str = "loss", wall_time: float | None = None) -> bytes:
    """One framed event with ``tag`` = step / 2, at wall time 1000 + step."""
    value = b"\x0a" + bytes([len(tag)]) + tag.encode() + b"\x15" + struct.pack("<f", step / 2)
    summary = b"\x0a" + bytes([len(value)]) + value
    wall = 1000.0 + step if wall_time is None else wall_time
    event = (
        b"\x09"
        + struct.pack("<d", wall)
        + b"\x10"
        + _varint(step)
        + b"\x2a"
        + bytes([len(summary)])
        + summary
    )
    length = struct.pack("<Q", len(event))
    crcs = [struct.pack("<I", _core.masked_crc32c(data)) for data in (length, event)]
    return length + crcs[0] + event + crcs[1]


def _varint(number: int) -> bytes:
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes([*out, number])


@pytest.fixture
def records() -> MakeRecords:
    """A function from steps to the bytes of an event file with one scalar "loss" = step / 2."""
    return lambda steps: b"".join(scalar_record(step) for step in steps)


class Clock:
    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def world(clock: Clock) -> Iterator[World]:
    fsspec.register_implementation("scripted", Scripted, clobber=True)
    Scripted.reset()
    world = World(clock)
    yield world
    for reader in world.readers:
        reader.close()
    Scripted.clear_instance_cache()
