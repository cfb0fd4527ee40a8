"""Run numbers as stretches."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.server.kept_tables import stretches


@pytest.mark.parametrize(
    ("numbers", "expected"), [([], []), ([3], [3, 3]), ([1, 2, 3], [1, 3]), ([5, 1, 2], [1, 2, 5, 5])]
)
def test_neighbours_are_one_stretch(numbers: list[int], expected: list[int]) -> None:
    assert stretches(numbers) == expected


@given(st.sets(st.integers(0, 60)))
def test_stretches_hold_exactly_the_numbers(numbers: set[int]) -> None:
    found = stretches(list(numbers))
    pairs = list(zip(found[::2], found[1::2], strict=True))
    assert {n for first, last in pairs for n in range(first, last + 1)} == numbers
    assert all(last + 1 < first for (_, last), (first, _) in itertools.pairwise(pairs))
