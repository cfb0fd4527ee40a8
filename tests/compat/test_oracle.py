"""The oracle itself: against expectations written by hand, and against TensorBoard's own reader."""

from __future__ import annotations

import pytest

from tests import oracle
from tests.fixtures import damage


@pytest.mark.parametrize("case", damage.all_cases(), ids=lambda case: case.name)
def test_the_oracle_reads_a_damaged_file_as_expected_by_hand(case: damage.DamageCase) -> None:
    decoded = oracle.decode(case.data)
    steps = [row.step for row in decoded.rows.get(("loss", "SCALAR"), [])]
    assert steps == list(case.steps)
    assert [place.reason for place in decoded.damage] == list(case.damage)
    assert decoded.torn_bytes == case.torn_bytes
