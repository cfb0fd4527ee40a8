"""``sightline table``: one number per run or group and tag."""

from __future__ import annotations

from pathlib import Path

import pytest

from sightline.cli import main
from sightline.readers.roots import parse_roots
from sightline.workspace import Edit, Workspace
from tests.event_logs import write_run
from tests.fixtures import event_bytes as eb


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    root = tmp_path / "logs"
    for folder, base in (("a", 1.0), ("b", 10.0)):
        for seed in range(2):
            values = [base * 2, base + seed]
            records = [eb.scalar(step, value, tag=b"loss") for step, value in enumerate(values)]
            write_run(root / folder / f"seed{seed}", *records, eb.scalar(0, 0.5, tag=b"acc"))
    write_run(root / "empty", eb.text_record(b"note", b"hello"))
    return root


def test_a_row_per_run_and_a_column_per_tag(logs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["table", str(logs), "--digits", "3"]) == 0
    assert capsys.readouterr().out == (
        "| run     |   acc | loss |\n"
        "| ------- | ----: | ---: |\n"
        "| a/seed0 | 0.500 | 1.00 |\n"
        "| a/seed1 | 0.500 | 2.00 |\n"
        "| b/seed0 | 0.500 | 10.0 |\n"
        "| b/seed1 | 0.500 | 11.0 |\n"
    )


def test_for_programs_groups_have_mean_and_deviation_in_columns(
    logs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    order = [
        "table",
        str(logs),
        "--tag",
        "loss",
        "--group-by",
        "folder",
        "--statistic",
        "min",
        "--format",
        "csv",
    ]
    assert main(order) == 0
    assert capsys.readouterr().out.splitlines() == [
        "group,loss mean,loss std,loss n",
        "a,1.5,0.7071067811865476,2",
        "b,10.5,0.7071067811865476,2",
    ]


def test_for_people_groups_have_mean_and_deviation_in_one_cell(
    logs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["table", str(logs), "--tag", "loss", "--group-by", "folder", "--statistic", "min"]) == 0
    assert "| a (2) | 1.500 ± 0.71 |" in capsys.readouterr().out


def test_people_see_the_names_they_gave_and_programs_those_of_the_log(
    logs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Workspace(parse_roots([str(logs)])).apply([Edit("1", "name", run="a/seed0", text="The best")])
    assert main(["table", str(logs), "--tag", "loss", "--run", "a/seed0"]) == 0
    assert main(["table", str(logs), "--tag", "loss", "--run", "a/seed0", "--format", "csv"]) == 0
    assert capsys.readouterr().out.splitlines()[2:] == ["| The best | 1.000 |", "run,loss", "a/seed0,1.0"]


def test_the_name_of_the_file_tells_the_format(logs: Path, tmp_path: Path) -> None:
    target = tmp_path / "paper.tex"
    assert main(["table", str(logs), "--tag", "^loss$", "--run", "^a/", "-o", str(target)]) == 0
    assert target.read_text("utf-8").splitlines()[:3] == [
        r"\begin{tabular}{lr}",
        r"  \toprule",
        r"  run & loss \\",
    ]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--group-by", "colour"], "--group-by is folder"),
        (["--group-by", "label"], "--group-by label puts none of 5 runs into a group"),
        (["--digits", "0"], "--digits is 1 to 17"),
        (["--tag", "("], "--tag is not a regular expression"),
        (["-o", "table.xls"], "No format is called 'xls'"),
        (["-o", "no/such/place.md"], "The directory for the output does not exist"),
    ],
)
def test_what_cannot_be_done_is_said(
    logs: Path, capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    assert main(["table", str(logs), *words]) == 2
    assert message in capsys.readouterr().err


def test_nothing_that_matches_is_said(logs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["table", str(logs), "--tag", "accuracy"]) == 1
    assert "Nothing matches: the log has 5 runs" in capsys.readouterr().err
