"""The guides are right: examples run, every flag and every public name is explained."""

from __future__ import annotations

import argparse
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import sightline
from sightline.cli.arguments import make_parser
from sightline.server.app import api_routes
from sightline.server.tensorboard.dispatch import MAX_FORM_BYTES
from sightline.wire.routes import MAX_BODY_BYTES

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory in which the path that the guides use holds the demo logs."""
    directory = tmp_path_factory.mktemp("project")
    demo = [sys.executable, str(ROOT / "examples" / "make_demo.py"), str(directory / "build" / "demo-logs")]
    subprocess.run(demo, check=True, capture_output=True)
    return directory


def flags_of(parser: argparse.ArgumentParser) -> Iterator[str]:
    for action in parser._actions:
        yield from action.option_strings
        if isinstance(action, argparse._SubParsersAction):
            for name, child in action.choices.items():
                yield name
                yield from flags_of(child)


def test_the_examples_of_the_reading_guide_run(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project)
    blocks = re.findall(r"```python\n(.*?)```", (DOCS / "reading.md").read_text("utf-8"), re.DOTALL)
    assert len(blocks) > 8
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, "reading.md", "exec"), names)
    log = names["log"]
    assert isinstance(log, sightline.Log)
    assert len(log.damage) == 1


def test_the_reading_guide_tells_the_truth_about_the_demo(project: Path) -> None:
    with sightline.open(project / "build" / "demo-logs", watch=False).wait() as log:
        restarted = log["cnn/restarted"].scalars["train/loss"]
        assert (restarted.superseded.step[0], restarted.superseded.step[-1]) == (1000, 1299)
        assert str(log.damage[0]).startswith(
            "Bad payload checksum at byte 689,472 of run mlp/damaged: skipped 54 bytes"
        )


def test_every_flag_and_command_is_in_the_guide_of_the_command_line() -> None:
    guide = (DOCS / "cli.md").read_text("utf-8")
    for flag in set(flags_of(make_parser())) - {"-h", "--help"}:
        assert flag in guide, flag


def test_the_guides_know_how_large_requests_may_be() -> None:
    """That of the API names the routes that take more than the others; that of security has the sizes."""
    large: dict[str, set[str]] = {}
    for route in api_routes():
        if route.method == "POST":
            large.setdefault(f"{route.max_body_bytes >> 20} MiB", set()).add(f"POST {route.path}")
    usual = f"{MAX_BODY_BYTES >> 20} MiB"
    del large[usual]
    api = (DOCS / "http-api.md").read_text("utf-8")
    told = re.search(rf"Requests may be {usual} large, (.*?)\. A request", api, re.DOTALL)
    assert told is not None
    named = {
        size: set(re.findall(r"`(POST [^`]+)`", routes))
        for routes, size in re.findall(r"(.*?) (\d+ MiB)", told[1], re.DOTALL)
    }
    assert named == large
    security = (DOCS / "security.md").read_text("utf-8")
    told = re.search(r"Requests are bounded: (.*?) 512 charts", security, re.DOTALL)
    assert told is not None
    forms = f"{MAX_FORM_BYTES >> 20} MiB"
    assert re.findall(r"\d+ MiB", told[1]) == [usual, *large, forms]


def shown_by(command: str, *, project: Path) -> str:
    """The output of a command of a guide; what differs from time to time and place to place is not in it."""
    done = subprocess.run(
        [sys.executable, "-m", *shlex.split(command)],
        cwd=project,
        env={**os.environ, "TZ": "UTC"},
        check=True,
        capture_output=True,
        text=True,
    )
    return without_times(done.stdout.replace(str(project / "build" / "demo-logs"), "…"))


def without_times(text: str) -> str:
    return re.sub(r"read in [0-9.]+ \w+", "read in no time", text)


@pytest.mark.parametrize("guide", ["docs/cli.md"])
def test_output_that_a_guide_shows_is_real(guide: str, project: Path) -> None:
    samples = re.findall(r"```\n\$ (sightline .*)\n((?s:.*?))```", (ROOT / guide).read_text("utf-8"))
    assert samples
    for command, wanted in samples:
        assert shown_by(command, project=project).startswith(without_times(wanted)), command


def test_every_mapping_of_a_run_is_in_the_reading_guide() -> None:
    guide = (DOCS / "reading.md").read_text("utf-8")
    mappings = [name for name in vars(sightline.Run) if not name.startswith("_")]
    internal = {"media", "tags_of", "read_scalars", "name", "directories", "revision", "damage"}
    for name in set(mappings) - internal:
        assert f"run.{name}" in guide or f'"].{name}' in guide, name


def test_the_examples_of_the_logging_guide_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = (DOCS / "logging.md").read_text("utf-8")
    blocks = re.findall(r"```(python|json)\n(.*?)```", text, re.DOTALL)
    assert len(blocks) > 5
    names: dict[str, object] = {}
    for language, block in blocks:
        if language == "json":
            (tmp_path / "configs").mkdir()
            (tmp_path / "configs" / "tensorboard.json").write_text(block, "utf-8")
        else:
            exec(compile(block, "logging.md", "exec"), names)
    with sightline.open(tmp_path / "runs", watch=False, cache=False).wait() as log:
        assert len(log["exp1"].scalars["Loss/train"]) == len(log["exp2"].scalars["loss"]) == 100
        assert log["exp3"].scalars["loss"].step.tolist() == [10, 11]
    assert re.search(r"_001-baseline-lr002/logs/tensorboard$", str(names["log_dir"]))


def test_every_method_of_the_writer_is_in_the_logging_guide() -> None:
    guide = (DOCS / "logging.md").read_text("utf-8")
    short = {
        "add_custom_scalars_multilinechart": "…_multilinechart",
        "add_custom_scalars_marginchart": "…_marginchart",
    }
    for name in dir(sightline.SummaryWriter):
        if not name.startswith("_"):
            assert f"`{short.get(name, name)}" in guide or f".{name}(" in guide or f"{name}`" in guide, name


def test_the_variables_of_the_cache_are_in_its_guide() -> None:
    guide = (DOCS / "cache.md").read_text("utf-8")
    assert "SIGHTLINE_CACHE_DIR" in guide
    assert "SIGHTLINE_CACHE_LIMIT" in guide


def test_the_data_frame_example_runs(project: Path) -> None:
    shown = subprocess.run(
        [
            sys.executable,
            str(ROOT / "examples" / "read_to_dataframe.py"),
            "build/demo-logs",
            "--tag",
            "val/.*",
        ],
        cwd=project,
        check=True,
        capture_output=True,
        text=True,
    )
    assert "cnn/restarted" in shown.stdout
    assert "val/acc" in shown.stdout
    assert shown.stderr == ""
