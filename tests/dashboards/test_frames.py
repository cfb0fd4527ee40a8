"""Frames: what goes in comes out of an independent decoder, in the smallest form that keeps it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from sightline.dashboards.scalars.frames import FramePart, GroupPart, encode_frame, encode_group_frame
from sightline.dashboards.scalars.schemas import QueryNote
from tests.dashboards.frame_decoder import decode_frame, decode_group_frame

INT64 = np.iinfo(np.int64)


def floats(numbers: Any = ()) -> NDArray[np.float64]:
    return np.array(numbers, np.float64)


@dataclass
class Points:
    """A window with nothing but points."""

    step: NDArray[np.int64]
    wall: NDArray[np.float64]
    value: NDArray[np.float64]
    smoothed: NDArray[np.float64] | None = None
    is_superseded: bool = False
    total: int = 0
    superseded_count: int = 0
    is_exact: bool = True
    first_wall_s: float = 0.0
    y_range: tuple[float, float] | None = None
    y_core: tuple[float, float] | None = field(default=None)
    x: NDArray[np.float64] | None = None


def points(
    *, step: Any = None, wall: Any = None, value: Any = None, smoothed: Any = None, **facts: Any
) -> Points:
    """Columns of equal length; those not given are counted up."""
    count = next(len(c) for c in (step, wall, value, smoothed) if c is not None)
    counted = range(count)
    return Points(
        np.array(counted if step is None else step, np.int64),
        floats(counted if wall is None else wall),
        floats(counted if value is None else value),
        None if smoothed is None else floats(smoothed),
        **facts,
    )


def frame(*windows: Points) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    parts = [FramePart(position, position + 100, window) for position, window in enumerate(windows)]
    return decode_frame(encode_frame(parts, server_id="me", revision=7))


def column(window: Points, name: str) -> dict[str, Any]:
    header, _ = frame(window)
    found: dict[str, Any] = header["series"][0][name]
    return found


def test_the_header_tells_facts_about_each_series() -> None:
    facts = {
        "is_superseded": True,
        "total": 9,
        "superseded_count": 4,
        "is_exact": False,
        "y_range": (1.0, 2.0),
        "y_core": (1.1, 1.9),
    }
    header, (first, second) = frame(points(step=[1]), points(step=[2], first_wall_s=5.0, **facts))
    assert (header["server_id"], header["revision"]) == ("me", 7)
    assert (first["query"], first["run"], second["query"], second["run"]) == (0, 100, 1, 101)
    assert (second["is_superseded"], second["total"], second["is_exact"]) == (True, 9, False)
    assert (first["superseded_count"], second["superseded_count"]) == (0, 4)
    assert (second["y_range"], second["y_core"], second["first_wall_s"]) == ([1.0, 2.0], [1.1, 1.9], 5.0)


def test_an_answer_without_series_is_a_header_alone() -> None:
    data = encode_frame([], server_id="me", revision=0)
    assert decode_frame(data)[0]["series"] == []
    assert len(data) % 8 == 0


def test_an_x_of_its_own_comes_through_and_the_others_have_none() -> None:
    x = floats([0.1, 0.1, 2e9, 2e9 + 1e-6])
    header, (_, second, third) = frame(
        points(step=[1, 2]), points(step=range(4), x=x), points(step=[], x=x[:0])
    )
    assert header["series"][0]["x"] is None
    assert second["x"] == x.tolist()
    assert third["x"] == []


def test_notes_are_in_the_header() -> None:
    notes = [
        QueryNote(0, None, is_error=True, text="No such tag"),
        QueryNote(1, 7, is_error=False, text="Odd"),
    ]
    header, _ = decode_frame(encode_frame([], server_id="me", revision=0, notes=notes))
    assert header["notes"] == [
        {"query": 0, "run": None, "is_error": True, "text": "No such tag"},
        {"query": 1, "run": 7, "is_error": False, "text": "Odd"},
    ]


def test_evenly_spaced_steps_take_no_bytes() -> None:
    chosen = column(points(step=range(5, 500, 5)), "step")
    assert chosen == {"type": "range", "offset": 0, "base": 5, "scale": 5}


def test_uneven_steps_take_four_bytes_above_the_least() -> None:
    chosen = column(points(step=[10**12, 10**12 + 1, 10**12 + 5]), "step")
    assert (chosen["type"], chosen["base"]) == ("u32", 10**12)


def test_steps_that_a_double_cannot_hold_travel_as_the_nearest_double() -> None:
    steps = [INT64.min, -(2**53) - 1, 0, 3, 2**53 + 1, INT64.max]
    _, (one,) = frame(points(step=steps))
    assert one["step"] == list(map(float, steps))


def test_steps_that_fall_are_kept_in_their_order() -> None:
    _, (one,) = frame(points(step=[7, 3, 9, 1]))
    assert one["step"] == [7, 3, 9, 1]


def test_values_that_were_floats_take_four_bytes() -> None:
    narrow = floats(np.array([0.1, math.pi, math.nan, math.inf, -0.0], np.float32))
    assert column(points(value=narrow), "value")["type"] == "f32"


@pytest.mark.parametrize("value", [0.1, 1e300, 1e-300, 2**24 + 1])
def test_values_that_no_float_holds_take_eight_bytes(value: float) -> None:
    assert column(points(value=[1.0, value]), "value")["type"] == "f64"


def test_one_wide_value_does_not_widen_other_series() -> None:
    header, _ = frame(points(value=[0.5, 0.25]), points(value=[0.5, 0.1]))
    assert [one["value"]["type"] for one in header["series"]] == ["f32", "f64"]


def test_constant_values_take_no_bytes_unless_they_are_minus_zero() -> None:
    assert column(points(value=[0.1, 0.1, 0.1]), "value")["type"] == "range"
    assert column(points(value=[0.0, 0.0]), "value")["type"] == "range"
    assert column(points(value=[-0.0, -0.0]), "value")["type"] == "f32"
    assert column(points(value=[math.nan, math.nan]), "value")["type"] == "f32"


def test_wall_times_of_an_hour_are_microseconds() -> None:
    wall = 1.7e9 + np.array([0, 1.000001, 2.5, 3600])
    _, (one,) = frame(points(wall=wall))
    assert column(points(wall=wall), "wall")["scale"] == 1e-6
    assert one["wall"] == pytest.approx(wall.tolist(), abs=1e-6, rel=0)


def test_wall_times_of_a_week_are_milliseconds() -> None:
    wall = 1.7e9 + np.array([0, 1.0011, 2.5, 7 * 86400])
    _, (one,) = frame(points(wall=wall))
    assert column(points(wall=wall), "wall")["scale"] == 1e-3
    assert one["wall"] == pytest.approx(wall.tolist(), abs=0.0006, rel=0)


@pytest.mark.parametrize("odd", [math.nan, math.inf, -math.inf, 1e300])
def test_odd_wall_times_are_kept_as_they_are(odd: float) -> None:
    _, (one,) = frame(points(wall=[1.0, odd, 2.0]))
    assert np.array_equal(one["wall"], [1.0, odd, 2.0], equal_nan=True)


def test_a_smoothed_line_is_as_fine_as_its_values() -> None:
    third = [1 / 3, 2 / 3]
    assert column(points(value=[0.25, 0.5], smoothed=third), "smoothed")["type"] == "f32"
    assert column(points(value=[0.1, 0.5], smoothed=third), "smoothed")["type"] == "f64"
    assert column(points(value=[0.25, 0.5], smoothed=[1e-300, 1.0]), "smoothed")["type"] == "f64"


def test_a_series_without_a_smoothed_line_says_so() -> None:
    header, _ = frame(points(value=[1.5], smoothed=[1.5]), points(value=[]), points(value=[2.5]))
    assert [one["smoothed"] is None for one in header["series"]] == [False, True, True]


any_float = st.floats(allow_nan=True, allow_infinity=True, width=64)
any_float32 = st.floats(allow_nan=True, allow_infinity=True, width=32)
any_step = st.one_of(st.integers(INT64.min, INT64.max), st.integers(-5, 5), st.integers(0, 2**33))


@st.composite
def windows(draw: st.DrawFn) -> Points:
    count = draw(st.one_of(st.integers(0, 4), st.integers(0, 12)))

    def column_of(element: st.SearchStrategy[Any]) -> list[Any]:
        return draw(st.lists(element, min_size=count, max_size=count))

    evenly = [draw(st.integers(-100, 100)) * i for i in range(count)] if draw(st.booleans()) else None
    return points(
        step=column_of(any_step) if evenly is None else evenly,
        wall=column_of(st.one_of(any_float, st.floats(1.7e9, 1.8e9))),
        value=column_of(draw(st.sampled_from([any_float, any_float32, st.just(0.1), st.just(-0.0)]))),
        smoothed=column_of(any_float) if draw(st.booleans()) else None,
    )


@settings(max_examples=60, deadline=None)
@given(st.lists(windows(), max_size=5))
def test_any_series_comes_back(given_windows: list[Points]) -> None:
    _, decoded = frame(*given_windows)
    for window, one in zip(given_windows, decoded, strict=True):
        assert one["count"] == len(window.step)
        assert one["step"] == window.step.astype(np.float64).tolist()
        assert _bits(one["value"]) == _bits(window.value)
        assert _is_near(floats(one["wall"]), window.wall)
        if window.smoothed is None:
            assert one["smoothed"] is None
        else:
            assert np.allclose(one["smoothed"], window.smoothed, rtol=1e-7, atol=0, equal_nan=True)


def _bits(numbers: Any) -> bytes:
    """Which of the many NaNs it was does not matter to anybody."""
    found = floats(numbers)
    return np.where(np.isnan(found), math.nan, found).tobytes()


def _is_near(found: NDArray[np.float64], wanted: NDArray[np.float64]) -> bool:
    """Up to the half millisecond that times are rounded to, and a double's own grain."""
    return bool(np.allclose(found, wanted, rtol=1e-15, atol=0.00051, equal_nan=True))


