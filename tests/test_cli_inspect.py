"""``sightline inspect`` on files: the listing, JSON, filters, damage, following."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from sightline.cli import main
from sightline.cli.quantities import size_text
from tests.event_logs import (
    BEGIN_S,
    file_version,
    image_record,
    points,
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


def table_rows(out: str) -> list[list[str]]:
    """The cells of a listing, as awk would take it apart: columns are two spaces or more apart."""
    return [re.split(r" {2,}", line.strip()) for line in out.partition("\n\n")[0].splitlines()]


def test_a_pipe_gets_one_plain_line_per_series_with_its_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_two_runs(tmp_path)
    out = inspect(capsys, tmp_path)
    heading, first_run, loss, _, second_run, _, samples = table_rows(out)
    assert heading == [
        *("RUN", "TAG", "KIND", "POINTS", "FIRST STEP"),
        *("LAST STEP", "STARTED", "DURATION", "SIZE", "DAMAGE"),
    ]
    assert first_run[:6] == ["exp1", "-", "run", "1,503", "0", "1,499"]
    assert first_run[6].startswith("2025-06-15 ")
    assert first_run[7:] == ["24 min 59 s", size_text((tmp_path / "exp1" / eb.FILE_NAME).stat().st_size)]
    assert loss[:6] == ["exp1", "train/loss", "scalar", "1,500", "0", "1,499"]
    assert loss[7:] == ["24 min 59 s"]
    assert second_run[:4] == ["exp2", "-", "run", "3"]
    assert samples[:6] == ["exp2", "samples", "image", "1", "7", "7"]
    lines = out.splitlines()
    assert lines[-1].startswith("2 runs, 4 series, 1,506 points, 2 files, ")
    assert lines[-1].endswith("no damage")
    assert "\x1b" not in out


def test_columns_are_as_wide_from_the_first_row_on_as_the_widest_cell_needs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_run(tmp_path / "a", points([0], tag="loss"))
    write_run(tmp_path / "run/with/a/long/name", points([123_456_789], tag="metrics/validation/accuracy"))
    table = inspect(capsys, tmp_path).partition("\n\n")[0].splitlines()
    assert len({line.index(" scalar") for line in table if "scalar" in line}) == 1
    assert len({line.index(" 2025-06") for line in table[1:]}) == 1


def test_damage_is_counted_in_the_row_of_its_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_run(tmp_path / "a", eb.scalar(0), eb.flip(eb.scalar(1), -1), eb.scalar(2))
    write_run(tmp_path / "b", eb.scalar(0))
    _, damaged, series, sound, _ = table_rows(inspect(capsys, tmp_path))
    assert damaged[9:] == ["1"]
    assert series[:1] + sound[:1] == ["a", "b"]
    assert series[9:] == sound[9:] == []


def write_many_runs(root: Path, count: int) -> None:
    for number in range(count):
        write_run(root / f"run{number}", points(range(3), tag="loss"), points(range(9), tag="acc"))


def test_many_runs_get_one_row_each_and_a_hint(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_many_runs(tmp_path, 11)
    out = inspect(capsys, tmp_path)
    heading, *rows = table_rows(out)
    assert heading == ["RUN", "SERIES", "POINTS", "LAST STEP", "STARTED", "DURATION", "SIZE", "DAMAGE"]
    assert [row[:4] for row in rows] == [[f"run{number}", "2", "12", "8"] for number in range(11)]
    assert out.splitlines()[-2].startswith("11 runs, 22 series, 132 points")
    assert "--tags, --run RE or --tag RE" in out.splitlines()[-1]


@pytest.mark.parametrize(
    ("run_count", "flags", "row_count"),
    [
        (10, [], 30),
        (10, ["--runs"], 10),
        (11, ["--tags"], 33),
        (11, ["--run", "."], 33),
        (11, ["--tag", "loss"], 22),
        (11, ["--tag", "loss", "--runs"], 11),
    ],
)
def test_what_a_row_stands_for_follows_the_flags_and_the_number_of_runs(
    run_count: int, flags: list[str], row_count: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_many_runs(tmp_path, run_count)
    assert len(table_rows(inspect(capsys, tmp_path, *flags))) == 1 + row_count


def test_json_has_every_series_however_many_runs_there_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_many_runs(tmp_path, 11)
    assert sum(len(run["series"]) for run in inspect_json(capsys, tmp_path)["runs"]) == 22


def test_runs_are_ordered_by_start_to_the_second_and_then_as_people_count(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, begin_s in (("r10", 0.1), ("r2", 0.4), ("r1", 0.2), ("earlier", -2.0), ("2b", 0.3)):
        write_run(tmp_path / name, begin_s=BEGIN_S + begin_s)
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / eb.FILE_NAME).write_bytes(b"")
    rows = table_rows(inspect(capsys, tmp_path))
    assert [row[0] for row in rows[1:]] == ["earlier", "2b", "r1", "r2", "r10", "empty"]


def test_runs_and_tags_can_be_filtered(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_two_runs(tmp_path)
    by_tag = inspect(capsys, tmp_path, "--tag", "^val")
    assert "val/loss" in by_tag
    assert "train/loss" not in by_tag
    assert "exp2" not in by_tag
    assert "1 run, 1 series, 3 points" in by_tag
    assert "1 run, 2 series" in inspect(capsys, tmp_path, "--run", "2")


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        (["--run", "x9"], "Nothing matches: the log has 2 runs, --run 'x9' leaves 0"),
        (["--tag", "x9"], "Nothing matches: the log has 2 runs, --tag 'x9' is found in no tag of them"),
        (
            ["--run", "1", "--tag", "x9"],
            "Nothing matches: the log has 2 runs, --run '1' leaves 1, --tag 'x9' is found in no tag of it",
        ),
    ],
)
def test_filters_that_match_nothing_are_named(
    flags: list[str], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_two_runs(tmp_path)
    assert inspect(capsys, tmp_path, *flags) == told + "\n"
    assert main(["export", str(tmp_path), *flags]) == 0
    assert capsys.readouterr().err.startswith(f"sightline: {told}\n")


@pytest.mark.parametrize("command", ["inspect", "export"])
@pytest.mark.parametrize(
    ("flags", "told"),
    [
        (["--include", "x*"], "--include 'x*'"),
        (["--exclude", "exp*"], "--exclude 'exp*'"),
        (["--exclude", "*1", "--include", "x"], "--include 'x' --exclude '*1'"),
    ],
)
def test_globs_that_leave_nothing_to_read_are_named(
    command: str, flags: list[str], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_two_runs(tmp_path)
    write_two_runs(tmp_path / ".sightline" / "trash")  # deleted: no runs any more
    assert main([command, str(tmp_path), *flags]) == 1
    shown = capsys.readouterr().err
    assert shown == f"sightline: No run is left by {told} (globs on paths below: {tmp_path})\n"


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
    assert len(lines) == 7
    assert lines[2].startswith("'run with space'")
    assert r"'two\nlines\x1b[31m'" in lines[2]
    assert "ttt…ttt" in lines[3]
    assert len(lines[3]) < 400
    assert "''" in lines[4]


def test_a_run_without_points_is_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_run(tmp_path / "a")
    assert table_rows(inspect(capsys, tmp_path))[1][:6] == ["a", "-", "run", "0", "-", "-"]
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / eb.FILE_NAME).write_bytes(b"")
    assert table_rows(inspect(capsys, tmp_path))[2] == ["b", "-", "run", "0", "-", "-", "-", "-", "0 B"]


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
