"""Numbers for tables in documents."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from sightline.query.grouping import RunGroup
from sightline.query.value_tables import group_cells, number_text, run_cells, run_values
from tests.event_logs import read, write_run
from tests.fixtures import event_bytes as eb


def _write(directory: Path, values: list[float]) -> None:
    write_run(directory, *(eb.scalar(step, value, tag=b"loss") for step, value in enumerate(values)))


@pytest.mark.parametrize(
    ("statistic", "expected"),
    [("last", 3.0), ("first", 4.0), ("min", 1.0), ("max", 4.0), ("mean", 2.5), ("median", 2.5)],
)
def test_each_statistic_is_of_the_finite_values(tmp_path: Path, statistic: str, expected: float) -> None:
    _write(tmp_path / "a", [4.0, math.nan, 1.0, 2.0, 3.0, math.inf])
    _write(tmp_path / "b", [math.nan])
    found = run_values(read(tmp_path), ["a", "b", "nobody"], "loss", statistic)  # type: ignore[arg-type]
    assert found == {"a": expected}
    assert run_cells(["a", "b"], found, digits=2) == [number_text(expected, 2), ""]


def test_a_group_has_mean_and_deviation_over_its_members() -> None:
    values = {"a": 1.0, "b": 2.0, "c": 4.0}
    groups = [RunGroup("three", ["a", "b", "c"]), RunGroup("one", ["a", "gone"]), RunGroup("none", ["gone"])]
    std = float(np.std([1.0, 2.0, 4.0], ddof=1))
    assert group_cells(groups, values, digits=3) == [f"2.33 ± {std:.1f}", "1.00", ""]


@pytest.mark.parametrize("number", [0.123456, 98765.4, 1e-9, 5.0, 0.00123456, -3.14159, 999.99, 1e300])
@pytest.mark.parametrize("digits", [1, 3, 6])
def test_numbers_keep_the_digits_that_were_asked_for(number: float, digits: int) -> None:
    assert float(number_text(number, digits)) == pytest.approx(number, rel=0.5 * 10 ** (1 - digits))


def test_zero_is_zero() -> None:
    assert number_text(0.0, 3) == "0.00"
