"""How command lines are read: the default command, spellings, values of flags, and what mistakes are told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import sightline
from sightline.cli import main
from sightline.cli.arguments import parse_arguments
from sightline.cli.serve_flags import ALL_FLAGS, IDLE_FLAGS
from tests.cli.exits import exit_code
from tests.cli.plans import plan_of
from tests.event_logs import points, write_run


@pytest.mark.parametrize("flag", [f for f in ALL_FLAGS if f.metavar == "[BOOL]"], ids=lambda flag: flag.name)
def test_a_flag_that_is_true_or_false_takes_every_spelling(flag) -> None:  # type: ignore[no-untyped-def]
    for text, value in (
        ("true", True),
        ("False", False),
        ("1", True),
        ("0", False),
        ("yes", True),
        ("no", False),
    ):
        for words in ([f"{flag.option}={text}"], [flag.option, text]):
            assert getattr(parse_arguments(["x", *words]), flag.key) is value
    assert getattr(parse_arguments(["x", flag.option]), flag.key) is True
    assert getattr(parse_arguments([flag.option, "x"]), flag.key) is True
    assert parse_arguments([flag.option, "x"]).paths == ["x"]
    assert getattr(parse_arguments(["x"]), flag.key) is None


@pytest.mark.parametrize(
    ("words", "key", "value"),
    [
        (["--path-prefix=/a"], "path_prefix", "/a"),
        (["--path_prefix", "/a"], "path_prefix", "/a"),
        (["--reload-multifile-inactive-secs=-1"], "reload_multifile_inactive_secs", -1),
        (["--no_cache"], "no_cache", True),
        (["--allowed_hosts=a,b", "--allowed-hosts", "c"], "allowed_hosts", ["a,b", "c"]),
        (["--load_fast"], "load_fast", True),
        (["--load_fast", "auto"], "load_fast", "auto"),
        (["--reload_interval=0"], "reload_interval", 0.0),
    ],
)
def test_dashes_and_underscores_are_the_same(words: list[str], key: str, value: object) -> None:
    assert getattr(parse_arguments([*words, "runs"]), key) == value
    assert parse_arguments([*words, "runs"]).paths == ["runs"]


VALUES = {
    "samples_per_plugin": "scalars=500,images=0",
    "max_reload_threads": "4",
    "reload_multifile_inactive_secs": "86400",
}


@pytest.mark.parametrize("flag", IDLE_FLAGS, ids=lambda flag: flag.name)
def test_a_flag_with_nothing_to_do_is_accepted_and_says_why(flag) -> None:  # type: ignore[no-untyped-def]
    value = VALUES.get(flag.name, "true" if "BOOL" in flag.metavar else "x")
    plan = plan_of(f"sightline --logdir x {flag.option} {value}")
    assert plan.remarks == (f"No effect: {flag.option} ({flag.idle})",)
    assert plan.paths == ("x",)
    assert str(plan.flags[flag.name]).lower() == value


def test_the_rest_after_two_dashes_is_paths() -> None:
    assert parse_arguments(["a", "--port", "1", "--", "--odd", "b=c"]).paths == ["a", "--odd", "b=c"]


def test_a_path_named_like_a_command_is_reached_by_serve(tmp_path: Path) -> None:
    assert parse_arguments(["serve", "inspect"]).paths == ["inspect"]
    assert parse_arguments(["./inspect"]).paths == ["./inspect"]
    assert parse_arguments(["--logdir", "inspect"]).logdir == ["inspect"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--prot", "6006", "runs"], "--prot. Did you mean --port?  (see sightline serve --help)"),
        (["runs", "--bindall"], "Did you mean --bind_all?"),
        (["runs", "--bind-al"], "Did you mean --bind_all?"),
        (["runs", "--colour"], "unrecognized arguments: --colour"),
        (["inspect", "x", "--tgas"], "Did you mean --tags?  (see sightline inspect --help)"),
        (["insepct", "runs"], "no command and no path is named 'insepct'. Did you mean 'inspect'?"),
        (["dev", "upload", "--logdir", "runs"], "TensorBoard.dev was shut down"),
        (["runs", "--port", "70000"], "argument --port: a number from 0 to 65535, not '70000'"),
        (["runs", "--port", "abc"], "argument --port: a number from 0 to 65535, not 'abc'"),
        (["runs", "--bind_all=maybe"], "argument --bind_all: true or false, not 'maybe'"),
        (["runs", "--port"], "expected one argument"),
        (["demo", "--logdir", "x"], "unrecognized arguments: --logdir"),
        (["demo", "a", "b"], "The demo takes one directory, not 2"),
        (["demo", "--write-only"], "--write-only needs a directory"),
        (["runs", "--config", "s.yaml"], "--config names a .toml or a .json file: s.yaml"),
        (["runs", "--config", "missing.toml"], "Check the path of the settings: missing.toml"),
        (["runs", "--tag", "loss"], "--tag chooses what --inspect shows"),
        (["runs", "--host", "a", "--bind_all"], "--host and --bind_all do not go together"),
        (["runs", "--token", "a", "--no-token"], "--token and --no-token do not go together"),
        (["runs", "--token", ""], "A token has at least one character"),
        (["runs", "--path_prefix", "a?b"], "--path_prefix is a path like /sightline, not 'a?b'"),
        (["run*s"], "The pattern matches no directory and no event file"),
        (["events.out.tfevents.1"], "No such file or directory"),
    ],
)  # fmt: skip
def test_a_mistake_is_one_clear_line_and_exit_code_2(
    words: list[str], told: str, assert_refused: Any
) -> None:
    assert_refused(words, told)


@pytest.mark.parametrize("words", [["--version"], ["--version_tb"], ["--logdir", "x", "--version"]])
def test_the_version_is_told_wherever_it_is_asked_for(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_code(*words) == 0
    assert capsys.readouterr().out == f"sightline {sightline.__version__}\n"


@pytest.mark.parametrize("words", [["serve", "--help"], ["demo", "--help"], ["runs", "--help"]])
def test_serve_and_demo_have_help(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(*words) == 0
    assert "--bind_all [BOOL]" in capsys.readouterr().out


def test_tensorboards_inspect_is_ours(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write_run(tmp_path / "a", points(range(5), tag="loss"), points(range(3), tag="loss2"))
    assert main(["--inspect", "--logdir", str(tmp_path)]) == 0
    assert "1 run, 2 series, 8 points" in capsys.readouterr().out
    assert main(["--inspect", "--tag=loss", f"--logdir={tmp_path}"]) == 0
    assert "1 run, 1 series, 5 points" in capsys.readouterr().out
    assert main(["--inspect", "--event_file", str(file)]) == 0
    assert "1 run, 2 series, 8 points" in capsys.readouterr().out
