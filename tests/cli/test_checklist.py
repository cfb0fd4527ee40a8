"""Every line that the guides make a user type works with the name of the program exchanged.

The texts are those of the guides; the numbers are those of the project's checklist. Lines that need a running
server are in test_serving.py.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sightline.model.addresses import EVERYWHERE, LOOPBACK
from sightline.readers.roots import parse_roots
from tests.cli.plans import plan_of
from tests.event_logs import points, write_run

RUN = "runs/2026-02-10_012/logs/tensorboard"


@pytest.fixture(autouse=True)
def _project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A project as the guides have it."""
    monkeypatch.chdir(tmp_path)
    for run in ("2026-02-10_011", "2026-02-10_012", "2026-02-11_001"):
        write_run(tmp_path / "runs" / run / "logs" / "tensorboard", points(range(3)))
        (tmp_path / "runs" / run / "artifacts" / "checkpoints").mkdir(parents=True)


@pytest.mark.parametrize(
    ("line", "paths", "port", "host"),
    [
        # 000-06 to 000-09
        (f"sightline --logdir={RUN} --port=6006", [RUN], 6006, LOOPBACK),
        ("sightline --logdir=runs --port=6006", ["runs"], 6006, LOOPBACK),
        ("sightline --logdir=runs --port=6007", ["runs"], 6007, LOOPBACK),
        ("sightline --logdir=runs --host=0.0.0.0 --port=6006", ["runs"], 6006, "0.0.0.0"),
        # 000-13, 000-14
        ("sightline --logdir=runs/2026-02-10* --port=6006", ["runs/2026-02-10*"], 6006, LOOPBACK),
        ("sightline --logdir=runs --port=6006 --max_reload_threads=1", ["runs"], 6006, LOOPBACK),
        # 001-12, 001-13
        ("sightline --logdir=runs --bind_all", ["runs"], 6006, EVERYWHERE),
        ("sightline --logdir=runs --bind_all --port 6006", ["runs"], 6006, EVERYWHERE),
        ('sightline --logdir="./runs" --bind_all --port="6008"', ["./runs"], 6008, EVERYWHERE),
        ("sightline --logdir=runs --port 6007", ["runs"], 6007, LOOPBACK),
        # 003-01
        ("sightline --logdir ./profiler/ml-1m-l200/", ["./profiler/ml-1m-l200/"], 6006, LOOPBACK),
        ("sightline --logdir ./profiler/ml-1m-l200/ --port 6006", ["./profiler/ml-1m-l200/"], 6006, LOOPBACK),
        # 004-01
        ("sightline --logdir results/logs/tensorboard", ["results/logs/tensorboard"], 6006, LOOPBACK),
        ("sightline --logdir results/logs/tensorboard --reload_multifile=true "
         "--samples_per_plugin scalars=100 --port=6006", ["results/logs/tensorboard"], 6006, LOOPBACK),
        # 002-01
        ("sightline --logdir=runs", ["runs"], 6006, LOOPBACK),
        ("sightline --logdir=tb_logs/", ["tb_logs/"], 6006, LOOPBACK),
        ("sightline --logdir runs/", ["runs/"], 6006, LOOPBACK),
        ("sightline --logdir=runs,other", ["runs,other"], 6006, LOOPBACK),
        ("sightline --logdir_spec=a:runs,b:other", ["a:runs,b:other"], 6006, LOOPBACK),
        ("sightline --logdir=runs --logdir=other", ["runs", "other"], 6006, LOOPBACK),
        # our own short form
        ("sightline runs", ["runs"], 6006, LOOPBACK),
        ("sightline serve runs other", ["runs", "other"], 6006, LOOPBACK),
        ("sightline runs --port 7000 other", ["runs", "other"], 7000, LOOPBACK),
    ],
)  # fmt: skip
def test_a_line_of_the_guides_is_understood(line: str, paths: list[str], port: int, host: str) -> None:
    plan = plan_of(line)
    assert (list(plan.paths), plan.port, plan.host) == (paths, port, host)
    assert parse_roots(plan.paths, may_be_missing=True)


def test_a_glob_that_the_shell_left_alone_is_expanded() -> None:
    """000-13: a shell does not look inside of --logdir=…"""
    roots = parse_roots(plan_of("sightline --logdir=runs/2026-02-10*").paths, may_be_missing=True)
    assert [root.prefix for root in roots] == ["2026-02-10_011", "2026-02-10_012"]
    (notice,) = plan_of("sightline --logdir=runs/2026-02-10*").notices
    assert notice == "Directories that match later are seen after a restart: runs/2026-02-10*"


def test_a_glob_that_the_shell_expanded_is_several_directories() -> None:
    plan = plan_of("sightline --logdir runs/2026-02-10_011 runs/2026-02-10_012 --port 6006")
    assert sorted(plan.paths) == ["runs/2026-02-10_011", "runs/2026-02-10_012"]


@pytest.mark.parametrize("spelling", [("runs_dir", "port"), ("runs_directory", "default_port")])
def test_the_settings_of_the_project_are_used(spelling: tuple[str, str], tmp_path: Path) -> None:
    """000-04: with the spellings of the guide, and with those of its code."""
    (tmp_path / "configs").mkdir()
    content = {spelling[0]: "runs", spelling[1]: 6010, "histogram_interval": 0, "max_port_attempts": 4}
    (tmp_path / "configs" / "tensorboard.json").write_text(json.dumps(content), "utf-8")
    plan = plan_of("sightline")
    assert (plan.paths, plan.port, plan.port_attempts) == (("runs",), 6010, 4)
    assert plan.histogram_interval == 0
    assert "configs/tensorboard.json" in plan.remarks[0]
    asked = plan_of("sightline --port 6011 other")
    assert (asked.paths, asked.port, asked.port_attempts) == (("other",), 6011, 1)


def test_flags_without_effect_are_told_in_one_line_and_on_the_page() -> None:
    """000-14, 004-01"""
    plan = plan_of(
        "sightline --logdir runs --reload_multifile=true --samples_per_plugin scalars=100 --load_fast=false "
        "--max_reload_threads=1 --generic_data=auto"
    )
    (line,) = plan.remarks
    for flag in ("--reload_multifile", "--samples_per_plugin", "--load_fast", "--max_reload_threads"):
        assert flag in line
        assert any(notice.startswith(f"{flag} has no effect: ") for notice in plan.notices)
    assert len(plan.notices) == 5
    assert plan_of("sightline --logdir runs --reload_interval 30").remarks == ()
