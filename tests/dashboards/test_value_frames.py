"""Frames of media, histograms and curves: what goes in comes out of an independent decoder.

``fixtures/value_frames.json`` has frames of today's encoder and what is in them, for the page's decoder.
Write it again with ``python -m tests.dashboards.test_value_frames`` when the frames change on purpose.
"""

from __future__ import annotations

import base64
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from sightline.dashboards.histograms.series import encode_histogram_frame
from sightline.dashboards.media.frames import encode_media_frame, encode_steps_frame
from sightline.dashboards.pr_curves.series import encode_pr_curve_frame
from sightline.query.histograms import HistogramSeries
from sightline.query.pr_curves import PrCurveSeries
from sightline.wire.value_frames import ValuePart
from tests.dashboards.frame_decoder import (
    decode_histogram_frame,
    decode_media_frame,
    decode_pr_curve_frame,
    decode_steps_frame,
)

SHARED = Path(__file__).resolve().parent.parent / "fixtures" / "value_frames.json"
ROWS = ("true_positives", "false_positives", "true_negatives", "false_negatives", "precision", "recall")
GOOD, DAMAGED, GONE = range(3)


def floats(numbers: Any) -> NDArray[np.float64]:
    return np.array(numbers, np.float64)


def facts(sizes: list[int], state: list[int] | None, superseded_count: int) -> dict[str, Any]:
    return {
        "step": np.arange(len(sizes), dtype=np.int64) ** 2,
        "wall_time": 1e9 + np.arange(len(sizes)) / 4,
        "superseded_count": superseded_count,
        "size": np.array(sizes, np.uint32),
        "state": np.array([GOOD] * len(sizes) if state is None else state, np.uint8),
        "number_count": 0,
    }


def histograms(
    *values: list[tuple[float, float, float]], state: list[int] | None = None, superseded_count: int = 0
) -> HistogramSeries:
    """Each value is a list of (left, right, count)."""
    left, right, counts = floats([bucket for value in values for bucket in value]).reshape(-1, 3).T.copy()
    common = facts([len(value) for value in values], state, superseded_count)
    return HistogramSeries(**common, left=left, right=right, counts=counts)


def curves(*values: NDArray[np.float64], superseded_count: int = 0) -> PrCurveSeries:
    """Each value has six rows."""
    rows = np.concatenate([np.empty((6, 0)), *values], axis=1)
    common = facts([value.shape[1] for value in values], None, superseded_count)
    return PrCurveSeries(**common, **dict(zip(ROWS, rows, strict=True)))


def histogram_frame(*series: HistogramSeries) -> bytes:
    parts = [ValuePart(position, position + 10, one) for position, one in enumerate(series)]
    return encode_histogram_frame(parts, server_id="me", revision=7)


def curve_frame(*series: PrCurveSeries) -> bytes:
    parts = [ValuePart(position, position + 10, one) for position, one in enumerate(series)]
    return encode_pr_curve_frame(parts, server_id="me", revision=7)


CONTIGUOUS = histograms(
    [(-1.5, 0, 3), (0, 0.1, 7)], [], [(2, 2, 1)], [], state=[GOOD, DAMAGED, GOOD, GONE], superseded_count=2
)
WITH_GAPS = histograms([(0, 1, 5), (2, 3, 1)], [(-0.0, 1e300, math.nan)])
CURVES = curves(np.arange(12.0).reshape(6, 2) / 7, np.full((6, 1), 0.5), np.empty((6, 0)), superseded_count=1)
STEPS = np.array([-5, 0, 3, 2**40, 2**62], np.int64)


def same_series(one: dict[str, Any], wanted: Any, names: tuple[str, ...]) -> None:
    assert one["count"] == len(wanted.step)
    assert one["superseded_count"] == wanted.superseded_count
    for name in ("step", "state", "size", *names):
        np.testing.assert_equal(np.array(one[name]), getattr(wanted, name).astype(np.float64), err_msg=name)
    np.testing.assert_allclose(one["wall"], wanted.wall_time, atol=1e-6)


