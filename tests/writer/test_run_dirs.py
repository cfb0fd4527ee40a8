"""Directories for runs: numbers, tags, parallel starts, and going on with an earlier run."""

from __future__ import annotations

import datetime
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

import sightline
from sightline import Settings, SummaryWriter, run_dir
from sightline.model.errors import BadArgumentError, UnknownNameError
from sightline.writer import run_dirs
from sightline.writer.run_dirs import sanitized_tag

DAY = "2026-02-10"


def name_of(path: str) -> str:
    run, logs, last = Path(path).parts[-3:]
    assert (logs, last) == ("logs", "tensorboard")
    return run


def test_the_first_run_of_a_day_and_the_next(tmp_path: Path) -> None:
    first = run_dir(tmp_path, date=DAY)
    assert first == str(tmp_path / "2026-02-10_001" / "logs" / "tensorboard")
    assert Path(first).is_dir()
    assert name_of(run_dir(tmp_path, date=DAY, tag="baseline-lr002")) == "2026-02-10_002-baseline-lr002"
    assert name_of(run_dir(tmp_path, date=datetime.date(2026, 2, 11))) == "2026-02-11_001"
    assert name_of(run_dir(tmp_path, date=datetime.datetime(2026, 2, 11, 23, 59))) == "2026-02-11_002"
    assert sorted(os.listdir(tmp_path))[0].startswith("2026")  # no hidden leftovers


