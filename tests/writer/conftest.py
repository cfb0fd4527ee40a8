"""The writer that most tests of its methods begin with."""

from __future__ import annotations

from pathlib import Path

import pytest

from sightline import SummaryWriter


@pytest.fixture
def writer(tmp_path: Path) -> SummaryWriter:
    return SummaryWriter(tmp_path, story=False)
