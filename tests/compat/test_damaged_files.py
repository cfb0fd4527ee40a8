"""Damaged and unusual files: the core reads from each exactly what the oracle reads."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests import oracle
from tests.compat.comparison import assert_log_is_read_right, scanned, write_log
from tests.fixtures import damage, tensors, unusual
from tests.fixtures import event_bytes as eb


@pytest.mark.parametrize("case", damage.all_cases(), ids=lambda case: case.name)
def test_a_damaged_file_is_read_as_far_as_it_is_valid(case: damage.DamageCase, tmp_path: Path) -> None:
    write_log(tmp_path, case.data)
    assert_log_is_read_right(tmp_path, scanned(tmp_path))


@pytest.mark.parametrize("make", unusual.FAMILIES + tensors.FAMILIES, ids=lambda make: make.__name__)
def test_an_unusual_file_is_read_whole(make: Callable[[], bytes], tmp_path: Path) -> None:
    data = eb.file_version() + make()
    assert oracle.decode(data).damage == []
    write_log(tmp_path, data)
    assert_log_is_read_right(tmp_path, scanned(tmp_path))
