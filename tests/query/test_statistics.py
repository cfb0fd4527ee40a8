"""Statistics of lines, against NumPy and SciPy."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats  # type: ignore[import-untyped]

from sightline import _core
from sightline.query.lines import Line, LineSource
from sightline.query.statistics import StatisticsColumns, line_statistics, slope

BEGIN_S = 1_700_000_000.0
NUMBERS = st.floats(-1e6, 1e6) | st.sampled_from([math.nan, math.inf, -math.inf, 0.0, 1.0])


def line(
    values: list[float] | NDArray[np.float64], *, steps: Any = None, x: Any = None, run: str = "a"
) -> Line:
    value = np.asarray(values, np.float64)
    step = np.arange(len(value)) if steps is None else np.asarray(steps)
    wall = np.array(BEGIN_S + 0.5 * np.arange(len(value)), np.float64)
    given_x = None if x is None else np.asarray(x, np.float64)
    return Line(run, step.astype(np.int64), wall, value, given_x, BEGIN_S, len(value))


def statistics(one: Line, source: LineSource | None = None, **options: Any) -> dict[str, Any]:
    found = line_statistics([one], source or LineSource(tag="loss"), **options).statistics
    return {name: column[0] for name, column in vars(found).items()}


def same(one: float, other: float) -> bool:
    return one == pytest.approx(other, rel=1e-9, abs=1e-9, nan_ok=True)


@given(st.lists(NUMBERS, max_size=60), st.integers(-10, 70), st.integers(-10, 70))
@example([1.1125369292536007e-308, 1.0], 0, 1)
def test_numbers_are_those_of_numpy(values: list[float], low: int, high: int) -> None:
    low, high = sorted((low, high))
    found = statistics(line(values), x_range=(low, high))
    inside = [(step, value) for step, value in enumerate(values) if low <= step <= high]
    finite = [(step, value) for step, value in inside if math.isfinite(value)]
    assert found["count"] == len(finite)
    assert found["nonfinite_count"] == len(inside) - len(finite)
    if not finite:
        names = ("start", "end", "change", "percent", "min", "max", "mean", "std", "median", "slope")
        assert all(math.isnan(found[name]) for name in names)
        assert all(found[f"{name}_step"] is None for name in ("start", "end", "min", "max"))
        return
    value = np.array([v for _, v in finite])
    step = np.array([s for s, _ in finite])
    assert (found["start"], found["start_step"]) == (value[0], step[0])
    assert (found["end"], found["end_step"]) == (value[-1], step[-1])
    assert found["change"] == value[-1] - value[0]
    assert (found["min"], found["min_step"]) == (value.min(), step[value.argmin()])
    assert (found["max"], found["max_step"]) == (value.max(), step[value.argmax()])
    assert same(found["mean"], value.mean())
    assert found["median"] == np.median(value)
    if value[0]:
        with np.errstate(over="ignore"):  # of the least numbers there are
            percent = 100 * (value[-1] - value[0]) / abs(value[0])
        assert found["percent"] == pytest.approx(percent, rel=1e-12)
    else:
        assert math.isnan(found["percent"])
    if len(value) == 1:
        assert math.isnan(found["std"])
        assert math.isnan(found["slope"])
    else:
        assert same(found["std"], value.std(ddof=1))
        assert found["slope"] == pytest.approx(stats.linregress(step, value).slope, rel=1e-7, abs=1e-6)


def test_percent_is_measured_by_the_size_of_the_start() -> None:
    assert statistics(line([-2.0, -1.0]))["percent"] == 50
    assert statistics(line([2.0, 1.0]))["percent"] == -50


def test_the_slope_is_per_unit_of_x() -> None:
    rng = np.random.default_rng(3)
    one = line(rng.normal(size=500).cumsum())
    for axis in ("step", "relative", "wall"):
        found = statistics(one, LineSource(tag="loss", x=axis))["slope"]
        x = one.along(axis) - one.along(axis)[0]
        assert found == pytest.approx(stats.linregress(x, one.value).slope, rel=1e-9)
    given_x = np.sort(rng.normal(size=500))
    found = statistics(line(one.value, x=given_x), LineSource(tag="loss", x="metric", x_tag="t"))["slope"]
    assert found == pytest.approx(stats.linregress(given_x, one.value).slope, rel=1e-9)


def test_the_slope_over_wall_time_keeps_its_digits() -> None:
    """Wall times have ten digits in front of the point: their squares would swallow a slope like this."""
    x = np.array(BEGIN_S + np.arange(1000) * 1e-3, np.float64)
    assert slope(x, np.array(7.0 + 1e-3 * (x - BEGIN_S), np.float64)) == pytest.approx(1e-3, rel=1e-6)
    assert slope(x, np.full(1000, 5.0)) == 0


@pytest.mark.filterwarnings("error")
def test_a_slope_needs_two_different_x() -> None:
    same_x = np.array([2.0, 2.0, 2.0])
    values = np.array([1.0, 2.0, 3.0])
    assert math.isnan(slope(same_x, values))
    assert math.isnan(slope(same_x[:1], values[:1]))
    assert math.isnan(slope(same_x[:0], values[:0]))
    assert slope(np.array([math.nan, 1.0, 2.0]), values) == pytest.approx(1)
    assert slope(np.array([0.0, 1e-200, 2e-200]), values) == pytest.approx(1e200)
    assert math.isnan(statistics(line([1.0, 2.0], steps=[7, 7]))["slope"])


def test_with_smoothing_the_numbers_are_about_the_smoothed_line() -> None:
    rng = np.random.default_rng(4)
    one = line(rng.normal(size=300))
    found = line_statistics(
        [one], LineSource(tag="loss", smoothing=("ema", 0.9)), x_range=(100.0, 200.0), at=150.2
    )
    smooth = _core.smooth("ema", 0.9, one.value, one.wall)  # of all points, then the range
    assert found.statistics.mean[0] == pytest.approx(smooth[100:201].mean())
    assert found.statistics.start[0] == smooth[100]
    assert found.at is not None
    assert (found.at.value[0], found.at.smoothed[0]) == (one.value[150], smooth[150])


def test_values_are_those_of_the_nearest_point() -> None:
    lines = [
        line([1.0, 2.0, math.nan], steps=[0, 10, 20], run="a"),
        line([5.0], steps=[1000], run="b"),
        line([], run="empty"),
    ]
    at = line_statistics(lines, LineSource(tag="loss"), at=16.0, x_range=(0.0, 5.0)).at
    assert at is not None
    assert at.run == ["a", "b"]
    assert at.x == [20, 1000]
    assert at.step == [20, 1000]
    assert math.isnan(at.value[0])
    assert at.value[1] == 5
    assert at.wall_s == [BEGIN_S + 1, BEGIN_S]
    assert at.relative_s == [1, 0]
    # In the middle the earlier one.
    at = line_statistics(lines[:1], LineSource(tag="loss"), at=5.0).at
    assert at is not None
    assert at.step == [0]
    assert line_statistics(lines, LineSource(tag="loss")).at is None


def test_lines_without_a_finite_x_have_no_nearest_point() -> None:
    one = line([1.0, 2.0])
    lost = Line("a", one.step, np.full(2, math.nan), one.value, None, math.nan, 2)
    found = line_statistics([lost], LineSource(tag="loss", x="wall"), at=5.0)
    assert found.at is not None
    assert found.at.run == []
    assert found.statistics.count == [2], "without a range every point counts"


@pytest.mark.filterwarnings("error")
def test_values_of_any_size_go_through() -> None:
    found = statistics(line([1e308, -1e308, 1e308]))
    assert found["min"] == -1e308
    assert found["change"] == 0
    assert statistics(line([-1e308, 1e308]))["change"] == math.inf


def test_all_columns_are_of_one_length() -> None:
    found = line_statistics([line([1.0]), line([math.nan]), line([])], LineSource(tag="loss")).statistics
    assert isinstance(found, StatisticsColumns)
    assert {len(column) for column in vars(found).values()} == {3}
