"""Choosing scalar series by regular expression."""

from __future__ import annotations

from pathlib import Path

import pytest

from sightline.model.errors import BadArgumentError
from sightline.query.selection import Selection, matcher
from tests.event_logs import image_record, points, read, write_restarted_run, write_run


def write_two_runs(root: Path) -> None:
    for name in ("exp1", "exp2"):
        write_run(
            root / name,
            points(range(3), tag="train/loss"),
            points(range(3), tag="val/loss"),
            image_record("val/samples", 0, b"png"),
        )


def chosen(selection: Selection) -> list[tuple[str, str]]:
    return [(series.run, series.tag) for series in selection]


def test_without_expressions_every_scalar_series_is_chosen(tmp_path: Path) -> None:
    write_two_runs(tmp_path)
    assert chosen(Selection(read(tmp_path).runs)) == [
        ("exp1", "train/loss"),
        ("exp1", "val/loss"),
        ("exp2", "train/loss"),
        ("exp2", "val/loss"),
    ]


def test_expressions_are_searched_anywhere_in_the_name(tmp_path: Path) -> None:
    write_two_runs(tmp_path)
    runs = read(tmp_path).runs
    assert chosen(Selection(runs, tag="val")) == [("exp1", "val/loss"), ("exp2", "val/loss")]
    assert chosen(Selection(runs, run="2$")) == [("exp2", "train/loss"), ("exp2", "val/loss")]
    assert chosen(Selection(runs, tag="^loss")) == []


def test_superseded_points_come_only_when_asked_for(tmp_path: Path) -> None:
    write_restarted_run(tmp_path)
    runs = read(tmp_path).runs
    assert [len(series) for series in Selection(runs)] == [8]
    assert [len(series) for series in Selection(runs, superseded=True)] == [11]


def test_a_selection_looks_again_each_time(tmp_path: Path) -> None:
    write_run(tmp_path / "a", points(range(3)))
    store = read(tmp_path)
    selection = Selection(store.runs)
    assert chosen(selection) == [("a", "loss")]
    write_run(tmp_path / "b", points(range(3)))
    store.index.scan()
    assert chosen(selection) == [("a", "loss"), ("b", "loss")]


@pytest.mark.parametrize("argument", ["tag", "run"])
def test_a_bad_expression_names_its_argument_and_the_place(argument: str) -> None:
    with pytest.raises(
        BadArgumentError, match=rf"^{argument} is not a regular expression: .* position 3: 'a/\(\['$"
    ):
        Selection(list, **{argument: "a/(["})  # type: ignore[arg-type]


def test_the_repr_tells_the_question() -> None:
    assert repr(Selection(list, tag="x")) == "Selection(tag='x', run=None, superseded=False)"


def test_a_matcher_gives_the_same_answer_when_asked_again() -> None:
    is_match = matcher("b+", argument="tag")
    assert [is_match(text) for text in ("abba", "aha", "abba", "aha")] == [True, False, True, False]