def test_a_relative_base_stays_relative(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run_dir("runs", date=DAY, tag="a") == "runs/2026-02-10_001-a/logs/tensorboard"


def test_numbers_count_over_all_tags_and_both_ways_to_write_them(tmp_path: Path) -> None:
    for name in (
        "2026-02-10_003-a",
        "2026-02-10_007_b",
        "2026-02-10_005",
        "2026-02-11_099",
        "notes",
        "2026-02-10_x",
    ):
        (tmp_path / name).mkdir()
    assert name_of(run_dir(tmp_path, date=DAY)) == "2026-02-10_008"


def test_numbers_grow_beyond_three_digits(tmp_path: Path) -> None:
    (tmp_path / "2026-02-10_999").mkdir()
    assert name_of(run_dir(tmp_path, date=DAY)) == "2026-02-10_1000"
    assert name_of(run_dir(tmp_path, date=DAY)) == "2026-02-10_1001"


def test_a_number_that_is_being_reserved_is_taken(tmp_path: Path) -> None:
    (tmp_path / ".2026-02-10_001").mkdir()
    (tmp_path / "2026-02-10_003").write_text("a file", "utf-8")
    assert name_of(run_dir(tmp_path, date=DAY)) == "2026-02-10_004"
    assert (tmp_path / ".2026-02-10_001").is_dir()


def test_who_comes_too_late_takes_the_next_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listings = [[], []]  # what was seen before another job made 001 and took its reservation away
    real = os.listdir
    (tmp_path / "2026-02-10_001-other").mkdir()
    monkeypatch.setattr(
        run_dirs.os, "listdir", lambda path: listings.pop() if len(listings) > 1 else real(path)
    )
    assert name_of(run_dir(tmp_path, date=DAY)) == "2026-02-10_002"
    assert sorted(real(tmp_path)) == ["2026-02-10_001-other", "2026-02-10_002"]


def test_today_is_the_date_that_is_not_given(tmp_path: Path) -> None:
    days = {datetime.date.today()}
    name = name_of(run_dir(tmp_path))
    days.add(datetime.date.today())  # midnight may pass
    assert name in {f"{day}_001" for day in days}


@pytest.mark.parametrize("date", ["10.2.2026", "2026-02-30", "", "latest", 5])
def test_a_date_that_is_none_is_refused(tmp_path: Path, date: str) -> None:
    with pytest.raises(BadArgumentError, match="date"):
        run_dir(tmp_path, date=date)


STARTER = """
import sys
from sightline import run_dir
print("ready", flush=True)
sys.stdin.readline()
run_dir(sys.argv[1], tag=f"job{sys.argv[2]}", date="2026-02-10")
"""


def test_jobs_that_start_together_get_different_numbers(tmp_path: Path) -> None:
    jobs = [
        subprocess.Popen(
            [sys.executable, "-c", STARTER, str(tmp_path), str(number)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for number in range(20)
    ]
    for job in jobs:
        assert job.stdout is not None
        assert job.stdout.readline() == "ready\n"
    for job in jobs:
        assert job.stdin is not None
        job.stdin.write("go\n")
        job.stdin.flush()
    for job in jobs:
        job.communicate(timeout=120)
    assert [job.returncode for job in jobs] == [0] * 20
    names = sorted(os.listdir(tmp_path))
    assert [name.split("-job")[0] for name in names] == [f"{DAY}_{number:03d}" for number in range(1, 21)]
    assert {name.split("-job")[1] for name in names} == set(map(str, range(20)))


# ── tags ────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("tag", "clean"),
    [
        ("", ""),
        ("baseline-lr002", "baseline-lr002"),
        ("deep 8layer", "deep-8layer"),
        ("a/b\\c", "a-b-c"),
        ("../../etc", "etc"),
        (".hidden", "hidden"),
        ("lr=0.1,bs=32", "lr=0.1-bs=32"),
        ("a:b*c?d\ne", "a-b-c-d-e"),
        ("  x  ", "x"),
        ("größe_2", "größe_2"),
    ],
)
def test_a_tag_becomes_part_of_a_name(tag: str, clean: str, tmp_path: Path) -> None:
    assert sanitized_tag(tag) == clean
    assert name_of(run_dir(tmp_path, tag=tag, date=DAY)) == f"2026-02-10_001{'-' if clean else ''}{clean}"


@pytest.mark.parametrize("tag", ["///", "...", "x" * 201, "ü" * 101, None, 3])
def test_a_tag_that_cannot_be_used_is_refused_before_anything_is_made(tmp_path: Path, tag: str) -> None:
    with pytest.raises(BadArgumentError, match="tag"):
        run_dir(tmp_path, tag=tag)
    assert list(tmp_path.iterdir()) == []


# ── settings ────────────────────────────────────────────────────────────────────────────────────────────


def test_without_a_base_the_settings_tell_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run_dir(date=DAY) == "runs/2026-02-10_001/logs/tensorboard"
    assert run_dir(date=DAY, settings=Settings(runs_dir="given")) == "given/2026-02-10_001/logs/tensorboard"
    (tmp_path / "configs").mkdir()
    (tmp_path / "configs" / "tensorboard.json").write_text('{"runs_directory": "out/runs"}', "utf-8")
    assert run_dir(date=DAY) == "out/runs/2026-02-10_001/logs/tensorboard"


# ── earlier runs ────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    for name in ("2026-02-09_1000", "2026-02-10_001-a", "2026-02-10_002_b", "2026-02-10_010-a"):
        (tmp_path / name).mkdir()
    (tmp_path / ".2026-02-11_001").mkdir()
    (tmp_path / "2026-02-12_001").write_text("a file", "utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("resume", "name"),
    [
        ("2026-02-10_001-a", "2026-02-10_001-a"),
        ("2026-02-10_001", "2026-02-10_001-a"),
        ("2026-02-10_002", "2026-02-10_002_b"),
        ("2026-02-09_1000", "2026-02-09_1000"),
        ("002", "2026-02-10_002_b"),
        ("2", "2026-02-10_002_b"),
        (10, "2026-02-10_010-a"),
        ("latest", "2026-02-10_010-a"),
    ],
)
def test_an_earlier_run_is_found_by_name_id_number_or_as_the_latest(
    runs: Path, resume: str | int, name: str
) -> None:
    path = run_dir(runs, resume=resume, date=DAY)
    assert name_of(path) == name
    assert Path(path).is_dir()
    assert run_dir(runs, resume=resume, date=DAY) == path


def test_with_a_tag_only_its_runs_are_looked_at(runs: Path) -> None:
    assert name_of(run_dir(runs, resume="latest", tag="b")) == "2026-02-10_002_b"
    with pytest.raises(UnknownNameError, match="with tag 'c'"):
        run_dir(runs, resume="latest", tag="c")


@pytest.mark.parametrize("resume", ["2026-02-10_003", "7", "newest", "", ".2026-02-11_001", "2026-02-12_001"])
def test_a_run_that_is_not_there_is_an_error_and_nothing_is_made(runs: Path, resume: str) -> None:
    before = sorted(os.listdir(runs))
    with pytest.raises(UnknownNameError):
        run_dir(runs, resume=resume, date=DAY)
    assert sorted(os.listdir(runs)) == before


def test_the_error_offers_what_was_meant(runs: Path) -> None:
    with pytest.raises(UnknownNameError, match="2026-02-10_001") as caught:
        run_dir(runs, resume="2026-02-10_01")
    assert str(caught.value).startswith(f"No run in {runs} named '2026-02-10_01'. Did you mean ")
    with pytest.raises(UnknownNameError):
        run_dir(runs / "missing", resume="latest")


def test_two_runs_with_the_same_number_must_be_told_apart(runs: Path) -> None:
    (runs / "2026-02-10_002-c").mkdir()
    with pytest.raises(BadArgumentError, match="2026-02-10_002_b, 2026-02-10_002-c"):
        run_dir(runs, resume="2026-02-10_002")
    assert name_of(run_dir(runs, resume="2026-02-10_002", tag="c")) == "2026-02-10_002-c"


# ── the timeline ────────────────────────────────────────────────────────────────────────────────────────


def train(log_dir: str, steps: range, factor: float) -> None:
    with SummaryWriter(log_dir) as writer:
        for step in steps:
            writer.add_scalar("loss", factor * step, step)


def test_a_resumed_run_is_one_line(tmp_path: Path) -> None:
    train(run_dir(tmp_path, tag="a"), range(100), 1)
    train(run_dir(tmp_path, resume="latest"), range(100, 150), 1)
    with sightline.open(tmp_path, watch=False).wait() as log:
        (name,) = log.runs
        series = log[name].scalars["loss"]
        assert series.step.tolist() == list(range(150))
        assert series.superseded_count == 0
        assert [story.status for story in log[name].stories] == ["finished"] * 2


def test_a_run_resumed_from_a_checkpoint_supersedes_what_came_after_it(tmp_path: Path) -> None:
    train(run_dir(tmp_path, tag="a"), range(100), 1)
    train(run_dir(tmp_path, resume="latest"), range(80, 150), 10)
    with sightline.open(tmp_path, watch=False).wait() as log:
        (name,) = log.runs
        series = log[name].scalars["loss"]
        assert series.step.tolist() == list(range(150))
        assert series.value.tolist() == [*range(80), *(10.0 * step for step in range(80, 150))]
        assert series.superseded.step.tolist() == list(range(80, 100))
        assert series.superseded.value.tolist() == list(range(80, 100))


def test_a_writer_that_is_closed_after_the_next_one_was_opened_is_still_the_earlier_one(
    tmp_path: Path,
) -> None:
    # `writer = SummaryWriter(…)` in a notebook, twice: the first one is closed when the second one is there.
    first = SummaryWriter(tmp_path)
    for step in range(10):
        first.add_scalar("loss", step, step)
    now = time.time()
    second = SummaryWriter(tmp_path)
    first.close()
    for step in range(5, 12):
        second.add_scalar("loss", 10 * step, step, walltime=now + step)
    second.close()
    with sightline.open(tmp_path, watch=False).wait() as log:
        assert log["."].scalars["loss"].superseded.step.tolist() == [5, 6, 7, 8, 9]


def test_it_needs_nothing_heavy(tmp_path: Path) -> None:
    program = "import sys, sightline; sightline.run_dir(sys.argv[1]); print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)], check=True, capture_output=True, text=True, timeout=60
    )
    assert {"numpy", "sightline._core", "tensorboard"}.isdisjoint(done.stdout.split())
