"""What every test gets: a cache directory of its own, so that none touches the user's or another test's, and
all the time that examples of Hypothesis need."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

# How long an example takes says more about the machine than about us.
settings.register_profile("without deadlines", deadline=None)
settings.load_profile("without deadlines")


@pytest.fixture(autouse=True)
def cache_directory(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    directory = tmp_path_factory.mktemp("cache") / "sightline"
    monkeypatch.setenv("SIGHTLINE_CACHE_DIR", str(directory))
    monkeypatch.delenv("SIGHTLINE_CACHE_LIMIT", raising=False)
    return directory
