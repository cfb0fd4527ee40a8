"""Reduction to pixels by the core, against a slow and obvious one in NumPy."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from sightline import _core

Numbers = NDArray[np.float64]

NUMBERS = st.floats(-1e6, 1e6) | st.sampled_from([math.nan, math.inf, -math.inf])
POINTS = st.lists(st.tuples(st.integers(-50, 400), NUMBERS), max_size=400)
ENDS = st.floats(-80, 450) | st.integers(-50, 400).map(float)
SMOOTHINGS = st.sampled_from([("none", 0.0), ("ema", 0.8), ("mean", 9.0)])


def reduced(
    step: object, value: object, *, wall: object = None, x: str = "step", **options: Any
) -> _core.ReducedColumns:
    steps = np.asarray(step, dtype=np.int64)
    times = np.asarray(1e9 + np.arange(len(steps)) if wall is None else wall, dtype=np.float64)
    batch = _core.ScalarBatch(x)
    batch.add(steps, times, np.asarray(value, dtype=np.float64))
    return batch.reduce(**options)


def bucket_of(x: Numbers, low: float, high: float, buckets: int) -> NDArray[np.int64]:
    """-1 and ``buckets`` for what is outside."""
    inside = (x >= low) & (x <= high)
    place = np.zeros(len(x)) if high == low else (np.clip(x, low, high) - low) / (high - low) * buckets
    number = np.minimum(place.astype(np.int64), buckets - 1)
    return np.where(inside, number, np.where(x < low, -1, buckets))


def rows_to_keep(buckets: NDArray[np.int64], count: int, lines: list[Numbers]) -> list[int]:
    """Rows that every visit to a column must keep, where the walk visits no more than two per column."""
    kept: set[int] = set()
    begin = 0
    for end in range(1, len(buckets) + 1):
        if end < len(buckets) and buckets[end] == buckets[begin]:
            continue
        if 0 <= buckets[begin] < count:
            rows = np.arange(begin, end)
            kept |= {begin, end - 1}
            for line in lines:
                finite = rows[np.isfinite(line[rows])]
                if len(finite):
                    kept |= {int(finite[line[finite].argmin()]), int(finite[line[finite].argmax()])}
            for is_odd in (np.isnan(lines[0]), lines[0] == math.inf, lines[0] == -math.inf):
                odd = rows[is_odd[rows]]
                kept |= set(odd[:1].tolist())
        begin = end
    return sorted(kept)


@given(POINTS, ENDS, ENDS, st.integers(1, 20), SMOOTHINGS, st.booleans())
def test_every_column_keeps_what_it_must(
    points: list[tuple[int, float]],
    one_end: float,
    other_end: float,
    buckets: int,
    smoothing: tuple[str, float],
    is_sorted: bool,
) -> None:
    if is_sorted:
        points = sorted(points, key=lambda point: point[0])
    step = np.array([step for step, _ in points], dtype=np.int64)
    value = np.array([value for _, value in points], dtype=np.float64)
    wall = 1e9 + np.arange(len(step), dtype=np.float64)
    kind, amount = smoothing
    answer = reduced(
        step, value, x_range=(one_end, other_end), buckets=buckets, smoothing=kind, amount=amount
    )
    low, high = sorted((one_end, other_end))
    column = bucket_of(step.astype(float), low, high, buckets)
    inside = (column >= 0) & (column < buckets)
    rows = (answer["wall"] - 1e9).astype(int)  # points are numbered by their time

    assert answer["total"].tolist() == [len(points)]
    assert bool(answer["is_exact"][0]) == (inside.sum() <= 4 * buckets)
    np.testing.assert_array_equal(answer["step"], step[rows])
    np.testing.assert_array_equal(answer["value"], value[rows])
    lines = [value]
    if kind != "none":
        lines.append(_core.smooth(kind, amount, value, wall))
        np.testing.assert_array_equal(answer["smoothed"], lines[1][rows])
    else:
        assert answer["smoothed"] is None

    # One that leaves a column for outside and comes back has visited it twice.
    visits = int((inside & (np.diff(column, prepend=-2) != 0)).sum())
    if answer["is_exact"][0]:
        assert set(np.flatnonzero(inside)) <= set(rows)
    elif is_sorted or visits <= buckets:
        wanted = rows_to_keep(column, buckets, lines)
        values_kept = set(rows.tolist())
        # Of equal values any may be kept: compare rows by what they are worth.
        for row in wanted:
            same = np.flatnonzero((column == column[row]) & (value == value[row]))
            assert row in values_kept or set(same.tolist()) & values_kept
    assert len(rows) <= (12 if answer["is_exact"][0] else 22) * buckets + 2

    finite = value[inside & np.isfinite(value)]
    if len(finite):
        assert (answer["y_low"][0], answer["y_high"][0]) == (finite.min(), finite.max())
    else:
        assert np.isnan([answer["y_low"][0], answer["y_high"][0]]).all()
    top = lines[-1][inside]
    top = top[np.isfinite(top)]
    if len(top):
        wanted_core = np.percentile(top, [5, 95])
        np.testing.assert_allclose([answer["core_low"][0], answer["core_high"][0]], wanted_core, rtol=1e-12)
    else:
        assert np.isnan(answer["core_low"][0])


@given(POINTS, ENDS, ENDS, st.integers(1, 20))
def test_neighbours_on_both_sides_are_there_and_nothing_else_from_outside(
    points: list[tuple[int, float]], one_end: float, other_end: float, buckets: int
) -> None:
    step = np.sort(np.array([step for step, _ in points], dtype=np.int64))
    answer = reduced(step, np.zeros(len(step)), x_range=(one_end, other_end), buckets=buckets)
    low, high = sorted((one_end, other_end))
    outside = answer["step"][(answer["step"] < low) | (answer["step"] > high)].tolist()
    assert outside == [*step[step < low][-1:].tolist(), *step[step > high][:1].tolist()]


@pytest.fixture(scope="module")
def spike() -> tuple[_core.ScalarBatch, int]:
    """Ten million points with one spike of one step."""
    count, at = 10_000_000, 7_654_321
    value = np.zeros(count)
    value[at] = 1.0
    batch = _core.ScalarBatch("step")
    batch.add(np.arange(count), np.arange(count, dtype=np.float64), value)
    return batch, at


def test_a_spike_of_one_step_in_ten_million_is_in_every_window_that_holds_it(
    spike: tuple[_core.ScalarBatch, int],
) -> None:
    batch, at = spike
    random = np.random.default_rng(3)
    for _ in range(30):
        width = 10 ** random.uniform(0, 7)
        low = at - random.random() * width
        answer = batch.reduce(x_range=(low, low + width), buckets=int(random.integers(1, 2000)))
        assert at in answer["step"]
        assert answer["y_high"][0] == 1.0
    assert at in batch.reduce(buckets=300, is_log_x=True)["step"]


def test_steps_are_exact_at_both_ends_of_int64() -> None:
    ends = np.iinfo(np.int64)
    step = [ends.min, ends.min + 1, -1, 0, 2**53 + 1, ends.max - 1, ends.max]
    answer = reduced(step, np.arange(7.0), buckets=100)
    assert answer["step"].tolist() == step
    assert reduced(step, np.arange(7.0), buckets=1)["step"][[0, -1]].tolist() == [ends.min, ends.max]


def test_times_as_far_apart_as_numbers_go_still_have_columns() -> None:
    wall = np.linspace(-1.0, 1.0, 1001) * 1.7e308
    answer = reduced(np.zeros(1001), np.arange(1001.0), wall=wall, x="wall", buckets=10)
    assert 20 <= len(answer["step"]) <= 40


def test_an_empty_batch_and_an_empty_series_have_empty_answers() -> None:
    assert _core.ScalarBatch("step").reduce(buckets=10)["offsets"].tolist() == [0]
    answer = reduced([], [], buckets=10, smoothing="ema", amount=0.5)
    assert (answer["total"].tolist(), answer["offsets"].tolist()) == ([0], [0, 0])
    assert np.isnan(answer["origin_wall"][0])


def test_equal_x_is_one_column() -> None:
    value = np.arange(1000.0)
    value[500] = -5
    answer = reduced(np.full(1000, 7), value, buckets=10)
    assert answer["value"].tolist() == [0, -5, 999]


def test_sweeps_over_the_same_steps_are_bounded_and_keep_every_extreme() -> None:
    step = np.tile(np.arange(1000), 200)
    value = np.sin(np.arange(200_000.0))
    value[123_456] = 50.0
    answer = reduced(step, value, buckets=100)
    assert len(answer["step"]) <= 900
    assert 50.0 in answer["value"]
    column = bucket_of(answer["step"].astype(float), 0, 999, 100)
    assert (np.diff(column) >= 0).all()


def test_columns_of_a_logarithmic_axis_are_equally_wide_in_the_logarithm() -> None:
    step = np.arange(100_000)
    answer = reduced(step, np.zeros(100_000), buckets=100, x_range=(1, 100_000), is_log_x=True)
    column = bucket_of(np.log10(np.maximum(step, 0.1)), 0.0, 5.0, 100)
    firsts = [int(np.flatnonzero(column == number)[0]) for number in np.unique(column) if number >= 0]
    assert set(firsts) <= set(answer["step"].tolist())


def test_the_core_of_very_many_points_is_that_of_an_even_sample() -> None:
    value = np.random.default_rng(4).normal(size=1_000_000)
    answer = reduced(np.arange(1_000_000), value, buckets=100)
    wanted = np.percentile(value, [5, 95])
    np.testing.assert_allclose([answer["core_low"][0], answer["core_high"][0]], wanted, atol=0.02)


def test_columns_of_different_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="same length"):
        _core.ScalarBatch("step").add(np.arange(3), np.arange(2.0), np.arange(3.0))


@pytest.mark.parametrize(
    "options",
    [{"buckets": 0}, {"buckets": 5, "x_range": (0.0, math.nan)}, {"buckets": 5, "smoothing": "magic"}],
)
def test_options_that_make_no_sense_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"column of pixels|two ends|no such smoothing"):
        reduced([1], [1], **options)


def test_a_series_with_an_x_of_its_own_is_reduced_on_that() -> None:
    x = np.linspace(0.0, 10.0, 1000) ** 3
    batch = _core.ScalarBatch("given")
    batch.add(np.arange(1000), np.full(1000, 5.0), np.sin(x), x=x)
    batch.add(np.arange(2), np.zeros(2), np.ones(2), 3.0, np.array([math.nan, 700.0]))
    answer = batch.reduce(x_range=(1.0, 8.0), buckets=1000)
    begin, end, behind = answer["offsets"].tolist()
    assert answer["x"] is not None
    inside = np.flatnonzero((x >= 1.0) & (x <= 8.0))
    assert answer["step"][begin:end].tolist() == list(range(inside[0] - 1, inside[-1] + 2))
    np.testing.assert_array_equal(answer["x"][begin:end], x[answer["step"][begin:end]])
    assert answer["x"][end:behind].tolist() == [700.0]


def test_only_the_given_axis_takes_an_x() -> None:
    column = np.zeros(3)
    with pytest.raises(ValueError, match="only there"):
        _core.ScalarBatch("step").add(np.arange(3), column, column, x=column)
    with pytest.raises(ValueError, match="only there"):
        _core.ScalarBatch("given").add(np.arange(3), column, column)
    with pytest.raises(ValueError, match="same length"):
        _core.ScalarBatch("given").add(np.arange(3), column, column, x=np.zeros(2))
    assert _core.ScalarBatch("wall").reduce(buckets=5)["x"] is None
