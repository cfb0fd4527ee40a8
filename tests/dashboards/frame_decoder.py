"""Reads a frame as docs/http-api.md describes it, without any code of the encoder: plain struct and loops."""

from __future__ import annotations

import json
import struct
from typing import Any

_FORMATS = {"f64": "d", "f32": "f", "u32": "I"}


def decode_frame(data: bytes) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The header, and for each series its header with the columns as lists of numbers."""
    return _decode(data, "series", ("step", "wall", "value", "smoothed", "x"))


def decode_group_frame(data: bytes) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The same of a frame about groups."""
    return _decode(data, "groups", ("x", "center", "low", "high", "members"))


def _decode(data: bytes, parts: str, names: tuple[str, ...]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    assert data[:4] == b"SLF1"
    (length,) = struct.unpack_from("<I", data, 4)
    assert (8 + length) % 8 == 0
    header = json.loads(data[8 : 8 + length])
    body = data[8 + length :]
    decoded = []
    for one in header[parts]:
        columns = {
            name: None if one[name] is None else _numbers(body, one[name], one["count"]) for name in names
        }
        decoded.append({**one, **columns})
    return header, decoded


def _numbers(body: bytes, column: dict[str, Any], count: int) -> list[float]:
    base, scale = column["base"], column["scale"]
    if column["type"] == "range":
        return [base + scale * i for i in range(count)]
    assert column["offset"] % 8 == 0
    elements = struct.unpack_from(f"<{count}{_FORMATS[column['type']]}", body, column["offset"])
    if base == 0 and scale == 1:
        return list(map(float, elements))
    return [base + scale * element for element in elements]