# ── groups ───────────────────────────────────────────────────────────────────────────────────────────────


@dataclass
class Line:
    x: NDArray[np.float64]
    center: NDArray[np.float64]
    low: NDArray[np.float64] | None
    high: NDArray[np.float64] | None
    members: NDArray[np.uint32]
    breaks: NDArray[np.uint32] = field(default_factory=lambda: np.empty(0, np.uint32))
    runs: int = 3
    is_exact: bool = True
    y_range: tuple[float, float] | None = None


def line(x: Any, center: Any, *, width: float | None = 1.0, members: Any = None, **facts: Any) -> Line:
    middle = floats(center)
    low, high = (None, None) if width is None else (middle - width, middle + width)
    counts = np.array([2] * len(middle) if members is None else members, np.uint32)
    return Line(floats(x), middle, low, high, counts, **facts)


def group_frame(*lines: Line) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    parts = [GroupPart(position, position + 10, one) for position, one in enumerate(lines)]
    notes = [QueryNote(0, None, is_error=False, text="Odd")]
    return decode_group_frame(encode_group_frame(parts, server_id="me", revision=7, notes=notes))


def test_groups_come_through() -> None:
    header, (first, second, third) = group_frame(
        line(
            [0, 5, 10],
            [1, math.nan, 3],
            members=[1, 2, 70_000],
            breaks=np.array([2], np.uint32),
            y_range=(0.0, 4.0),
        ),
        line([0.1, 0.2], [1e300, -1e300], width=None, is_exact=False),
        line([], [], members=[], runs=0),
    )
    assert (header["server_id"], header["revision"], header["notes"][0]["text"]) == ("me", 7, "Odd")
    assert (first["query"], first["group"], first["runs"], first["is_exact"]) == (0, 10, 3, True)
    assert first["x"] == [0, 5, 10]
    assert header["groups"][0]["x"]["type"] == "range"
    assert first["members"] == [1, 2, 70_000]
    assert first["breaks"] == [2]
    np.testing.assert_array_equal(first["high"], [2, math.nan, 4])
    assert second["x"] == [0.1, 0.2]
    assert second["center"] == [1e300, -1e300]
    assert (second["low"], second["high"], second["is_exact"]) == (None, None, False)
    assert (third["count"], third["x"], third["low"]) == (0, [], [])


def test_members_that_fall_evenly_come_through() -> None:
    _, (one, other) = group_frame(
        line([0, 1], [1, 2], members=[5, 1]), line([0, 1, 2], [1, 2, 3], members=[9, 6, 3])
    )
    assert (one["members"], other["members"]) == ([5, 1], [9, 6, 3])


def test_a_line_is_rounded_to_floats_only_where_nobody_can_tell() -> None:
    third = 1 / 3
    header, (wide, narrow) = group_frame(
        line([0, 1], [third, 7.0], y_range=(0.0, 8.0)),
        line([0, 1], [1e9 + third, 1e9], width=1e-3, y_range=(1e9, 1e9 + 1)),
    )
    assert [one["center"]["type"] for one in header["groups"]] == ["f32", "f64"]
    assert wide["center"] == pytest.approx([third, 7.0], rel=1e-7)
    assert narrow["center"] == [1e9 + third, 1e9]
