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


def decode_media_frame(data: bytes) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The same of a frame about steps of media."""
    return _decode(data, "series", ("step", "wall"))


def decode_steps_frame(data: bytes) -> list[float]:
    header, body = _opened(data)
    return _numbers(body, header["steps"], header["count"])


def decode_histogram_frame(data: bytes) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The same of a frame about histograms, with all left edges."""
    header, series = _decode(data, "series", ("step", "wall", "state", "size"))
    _, body = _opened(data)
    for one in series:
        right, counts = (_numbers(body, one[name], one["size_sum"]) for name in ("right", "counts"))
        left = _numbers(body, one["left"], one["count"] if one["is_contiguous"] else one["size_sum"])
        if one["is_contiguous"]:
            firsts, left, begin = left, [], 0
            for first, size in zip(firsts, map(int, one["size"]), strict=True):
                left += [first, *right[begin : begin + size - 1]] if size else []
                begin += size
        one |= {"left": left, "right": right, "counts": counts}
    return header, series


def decode_pr_curve_frame(data: bytes) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    header, series = _decode(data, "series", ("step", "wall", "state", "size"))
    _, body = _opened(data)
    rows = ("true_positives", "false_positives", "true_negatives", "false_negatives", "precision", "recall")
    for one in series:
        one |= {name: _numbers(body, one[name], one["size_sum"]) for name in rows}
    return header, series


def decode_pr_curve_statistics(data: bytes) -> list[dict[str, Any]]:
    names = ("average_precision", "pr_area", "roc_area", "best_f1", "best_threshold")
    return _decode(data, "series", ("step", "wall", "state", "positives", "negatives", *names))[1]


def _decode(data: bytes, parts: str, names: tuple[str, ...]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    header, body = _opened(data)
    decoded = []
    for one in header[parts]:
        columns = {
            name: None if one[name] is None else _numbers(body, one[name], one["count"]) for name in names
        }
        decoded.append({**one, **columns})
    return header, decoded


def _opened(data: bytes) -> tuple[dict[str, Any], bytes]:
    assert data[:4] == b"SLF1"
    (length,) = struct.unpack_from("<I", data, 4)
    assert (8 + length) % 8 == 0
    return json.loads(data[8 : 8 + length]), data[8 + length :]


def _numbers(body: bytes, column: dict[str, Any], count: int) -> list[float]:
    base, scale = column["base"], column["scale"]
    if column["type"] == "range":
        return [base + scale * i for i in range(count)]
    assert column["offset"] % 8 == 0
    elements = struct.unpack_from(f"<{count}{_FORMATS[column['type']]}", body, column["offset"])
    if base == 0 and scale == 1:
        return list(map(float, elements))
    return [base + scale * element for element in elements]
