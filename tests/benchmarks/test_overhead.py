"""The transformer benchmark: a small plan runs through, and the interval is a bootstrap of the median."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks import overhead
from benchmarks.overhead import SCALARS, median_interval, row_of, tables


def test_interval_holds_the_median_and_narrows_with_more_pairs() -> None:
    values = np.random.default_rng(0).normal(1.0, 0.5, 400)
    low, high = median_interval(values, seed=1)
    few_low, few_high = median_interval(values[:20], seed=1)
    assert low < np.median(values) < high
    assert high - low < few_high - few_low


def test_row_has_a_hundred_numbers() -> None:
    assert len(row_of(0.5, 3)) == SCALARS == 100


def test_small_plan_gives_a_table_of_real_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch")
    monkeypatch.setattr(overhead, "WARM_UP_STEPS", 1)
    threads = torch.get_num_threads()
    try:
        result = overhead.measure(overhead.Plan(threads=1, groups=2, steps=2, block=1))
    finally:
        torch.set_num_threads(threads)
    assert result["groups"] == 2
    assert 0 < result["log_call_s"] < result["step_s"]
    assert result["low_s"] <= result["overhead_s"] <= result["high_s"]
    assert result["scalars_s"] is not None
    assert "Sightline, 1 " in tables({"Sightline, 1": result})


@pytest.mark.parametrize(
    ("overhead_s", "low_s", "high_s", "groups", "text"),
    [
        (0.002, 0.001, 0.004, 20, "≤ 1% met"),
        (0.012, 0.008, 0.015, 20, "≤ 1% MISSED"),
        (0.002, -0.030, 0.040, 20, "≤ 1% (too noisy)"),
        (0.002, 0.002, 0.002, 1, "≤ 1% (too noisy)"),
    ],
)
def test_verdict_needs_enough_pairs_and_a_narrow_interval(
    overhead_s: float, low_s: float, high_s: float, groups: int, text: str
) -> None:
    result = {"step_s": 1.0, "overhead_s": overhead_s, "low_s": low_s, "high_s": high_s, "groups": groups}
    assert overhead.verdict(result) == text
