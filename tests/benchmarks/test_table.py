"""The benchmark's tables are Markdown, and their numbers keep three digits in a fitting unit."""

from __future__ import annotations

import pytest

from benchmarks.table import markdown_table, megabytes, millions_per_second, ratio, seconds


def test_table_aligns_names_left_and_numbers_right() -> None:
    assert markdown_table(["shape", "time"], [["S1", "1.00 s"], ["S10000", "9 ms"]]).splitlines() == [
        "| shape  |   time |",
        "| ------ | -----: |",
        "| S1     | 1.00 s |",
        "| S10000 |   9 ms |",
    ]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (12.345, "12.3 s"),
        (1.0, "1.00 s"),
        (0.9999, "1.00 s"),
        (0.25, "250 ms"),
        (0.0099949, "9.99 ms"),
        (0.0000123, "12.3 µs"),
        (1285.58, "1,286 s"),
    ],
)
def test_seconds_keep_three_digits_in_a_fitting_unit(value: float, text: str) -> None:
    assert seconds(value) == text


def test_ratios_sizes_and_rates_say_their_unit() -> None:
    assert ratio(12.04) == "12.0×"
    assert megabytes(507_886_374) == "508 MB"
    assert millions_per_second(10_000_000, 0.5) == "20.0 M/s"
