"""Reads back what a writer left behind, with nothing of Sightline: framing by hand, protobuf's own classes.

Every point must be there, in the order of the calls, with its tag, step and value, and every checksum must be
right. What was cut off by a kill may be missing at the end, and only there.
"""

from __future__ import annotations

import importlib
import json
import sqlite3
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.write_loop import TAGS, VALUES_PER_UNIT

HEADER_BYTES, FOOTER_BYTES = 12, 4
CRC_MASK = 0xA282EAD8

Point = tuple[str, int, float]


class WrongPointsError(Exception):
    """A writer did not write what it was given."""


@dataclass(frozen=True)
class Written:
    points: int
    point_bytes: int
    """Of the records that hold points; of the whole database where there are no records."""
    other_bytes: int
    """Everything else: the file's first record, the story of the run."""


def check(directory: Path, *, expected: int, may_be_cut: bool = False) -> Written:
    """What is in `directory`; raises WrongPointsError if it is not the points 0, 1, … up to `expected`."""
    databases = list(directory.glob("*.db"))
    if databases:
        size = sum(path.stat().st_size for path in directory.glob("*.db*"))
        count = _count_in_order(_points_of_database(databases[0]))
        written = Written(points=count, point_bytes=size, other_bytes=0)
    else:
        written = _check_events(directory, may_be_cut=may_be_cut)
    if written.points > expected or (written.points < expected and not may_be_cut):
        raise WrongPointsError(f"{written.points:,} of {expected:,} points are there")
    return written


def _check_events(directory: Path, *, may_be_cut: bool) -> Written:
    files = sorted(directory.glob("*tfevents*"))
    if len(files) != 1:
        raise WrongPointsError(f"{len(files)} event files instead of one")
    sizes = {"point": 0, "other": 0}

    def points() -> Iterator[Point]:
        for event, size in _events(files[0].read_bytes(), may_be_cut=may_be_cut):
            values = event.summary.value
            sizes["point" if values else "other"] += size
            for value in values:
                yield value.tag, event.step, value.simple_value

    count = _count_in_order(points())
    return Written(points=count, point_bytes=sizes["point"], other_bytes=sizes["other"])


def _events(content: bytes, *, may_be_cut: bool) -> Iterator[tuple[Any, int]]:
    """(event, bytes of its record) from front to back."""
    event_class = importlib.import_module("tensorboard.compat.proto.event_pb2").Event
    crc32c = importlib.import_module("google_crc32c").value
    position = 0
    while position < len(content):
        body = position + HEADER_BYTES
        length = int.from_bytes(content[position : position + 8], "little")
        end = body + length + FOOTER_BYTES
        if end > len(content):
            if may_be_cut:
                return
            raise WrongPointsError(f"the record at byte {position:,} is not finished")
        payload = content[body : body + length]
        found = content[position + 8 : body] + content[end - FOOTER_BYTES : end]
        right = [_masked(crc32c(part)) for part in (content[position : position + 8], payload)]
        if found != struct.pack("<2I", *right):
            raise WrongPointsError(f"a checksum of the record at byte {position:,} is wrong")
        yield event_class.FromString(payload), end - position
        position = end


def _masked(crc: int) -> int:
    return ((crc >> 15 | crc << 17) + CRC_MASK) & 0xFFFFFFFF


def _points_of_database(path: Path) -> Iterator[Point]:
    connection = sqlite3.connect(path)
    try:
        for step, text in connection.execute("SELECT step, metrics FROM metrics ORDER BY id"):
            for tag, value in json.loads(text).items():
                yield tag, step, value
    finally:
        connection.close()


def _count_in_order(points: Iterator[Point]) -> int:
    count, width = 0, len(TAGS)
    for point in points:
        if point != (TAGS[count % width], count // width, count / VALUES_PER_UNIT):
            raise WrongPointsError(f"point {count:,} is {point}")
        count += 1
    return count