def test_histograms_come_through_with_one_edge_a_bucket_where_that_is_enough() -> None:
    header, series = decode_histogram_frame(histogram_frame(CONTIGUOUS, WITH_GAPS))
    assert (header["server_id"], header["revision"]) == ("me", 7)
    assert [(one["query"], one["run"]) for one in series] == [(0, 10), (1, 11)]
    assert [one["is_contiguous"] for one in series] == [True, False]
    for one, wanted in zip(series, (CONTIGUOUS, WITH_GAPS), strict=True):
        same_series(one, wanted, ("left", "right", "counts"))


def test_a_minus_zero_between_two_buckets_is_kept() -> None:
    odd = histograms([(-1, 0.0, 1), (-0.0, 1, 1)])
    _, (one,) = decode_histogram_frame(histogram_frame(odd))
    assert np.signbit(one["left"]).tolist() == [True, True]


def test_curves_come_through() -> None:
    header, (one, none) = decode_pr_curve_frame(curve_frame(CURVES, curves()))
    assert (header["server_id"], header["revision"], one["run"]) == ("me", 7, 10)
    same_series(one, CURVES, ROWS)
    assert (none["count"], none["size_sum"], none["recall"]) == (0, 0, [])


def test_steps_and_times_of_media_come_through() -> None:
    parts = [ValuePart(2, 5, CONTIGUOUS), ValuePart(3, 6, WITH_GAPS), ValuePart(4, 7, histograms())]
    header, series = decode_media_frame(encode_media_frame(parts, [3, 0, 1], server_id="me", revision=7))
    assert (header["server_id"], header["revision"]) == ("me", 7)
    assert [(one["query"], one["run"], one["samples"], one["superseded_count"]) for one in series] == [
        (2, 5, 3, 2),
        (3, 6, 0, 0),
        (4, 7, 1, 0),
    ]
    assert [one["step"] for one in series] == [[0, 1, 4, 9], [0, 1], []]
    np.testing.assert_allclose(series[0]["wall"], CONTIGUOUS.wall_time, atol=1e-6)


def test_joined_steps_are_exact_where_doubles_are() -> None:
    assert decode_steps_frame(encode_steps_frame(STEPS, server_id="me", revision=7)) == STEPS.tolist()
    assert decode_steps_frame(encode_steps_frame(STEPS[:0], server_id="me", revision=7)) == []


buckets = st.lists(st.tuples(st.floats(), st.floats(), st.floats()), max_size=4)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.lists(buckets, max_size=4), max_size=3))
def test_any_histograms_come_through(drawn: list[list[list[tuple[float, float, float]]]]) -> None:
    wanted = [histograms(*values) for values in drawn]
    _, series = decode_histogram_frame(histogram_frame(*wanted))
    for one, given_series in zip(series, wanted, strict=True):
        same_series(one, given_series, ("left", "right", "counts"))


# ── what the page's decoder is tested with ───────────────────────────────────────────────────────────────


def shared_frames() -> dict[str, Any]:
    media = [ValuePart(2, 5, CONTIGUOUS), ValuePart(3, 6, WITH_GAPS)]
    frames = {
        "media": encode_media_frame(media, [3, 0], server_id="me", revision=7),
        "steps": encode_steps_frame(STEPS, server_id="me", revision=7),
        "histograms": histogram_frame(CONTIGUOUS, WITH_GAPS),
        "pr_curves": curve_frame(CURVES),
    }
    series = {
        "media": [words(CONTIGUOUS), words(WITH_GAPS)],
        "steps": STEPS.astype(float).tolist(),
        "histograms": [words(one, "left", "right", "counts") for one in (CONTIGUOUS, WITH_GAPS)],
        "pr_curves": [words(CURVES, *ROWS)],
    }
    encoded = {name: base64.b64encode(frame).decode() for name, frame in frames.items()}
    return {"frames": encoded, "series": series}


def words(series: Any, *names: str) -> dict[str, Any]:
    columns = {name: getattr(series, name) for name in ("step", "wall_time", "size", "state", *names)}
    # JSON has no NaN.
    return {
        name: ["NaN" if math.isnan(number) else number for number in column.tolist()]
        for name, column in columns.items()
    }


def test_the_frames_that_the_page_is_tested_with_are_todays() -> None:
    assert json.loads(SHARED.read_text("utf-8")) == shared_frames()


if __name__ == "__main__":
    SHARED.write_text(json.dumps(shared_frames(), indent=1) + "\n", "utf-8")
