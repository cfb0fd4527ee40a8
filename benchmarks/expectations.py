"""What a few runs of a directory must contain, worked out once by the slow decoder and kept beside the data.

A checksum is exact and depends on the order: the 64-bit patterns of a column, each times its position,
summed modulo 2**64. One lost, doubled, swapped or rounded point changes it. For media the first and the
last item are also compared: the encoded image, or the sum of a histogram's buckets.
"""

from __future__ import annotations

import json
import struct
import sys
import zlib
from array import array
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.logdirs import LogDirectory
from benchmarks.records import FIELD_HISTOGRAM, FIELD_IMAGE, fields_of, points_of_file

# First and last run: enough to see a wrong decode, few enough for a decoder in Python.
CHECKED_RUNS = 2
IMAGE_BYTES_FIELD, HISTOGRAM_BUCKETS_FIELD = 4, 7

# run -> tag -> name of the fact -> value
Expectations = dict[str, dict[str, dict[str, int | float]]]


def column_checksum(column: NDArray[Any]) -> int:
    bits = np.ascontiguousarray(column).view(np.uint64)
    weights = np.arange(1, len(bits) + 1, dtype=np.uint64)
    return int((bits * weights).sum(dtype=np.uint64))


def expected_of(directory: LogDirectory) -> Expectations:
    """Read from the file beside the directory when that is newer than the data, else computed."""
    files = directory.event_files()
    checked = sorted({files[0], files[-1]})[:CHECKED_RUNS]
    kept = directory.path.with_name(directory.path.name + ".expected.json")
    if kept.is_file() and kept.stat().st_mtime > max(file.stat().st_mtime for file in checked):
        loaded: Expectations = json.loads(kept.read_text())
        return loaded
    print(f"decoding parts of {directory.name} with the slow decoder, once …", file=sys.stderr)
    expected = {
        file.parent.relative_to(directory.path).as_posix(): _expected_of_file(file) for file in checked
    }
    kept.write_text(json.dumps(expected))
    return expected


def facts_of_item(*, field: int, data: bytes) -> int | float:
    """One number that stands for an image's or histogram's content."""
    if field == FIELD_IMAGE:
        return zlib.crc32(_bytes_field(data, IMAGE_BYTES_FIELD))
    if field == FIELD_HISTOGRAM:
        packed = _bytes_field(data, HISTOGRAM_BUCKETS_FIELD)
        return float(sum(struct.unpack(f"<{len(packed) // 8}d", packed)))
    raise ValueError(f"no media in field {field}")


def differences(expected: Expectations, found: Expectations) -> list[str]:
    """One line for each fact that is not as expected."""
    return [
        f"{run} {tag} {name}: expected {value}, found {got}"
        for run, tags in expected.items()
        for tag, facts in tags.items()
        for name, value in facts.items()
        if (got := found.get(run, {}).get(tag, {}).get(name)) != value
    ]


def _bytes_field(message: bytes, number: int) -> bytes:
    return next(value for field, value in fields_of(message) if field == number and isinstance(value, bytes))


def _expected_of_file(path: Path) -> dict[str, dict[str, int | float]]:
    steps: dict[str, array[int]] = {}
    wall_times: dict[str, array[float]] = {}
    values: dict[str, array[float]] = {}
    media: dict[str, dict[str, int | float]] = {}
    for point in points_of_file(path):
        steps.setdefault(point.tag, array("q")).append(point.step)
        wall_times.setdefault(point.tag, array("d")).append(point.wall_time)
        values.setdefault(point.tag, array("d")).append(point.value)
        if point.data:
            number = facts_of_item(field=point.field, data=point.data)
            media.setdefault(point.tag, {"first_item": number})["last_item"] = number
    expected: dict[str, dict[str, int | float]] = {}
    for tag, column in steps.items():
        expected[tag] = {
            "count": len(column),
            "step": column_checksum(np.asarray(column)),
            "wall_time": column_checksum(np.asarray(wall_times[tag])),
        }
        expected[tag] |= media.get(tag) or {"value": column_checksum(np.asarray(values[tag]))}
    return expected
