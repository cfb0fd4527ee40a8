"""``sightline export``: where points go, in which format, and what is said about it."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from sightline.cli import main
from tests.event_logs import image_record, points, write_restarted_run, write_run
from tests.fixtures import event_bytes as eb


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    root = tmp_path / "logs"
    write_run(root / "exp1", points(range(3), tag="train/loss"), points(range(2), tag="val/loss"))
    write_run(
        root / "exp2",
        points(range(4), tag="train/loss"),
        image_record("samples", 0, b"png"),
        eb.text_record(b"note", b"hello"),
    )
    return root


def test_csv_goes_to_standard_output_and_the_report_to_standard_error(
    logs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", str(logs)]) == 0
    shown = capsys.readouterr()
    rows = list(csv.DictReader(shown.out.splitlines()))
    assert len(rows) == 9
    assert rows[0]["run"] == "exp1"
    assert shown.err == (
        "Exported 9 points of 3 series to standard output; "
        "left out: 2 series that are not scalars (image 1, text 1)\n"
    )


def test_runs_and_tags_can_be_chosen(logs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", str(logs), "--tag", "^train", "--run", "exp1", "--format", "jsonl"]) == 0
    shown = capsys.readouterr()
    rows = [json.loads(line) for line in shown.out.splitlines()]
    assert [(row["run"], row["tag"], row["step"]) for row in rows] == [
        ("exp1", "train/loss", n) for n in range(3)
    ]
    assert shown.err == "Exported 3 points of 1 series to standard output\n"


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_the_name_of_the_file_tells_the_format(ending: str, logs: Path, tmp_path: Path) -> None:
    target = tmp_path / f"out.{ending}"
    assert main(["export", str(logs), "-o", str(target)]) == 0
    if ending == "parquet":
        assert pq.read_table(target).num_rows == 9
    else:
        assert target.read_text().startswith("run," if ending == "csv" else "{")


def test_a_format_that_is_given_beats_the_name(logs: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.csv"
    assert main(["export", str(logs), "-o", str(target), "--format", "jsonl"]) == 0
    assert target.read_text().startswith("{")


def test_superseded_points_are_exported_only_when_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_restarted_run(tmp_path / "a")
    main(["export", str(tmp_path)])
    assert capsys.readouterr().out.count("\n") == 1 + 8
    main(["export", str(tmp_path), "--superseded"])
    assert capsys.readouterr().out.count("\n") == 1 + 11


def test_a_target_that_cannot_be_written_is_one_line(logs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", str(logs), "-o", "/proc/out.csv"]) == 2
    shown = capsys.readouterr()
    assert shown.err.startswith("sightline: Cannot write (")
    assert shown.err.count("\n") == 1


def test_a_missing_library_is_named_before_anything_is_written(
    logs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert main(["export", str(logs), "-o", str(tmp_path / "out.parquet")]) == 2
    assert 'pip install "sightline[parquet]"' in capsys.readouterr().err
    assert list(tmp_path.glob("*out*")) == []
