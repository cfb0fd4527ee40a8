"""What every test gets: a cache directory of its own, so that none touches the user's or another test's, and
all the time that examples of Hypothesis need. For those that ask for it: what is read of the logs."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from tests.slow_files import SLOW_FILES

# How long an example takes says more about the machine than about us. Continuous integration tries the same
# examples every time, so that a change is not refused for what it has not touched; by hand they are others.
settings.register_profile("ours", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("ours")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    slow = {Path(__file__).parent / file for file in SLOW_FILES}
    for item in items:
        if item.path in slow:
            item.add_marker(pytest.mark.slow)


@pytest.fixture(autouse=True)
def cache_directory(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    directory = tmp_path_factory.mktemp("cache") / "sightline"
    monkeypatch.setenv("SIGHTLINE_CACHE_DIR", str(directory))
    monkeypatch.delenv("SIGHTLINE_CACHE_LIMIT", raising=False)
    return directory


@pytest.fixture
def assert_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[[Sequence[str], str], None]:
    """Asserts that a command ends with code 2 and one clear line, and prints nothing else."""
    from tests.cli.exits import exit_code

    def check(arguments: Sequence[str], told: str) -> None:
        monkeypatch.chdir(tmp_path)
        assert exit_code(*arguments) == 2
        shown = capsys.readouterr()
        assert shown.out == ""
        assert told in shown.err
        assert shown.err.startswith("sightline: ")
        assert shown.err.count("\n") == 1

    return check


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The length of each read of a log, from now on."""
    from sightline.store.access import FileAccess  # with all of the store: not for tests that do without

    lengths: list[int] = []
    read = FileAccess.read

    def counted(self: FileAccess, file: Any, place: Any) -> bytes:
        lengths.append(place.length)
        return read(self, file, place)

    monkeypatch.setattr(FileAccess, "read", counted)
    return lengths
