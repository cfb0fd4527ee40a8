"""``sightline inspect`` on files: the listing, JSON, filters, damage, following."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sightline.cli import main
from sightline.cli.listing import PlainListing
from sightline.query.inspection import summarize_run
from tests.event_logs import (
    BEGIN_S,
    append,
    file_version,
    image_record,
    points,
    read,
    write_restarted_run,
    write_run,
)
from tests.fixtures import event_bytes as eb


def inspect(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> str:
    assert main(["inspect", *map(str, arguments)]) == 0
    shown = capsys.readouterr()
    assert shown.err == ""
    return shown.out


def inspect_json(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> Any:
    return json.loads(inspect(capsys, *arguments, "--json"))


def write_two_runs(root: Path) -> None:
    write_run(root / "exp1", points(range(1500), tag="train/loss"), points(range(3), tag="val/loss"))
    write_run(root / "exp2", points(range(2), tag="train/loss"), image_record("samples", 7, b"png"))


def test_a_pipe_gets_one_plain_line_per_series_with_its_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_two_runs(tmp_path)
    lines = inspect(capsys, tmp_path).splitlines()
    assert " ".join(lines[0].split()) == "RUN TAG KIND POINTS FIRST STEP LAST STEP STARTED DURATION"
    assert lines[1].startswith("exp1: started 2025-")
    assert "1,503 points, 1 file" in lines[1]
    assert lines[2].split()[:6] == ["exp1", "train/loss", "scalar", "1,500", "0", "1,499"]
    assert lines[2].endswith("24 min 59 s")
    assert lines[6].split()[:6] == ["exp2", "samples", "image", "1", "7", "7"]
    assert lines[-1].startswith("2 runs, 4 series, 1,506 points, 2 files, ")
    assert lines[-1].endswith("no damage")
    assert all("\x1b" not in line for line in lines)


def test_runs_and_tags_can_be_filtered(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_two_runs(tmp_path)
    by_tag = inspect(capsys, tmp_path, "--tag", "^val")
    assert "val/loss" in by_tag
    assert "train/loss" not in by_tag
    assert "exp2" not in by_tag
    assert "1 run, 1 series, 3 points" in by_tag
    assert "1 run, 2 series" in inspect(capsys, tmp_path, "--run", "2")
    assert inspect(capsys, tmp_path, "--tag", "nothing").startswith("Nothing matches; the log has 2 runs\n")


def test_runs_can_be_left_unread_by_globs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_two_runs(tmp_path)
    assert "1 run, 2 series" in inspect(capsys, tmp_path, "--exclude", "exp1")
    assert "1 run, 2 series" in inspect(capsys, tmp_path, "--include", "exp1")


def test_several_named_paths_are_one_listing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_run(tmp_path / "x", points(range(5)))
    write_run(tmp_path / "y", points(range(5)))
    document = inspect_json(capsys, f"one:{tmp_path / 'x'},two:{tmp_path / 'y'}")
    assert sorted(run["run"] for run in document["runs"]) == ["one", "two"]


def test_superseded_points_are_shown_beside_the_visible_ones(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_restarted_run(tmp_path / "a")
    out = inspect(capsys, tmp_path)
    assert "8 (+3)" in out
    assert "8 points (+3 superseded)" in out


def test_damage_is_told_line_by_line_with_what_was_done(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = eb.flip(eb.scalar(1), -1)
    path = write_run(tmp_path / "a", eb.scalar(0), bad, eb.scalar(2), eb.scalar(3)[:-5])
    out = inspect(capsys, tmp_path)
    assert "1 damaged place" in out
    assert "Damage: 1 place; every other record was read" in out
    place = len(file_version()) + len(eb.scalar(0))
    told = f"  Bad payload checksum at byte {place} of run a: skipped {len(bad)} bytes and went on: {path}\n"
    assert told in out
    assert "Unfinished last record" in out
    assert out.splitlines()[-1].endswith(f"1 damaged place in 1 file ({len(bad)} B lost)")


def test_much_damage_is_counted_and_not_listed_without_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in range(3):
        records = (part for step in range(40) for part in (eb.scalar(step), eb.flip(eb.scalar(step), -1)))
        write_run(tmp_path / f"run{number}", *records)
    lines = inspect(capsys, tmp_path).splitlines()
    assert sum("Bad payload checksum" in line for line in lines) == 50
    assert "  … and 70 more places (--json has the details)" in lines


def test_odd_names_cannot_break_the_listing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_run(
        tmp_path / "run with space",
        points([0], tag="two\nlines\x1b[31m"),
        points([0], tag="t" * 10_000),
        points([0], tag=""),
    )
    lines = inspect(capsys, tmp_path).splitlines()
    assert len(lines) == 6
    assert lines[2].startswith("'run with space'")
    assert r"'two\nlines\x1b[31m'" in lines[2]
    assert "(10,000 characters)" in lines[3]
    assert "''" in lines[4]


def test_a_run_without_points_is_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_run(tmp_path / "a")
    assert "a: started 2025-06-15" in inspect(capsys, tmp_path)
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / eb.FILE_NAME).write_bytes(b"")
    assert "b: no points, 1 file, 0 B" in inspect(capsys, tmp_path)


def test_json_has_runs_series_files_damage_and_a_summary(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = eb.flip(eb.scalar(1), -1)
    path = write_run(tmp_path / "a", points([0]), bad, points([2], begin_s=BEGIN_S + 2))
    document = inspect_json(capsys, tmp_path)
    assert document["schema"] == 1
    (run,) = document["runs"]
    (series,) = run["series"]
    assert series == {
        "tag": "loss",
        "kind": "scalar",
        "plugin": "",
        "display_name": "",
        "description": "",
        "points": 2,
        "superseded": 0,
        "first_step": 0,
        "last_step": 2,
        "first_wall_time": BEGIN_S + 1,
        "last_wall_time": BEGIN_S + 3,
    }
    (file,) = run["files"]
    assert file["path"] == str(path)
    assert file["size_bytes"] == path.stat().st_size
    (damage,) = file["damage"]
    assert damage["length"] == file["skipped_bytes"] == len(bad)
    assert document["warnings"] == []
    assert document["summary"]["damage_count"] == run["damage_count"] == 1
    assert document["summary"]["points"] == 2


def test_json_of_nothing_that_matches_is_a_valid_document(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_two_runs(tmp_path)
    document = inspect_json(capsys, tmp_path, "--run", "nothing")
    assert document["runs"] == []
    assert document["summary"]["runs"] == 0


def test_unknown_times_are_null_in_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_run(tmp_path / "a", eb.scalar(0, wall_time=float("nan")), begin_s=float("nan"))
    (run,) = inspect_json(capsys, tmp_path)["runs"]
    assert run["first_wall_time"] is None
    assert run["series"][0]["last_wall_time"] is None


def test_the_cache_is_used_unless_told_otherwise(
    tmp_path: Path, cache_directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_two_runs(tmp_path)
    inspect(capsys, tmp_path, "--no-cache")
    assert not cache_directory.exists()
    inspect(capsys, tmp_path)
    assert cache_directory.exists()


def test_warnings_go_to_standard_error_after_the_listing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write_two_runs(tmp_path)
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("SIGHTLINE_CACHE_DIR", str(tmp_path / "file" / "cache"))
    assert main(["inspect", str(tmp_path)]) == 0
    shown = capsys.readouterr()
    assert "2 runs, 4 series" in shown.out
    assert shown.err.startswith("sightline: The cache is not used")
    assert shown.err.count("\n") == 1


def test_columns_widen_for_long_names_but_not_for_absurd_ones(tmp_path: Path) -> None:
    write_run(tmp_path / "a", points([0], tag="t" * 40), points([0], tag="u" * 100), points([0], tag="v"))
    out = io.StringIO()
    PlainListing(out).show_run(summarize_run(read(tmp_path).runs()[0]))
    _, _, long, absurd, short = out.getvalue().splitlines()
    assert long.index("scalar") == short.index("scalar")
    assert absurd.index("scalar") > short.index("scalar")


def test_watching_without_a_terminal_prints_a_line_per_change(tmp_path: Path) -> None:
    path = write_run(tmp_path / "a", points(range(5)))
    process = subprocess.Popen(
        [sys.executable, "-m", "sightline", "inspect", str(tmp_path), "--watch", "--tag", "loss"],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        assert process.stdout.readline() == "1 run, 1 series, 5 points\n"
        append(path, points([5], tag="other"), points([5]))
        assert process.stdout.readline().split("  ")[1:] == ["a", "loss", "6 points, step 5\n"]
        path.unlink()
        assert process.stdout.readline().split("  ")[1:] == ["a", "removed\n"]
    finally:
        process.kill()
        process.stdout.close()
        process.wait()
