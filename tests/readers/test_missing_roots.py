"""Directories that are made later: taken as they are written, where the caller may wait for them."""

from __future__ import annotations

from pathlib import Path

import pytest

import sightline
from sightline.model.errors import BadArgumentError, NoSuchPathError
from sightline.readers.roots import parse_roots


def test_a_missing_path_is_an_error_unless_it_may_be_missing(tmp_path: Path) -> None:
    missing = str(tmp_path / "later" / "runs")
    with pytest.raises(NoSuchPathError):
        parse_roots(missing)
    (root,) = parse_roots(missing, may_be_missing=True)
    assert (root.path, root.prefix, root.is_file) == (missing, "", False)


def test_several_missing_paths_get_names_as_those_that_exist(tmp_path: Path) -> None:
    roots = parse_roots(f"{tmp_path}/a,mine:{tmp_path}/b", may_be_missing=True)
    assert [(root.path, root.prefix) for root in roots] == [(f"{tmp_path}/a", "a"), (f"{tmp_path}/b", "mine")]


def test_globs_and_event_files_have_to_be_there(tmp_path: Path) -> None:
    for path in (tmp_path / "run*", tmp_path / "events.out.tfevents.1"):
        with pytest.raises(NoSuchPathError):
            parse_roots(str(path), may_be_missing=True)


def test_what_can_never_be_a_path_is_an_error_all_the_same() -> None:
    with pytest.raises(BadArgumentError):
        parse_roots("a\0b", may_be_missing=True)


def test_a_log_of_a_missing_directory_is_empty_until_it_is_made(tmp_path: Path) -> None:
    with sightline.open(tmp_path / "later", watch=False, cache=False, may_be_missing=True).wait() as log:
        assert log.runs == []
        with sightline.SummaryWriter(tmp_path / "later" / "a", story=False) as writer:
            writer.add_scalar("loss", 1.0, 1)
        log.refresh()
        assert log.runs == ["a"]
