"""Smoothing by the core, against formulas written down again in plain Python and NumPy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d  # type: ignore[import-untyped]

from sightline import _core

Numbers = NDArray[np.float64]

NUMBERS = st.floats(-1e6, 1e6) | st.sampled_from([math.nan, math.inf, -math.inf, 0.0, 1.0])
VALUES = st.lists(NUMBERS, max_size=200)


def smoothed(kind: str, amount: float, values: list[float] | Numbers, wall: object = None) -> Numbers:
    column = np.asarray(values, dtype=np.float64)
    times = np.arange(len(column), dtype=np.float64) if wall is None else np.asarray(wall, dtype=np.float64)
    return _core.smooth(kind, amount, column, times)


def tensorboards_average(values: list[float], weight: float) -> list[float]:
    """The formula of TensorBoard's slider, point by point."""
    if values and all(value == values[0] for value in values):
        return values
    shown = []
    state = 0.0
    count = 0
    for value in values:
        if not math.isfinite(value):
            shown.append(value)
            continue
        state = state * weight + (1 - weight) * value
        count += 1
        shown.append(state / (1 - weight**count))
    return shown


@given(VALUES, st.floats(0, 0.999))
def test_ema_is_tensorboards_formula(values: list[float], weight: float) -> None:
    wanted = tensorboards_average(values, weight)
    # Relative to the numbers that went in: a mean of large ones may come out small.
    scale = max((abs(value) for value in values if math.isfinite(value)), default=0.0)
    np.testing.assert_allclose(smoothed("ema", weight, values), wanted, rtol=1e-9, atol=1e-12 * scale)


def test_a_long_series_with_a_heavy_weight_stays_with_the_formula() -> None:
    values = np.random.default_rng(1).normal(size=50_000)
    wanted = tensorboards_average(values.tolist(), 0.9999)
    np.testing.assert_allclose(smoothed("ema", 0.9999, values), wanted, rtol=1e-9, atol=1e-12)


@given(VALUES, st.floats(0, 0.999), st.integers(0, 1000))
def test_time_ema_weights_by_the_time_between_points(values: list[float], weight: float, seed: int) -> None:
    gaps = np.random.default_rng(seed).choice([0.0, 0.5, 1.0, 7.0, 300.0], size=len(values))
    wall = 1.7e9 + np.cumsum(gaps)
    positive = [gap for gap in np.diff(wall).tolist() if gap > 0]
    usual = float(np.median(positive)) if positive else math.nan
    wanted = []
    total = weights = 0.0
    before = math.nan
    for value, time in zip(values, wall.tolist(), strict=True):
        if not math.isfinite(value):
            wanted.append(value)
            continue
        ratio = 1.0 if math.isnan(before) or math.isnan(usual) else (time - before) / usual
        decay = weight**ratio
        total = total * decay + value
        weights = weights * decay + 1
        wanted.append(total / weights)
        before = time
    if weight == 0 or all(value == values[0] for value in values):
        wanted = values
    scale = max((abs(value) for value in values if math.isfinite(value)), default=0.0)
    np.testing.assert_allclose(
        smoothed("time_ema", weight, values, wall), wanted, rtol=1e-9, atol=1e-9 * scale
    )


@given(VALUES, st.integers(1, 300))
def test_mean_is_that_of_the_finite_points_around(values: list[float], width: int) -> None:
    before = (width - 1) // 2
    wanted = []
    for place, value in enumerate(values):
        around = values[max(0, place - before) : place - before + width]
        finite = [one for one in around if math.isfinite(one)]
        wanted.append(math.fsum(finite) / len(finite) if math.isfinite(value) else value)
    scale = max((abs(value) for value in values if math.isfinite(value)), default=0.0)
    np.testing.assert_allclose(smoothed("mean", width, values), wanted, rtol=1e-12, atol=1e-12 * scale)


def gaussian_by_scipy(values: Numbers, sigma: float, *, truncate: float) -> Numbers:
    """SciPy's filter over the values and over their weights, zeros outside and where nothing is finite."""
    is_finite = np.isfinite(values)
    filled = np.where(is_finite, values, 0.0)
    total = gaussian_filter1d(filled, sigma, mode="constant", truncate=truncate)
    weights = gaussian_filter1d(is_finite.astype(float), sigma, mode="constant", truncate=truncate)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(is_finite, total / weights, values)


@pytest.mark.parametrize(
    ("sigma", "truncate"), [(0.5, 4), (3.0, 4), (50.0, 4), (63.9, 4), (64.0, 7), (79.0, 7), (1500.0, 7)]
)
@pytest.mark.parametrize("has_gaps", [False, True])
def test_gaussian_agrees_with_scipy(sigma: float, truncate: float, has_gaps: bool) -> None:
    random = np.random.default_rng(2)
    values = random.normal(size=6001) + np.linspace(0, 5, 6001) ** 2
    if has_gaps:
        values[random.random(6001) < 0.1] = math.nan
        values[2000:2600] = math.inf
    wanted = gaussian_by_scipy(values, sigma, truncate=truncate)
    np.testing.assert_allclose(smoothed("gaussian", sigma, values), wanted, rtol=1e-6, atol=1e-6)


@given(VALUES, st.sampled_from([("ema", 0.6), ("time_ema", 0.6), ("gaussian", 3.0), ("mean", 5.0)]))
def test_what_is_not_finite_stays_and_what_is_stays_finite(
    values: list[float], smoothing: tuple[str, float]
) -> None:
    column = np.array(values, dtype=np.float64)
    result = smoothed(*smoothing, column)
    is_finite = np.isfinite(column)
    np.testing.assert_array_equal(result[~is_finite], column[~is_finite])
    assert np.isfinite(result[is_finite]).all()


@pytest.mark.parametrize("smoothing", [("ema", 0.9), ("time_ema", 0.9), ("gaussian", 8.0), ("mean", 7.0)])
def test_a_constant_series_is_untouched_to_the_last_bit(smoothing: tuple[str, float]) -> None:
    column = np.full(1000, 0.1)
    np.testing.assert_array_equal(smoothed(*smoothing, column), column)


@pytest.mark.parametrize(
    "smoothing", [("ema", 1.0), ("ema", -0.1), ("mean", math.nan), ("gaussian", math.inf), ("median", 3.0)]
)
def test_amounts_and_kinds_that_make_no_sense_are_refused(smoothing: tuple[str, float]) -> None:
    with pytest.raises(ValueError, match=r"no such smoothing|amount of smoothing"):
        smoothed(*smoothing, [1.0, 2.0])
