"""``sightline cache info`` and ``sightline cache clear``."""

from __future__ import annotations

from pathlib import Path

import pytest

import sightline
from sightline.cli import main
from tests.event_logs import points, write_run


@pytest.fixture
def cached_logs(tmp_path: Path) -> Path:
    write_run(tmp_path / "a", points(range(50)))
    with sightline.open(tmp_path, watch=False).wait():
        pass
    return tmp_path


def test_info_shows_where_how_big_and_for_which_logs(
    cached_logs: Path, cache_directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["cache", "info"]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first.endswith(f"of at most 4.3 GB in {cache_directory}")
    assert second.endswith(f"ago   {cached_logs}")


def test_clear_removes_it_and_says_how_much(
    cached_logs: Path, cache_directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cached_logs.exists()
    assert main(["cache", "clear"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("Removed 1 entry, ")
    assert out.endswith(f"from {cache_directory}\n")
    assert list(cache_directory.iterdir()) == []


def test_a_limit_that_makes_no_sense_is_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SIGHTLINE_CACHE_LIMIT", "lots")
    assert main(["cache", "info"]) == 2
    assert capsys.readouterr().err.startswith("sightline: SIGHTLINE_CACHE_LIMIT is not a size: 'lots'")


def test_thumbnails_are_named_and_removed(cache_directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    thumbnails = cache_directory / "thumbnails"
    thumbnails.mkdir(parents=True)
    (thumbnails / f"{'a' * 40}.jpg").write_bytes(bytes(2000))
    assert main(["cache", "info"]) == 0
    assert capsys.readouterr().out.splitlines()[1].strip() == "2.0 kB   thumbnails of pictures, of all logs"
    assert main(["cache", "clear"]) == 0
    assert "2.0 kB" in capsys.readouterr().out
    assert list(cache_directory.iterdir()) == []
