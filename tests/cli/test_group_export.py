"""``sightline export --group-by``, and ``log.aggregate()`` behind it."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

import sightline
from sightline.cli import main
from sightline.model.errors import BadArgumentError
from tests.event_logs import write_run
from tests.fixtures import event_bytes as eb

LOSSES = {
    "a/seed0": {0: 4.0, 10: 2.0, 20: 1.0},
    "a/seed1": {0: 6.0, 10: 4.0, 20: 1.0},
    "a/seed2": {0: 5.0, 20: 4.0},
    "b/seed0": {5: 1.0},
    "alone": {0: 9.0},
}


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    root = tmp_path / "logs"
    for run, losses in LOSSES.items():
        records = [eb.scalar(step, value, tag=b"loss") for step, value in losses.items()]
        write_run(root / run, *records, eb.scalar(0, 1.0, tag=b"acc"))
    return root


def test_rows_are_about_groups_and_say_how_many_runs_they_are_from(
    logs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", str(logs), "--tag", "loss", "--group-by", "folder"]) == 0
    shown = capsys.readouterr()
    rows = list(csv.DictReader(shown.out.splitlines()))
    assert [(row["group"], row["tag"], row["x"], row["members"]) for row in rows] == [
        ("a", "loss", "0", "3"),
        ("a", "loss", "10", "3"),
        ("a", "loss", "20", "3"),
        ("b", "loss", "5", "1"),
    ]
    # The third run has no point at 10: it counts with what lies between its neighbours.
    expected = np.array([[4.0, 6.0, 5.0], [2.0, 4.0, 4.5], [1.0, 1.0, 4.0]])
    center = [float(row["center"]) for row in rows[:3]]
    half = [float(row["high"]) - float(row["center"]) for row in rows[:3]]
    np.testing.assert_allclose(center, expected.mean(axis=1))
    np.testing.assert_allclose(half, expected.std(axis=1, ddof=1))
    assert (rows[3]["center"], rows[3]["low"], rows[3]["high"]) == ("1.0", "NaN", "NaN")
    assert shown.err == "Exported 4 rows of 2 lines of 2 groups to standard output\n"


@pytest.mark.parametrize(
    "flag", ["--formula=loss", "--center=median", "--band=std", "--x=relative", "--points=5"]
)
def test_flags_for_groups_are_not_ignored_without_groups(
    logs: Path, capsys: pytest.CaptureFixture[str], flag: str
) -> None:
    assert main(["export", str(logs), flag]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert f"{flag.partition('=')[0]} is for groups of runs: say --group-by" in shown.err


def test_more_places_than_any_grid_has_are_every_x(logs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    order = ["export", str(logs), "--tag", "loss", "--group-by", "folder"]
    assert main([*order, "--points", "5000000000"]) == 0
    few = capsys.readouterr().out
    assert main(order) == 0
    assert capsys.readouterr().out == few


def test_json_lines_and_parquet_have_the_same_rows(logs: Path, tmp_path: Path) -> None:
    order = ["export", str(logs), "--tag", "loss", "--group-by", "folder", "--band", "minmax", "-o"]
    assert main([*order, str(tmp_path / "out.jsonl")]) == 0
    assert main([*order, str(tmp_path / "out.parquet")]) == 0
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text("utf-8").splitlines()]
    assert rows[0] == {
        "group": "a",
        "tag": "loss",
        "x": 0,
        "members": 3,
        "center": 5.0,
        "low": 4.0,
        "high": 6.0,
    }
    assert rows[3]["low"] == "NaN"
    table = pq.read_table(tmp_path / "out.parquet").to_pylist()
    assert table[:3] == rows[:3]


def test_formulas_and_other_axes(logs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    order = ["export", str(logs), "--group-by", "folder", "--run", "^a/", "--band", "none"]
    assert main([*order, "--formula", "loss * 2", "--points", "1"]) == 0
    rows = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    assert len(rows) == 1
    assert rows[0]["tag"] == "loss * 2"
    assert main([*order, "--tag", "loss", "--x", "metric:loss", "--center", "median"]) == 0
    rows = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    assert [row["x"] for row in rows] == [row["center"].removesuffix(".0") for row in rows]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--group-by", "colour"], "--group-by is folder"),
        (["--group-by", "label"], "--group-by label puts none of 5 runs into a group"),
        (["--group-by", "folder", "--x", "metric"], "--x is step"),
        (["--group-by", "folder", "--points", "0"], "--points is a whole number from 1 on"),
        (["--group-by", "folder", "--superseded"], "--superseded is not for groups"),
        (["--group-by", "folder", "--formula", "loss", "--tag", "loss"], "either --tag or --formula"),
        (["--formula", "loss"], "say --group-by, too"),
    ],
)
def test_what_cannot_be_done_is_said(
    logs: Path, capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    assert main(["export", str(logs), *words]) == 2
    assert message in capsys.readouterr().err


def test_a_formula_that_cannot_be_computed_is_told_with_what_was_meant(
    logs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = logs.parent / "out.csv"
    words = ["export", str(logs), "--group-by", "folder", "--formula", "los / 2", "-o", str(target)]
    assert main(words) == 1
    assert not target.exists()
    assert "did you mean `loss`?" in capsys.readouterr().err


def test_the_same_from_python(logs: Path) -> None:
    log = sightline.open(logs, watch=False, cache=False).wait()
    lines = log.aggregate("loss", by="folder", center="median", band="quartiles")
    assert [(one.group, one.runs, len(one)) for one in lines] == [
        ("a", ["a/seed0", "a/seed1", "a/seed2"], 3),
        ("b", ["b/seed0"], 1),
    ]
    assert lines[0].line.center.tolist() == [5.0, 4.0, 1.0]
    frame = lines.to_pandas()
    assert list(frame.columns) == ["group", "tag", "x", "members", "center", "low", "high"]
    assert frame["members"].tolist() == [3, 3, 3, 1]
    assert lines.to_polars()["center"].to_list() == frame["center"].tolist()
    with pytest.raises(BadArgumentError, match="either a tag or a formula"):
        log.aggregate(by="folder")


def test_over_time_there_are_so_many_places_as_a_chart_can_show(tmp_path: Path) -> None:
    for run in range(2):
        records = [
            eb.scalar(step, 1.0, tag=b"loss", wall_time=100.0 + step + run / 2) for step in range(3000)
        ]
        write_run(tmp_path / "g" / str(run), *records)
    log = sightline.open(tmp_path, watch=False, cache=False).wait()
    assert len(log.aggregate("loss", by="folder", x="wall")[0]) <= 4096
    assert len(log.aggregate("loss", by="folder", x="wall", points=6000)[0]) == 6000
    assert len(log.aggregate("loss", by="folder")[0]) == 3000


def test_what_is_wrong_with_a_formula_is_a_note(logs: Path) -> None:
    lines = sightline.open(logs, watch=False, cache=False).wait().aggregate(formula="lost + 1", by="folder")
    assert len(lines) == 0
    assert "lost" in lines.notes[0]
    assert lines.to_pandas().empty
