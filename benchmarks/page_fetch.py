"""Asking both servers for the same data: time, bytes, and what became of a one-step spike.

Everything goes over HTTP on the loopback interface, as the servers' own pages ask: TensorBoard's one request
per tag for all runs, Sightline's one request for all tags. What came back is decoded and counted, so that an
answer with less in it cannot count.
"""

from __future__ import annotations

import gzip
import json
import struct
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.page_servers import Server

_TIMESERIES = "/data/plugin/timeseries/timeSeries"
_CHART_WIDTH_PX = 512
_DTYPES = {"f64": "<f8", "f32": "<f4", "u32": "<u4"}


@dataclass(frozen=True)
class Fetch:
    """All tags of all runs, once."""

    duration_s: float
    cpu_s: float
    """Of the server and its children."""
    bytes: int
    points: int


def fetch_from_tensorboard(server: Server, tags: list[str], *, is_gzipped: bool) -> Fetch:
    duration_s, size, points = 0.0, 0, 0
    headers = {"Accept-Encoding": "gzip"} if is_gzipped else {}
    before_s = server.cpu_s()
    answers = []
    for tag in tags:
        fields = {"requests": json.dumps([{"plugin": "scalars", "tag": tag}])}
        answers.append(server.post_form(_TIMESERIES, fields, headers=headers))
    cpu_s = server.cpu_s() - before_s
    for answer in answers:
        duration_s += answer.duration_s
        size += len(answer.body)
        text = gzip.decompress(answer.body) if answer.body[:2] == b"\x1f\x8b" else answer.body
        for one in json.loads(text):
            points += sum(map(len, one["runToSeries"].values()))
    return Fetch(duration_s, cpu_s, size, points)


def fetch_from_sightline(server: Server, tags: list[str], *, smoothing: dict[str, Any] | None) -> Fetch:
    runs = json.loads(server.get("/api/v1/runs").body)["id"]
    queries = [{"tag": tag, "runs": runs, "buckets": _CHART_WIDTH_PX, "smoothing": smoothing} for tag in tags]
    before_s = server.cpu_s()
    answer = server.post_json("/api/v1/scalars", {"queries": queries})
    cpu_s = server.cpu_s() - before_s
    points = sum(one["count"] for one in frame_header(answer.body)["series"])
    return Fetch(answer.duration_s, cpu_s, len(answer.body), points)


# ── the spike ────────────────────────────────────────────────────────────────────────────────────────────


def greatest_from_sightline(
    server: Server, tag: str, x_range: tuple[float, float] | None
) -> tuple[float, int]:
    """(the greatest value in the answer, points in the answer) of the first run, as a chart would ask."""
    query = {"tag": tag, "runs": [0], "buckets": _CHART_WIDTH_PX, "x_range": x_range}
    body = server.post_json("/api/v1/scalars", {"queries": [query]}).body
    (one,) = frame_header(body)["series"]
    values = column_of(body, one["value"], one["count"])
    return float(values.max()), int(one["count"])


def points_from_tensorboard(server: Server, tag: str) -> list[tuple[int, float]]:
    """(step, value) of everything that TensorBoard kept: it has nothing finer to show on any zoom."""
    fields = {"requests": json.dumps([{"plugin": "scalars", "tag": tag}])}
    (one,) = json.loads(server.post_form(_TIMESERIES, fields).body)
    (series,) = one["runToSeries"].values()
    return [(point["step"], point["value"]) for point in series]


# ── frames ───────────────────────────────────────────────────────────────────────────────────────────────


def frame_header(body: bytes) -> dict[str, Any]:
    magic, length = struct.unpack_from("<4sI", body)
    if magic != b"SLF1":
        raise ValueError(f"not a frame: {body[:16]!r}")
    header: dict[str, Any] = json.loads(body[8 : 8 + length])
    return header


def column_of(body: bytes, column: dict[str, Any], count: int) -> NDArray[np.float64]:
    base, scale = float(column["base"]), float(column["scale"])
    if column["type"] == "range":
        return base + scale * np.arange(count, dtype=np.float64)
    start = 8 + struct.unpack_from("<I", body, 4)[0] + int(column["offset"])
    elements = np.frombuffer(body, _DTYPES[column["type"]], count, start)
    return base + scale * elements.astype(np.float64)
