"""What flags, settings and the environment come to: paths, hosts, tokens, addresses."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from sightline.cli.plan import ServePlan, page_urls
from sightline.model.addresses import EVERYWHERE
from sightline.model.errors import UserError
from tests.cli.plans import plan_of


@pytest.fixture(autouse=True)
def _nothing_around(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


# ── which logs ──────────────────────────────────────────────────────────────────────────────────────────


def test_without_anything_here_the_user_is_told_what_to_type() -> None:
    for line in ("sightline", "sightline --port 7000", "sightline --logdir ''", "sightline --db sqlite:x"):
        with pytest.raises(UserError, match=r"like: sightline runs .*sightline demo"):
            plan_of(line)


def test_a_directory_called_runs_is_shown_when_nothing_was_said(tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    plan = plan_of("sightline")
    assert plan.paths == ("runs",)
    assert plan.remarks == ("No log directory was given: showing ./runs",)


def test_the_settings_here_beat_the_directory_called_runs(tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    (tmp_path / "sightline.toml").write_text(
        'logdir = ["a", "old:b"]\nport = 7001\nwindow_title = "mine"\nexclude = "*test*"\n'
        'path_prefix = "tb/"\nallowed_hosts = ["gpu7"]\n',
        "utf-8",
    )
    plan = plan_of("sightline")
    assert plan.paths == ("a", "old:b")
    assert (plan.port, plan.port_attempts) == (7001, 10)
    assert (plan.window_title, plan.exclude, plan.path_prefix) == ("mine", ("*test*",), "/tb")
    assert plan.allowed_hosts == ("gpu7",)
    assert plan.remarks == ("Showing a, old:b, as set in sightline.toml",)


def test_deleting_is_allowed_only_by_those_who_say_so(tmp_path: Path) -> None:
    assert plan_of("sightline runs").is_delete_allowed is False
    assert plan_of("sightline runs --allow-delete").is_delete_allowed is True
    assert plan_of("sightline --allow_delete runs").paths == ("runs",)
    (tmp_path / "sightline.toml").write_text("allow_delete = true\n", "utf-8")
    assert plan_of("sightline runs").is_delete_allowed is True
    assert plan_of("sightline runs --allow-delete=false").is_delete_allowed is False


def test_flags_beat_settings(tmp_path: Path) -> None:
    (tmp_path / "sightline.toml").write_text(
        'logdir = "a"\nport = 7001\nhost = "10.0.0.1"\ninclude = ["x"]\nbind_all = true\n', "utf-8"
    )
    assert plan_of("sightline").host == EVERYWHERE
    plan = plan_of("sightline b --port 7002 --include y --host localhost")
    assert (plan.paths, plan.port, plan.port_attempts) == (("b",), 7002, 1)
    assert plan.include == ("y",)
    assert page_urls(plan, port=7002) == ["http://localhost:7002/"]


def test_a_settings_file_may_be_anywhere(tmp_path: Path) -> None:
    (tmp_path / "conf").mkdir()
    (tmp_path / "conf" / "mine.toml").write_text('logdir = ["a", "n:b", "/c", "s3://d/e"]', "utf-8")
    (tmp_path / "conf" / "mine.json").write_text('{"runs_dir": "a"}', "utf-8")
    assert plan_of("sightline --config conf/mine.toml").paths == ("conf/a", "n:conf/b", "/c", "s3://d/e")
    assert plan_of("sightline --config=conf/mine.json").paths == ("a",)


def test_without_settings_a_hundred_ports_are_tried_and_one_that_was_asked_for() -> None:
    assert plan_of("x").port_attempts == 100
    assert plan_of("x --port 6006").port_attempts == 1


def test_a_reload_interval_of_zero_means_read_once() -> None:
    assert not plan_of("x --reload_interval=0").is_followed
    assert plan_of("x --reload_interval=5").is_followed
    assert plan_of("x").is_followed


def test_the_flags_are_told_by_their_names_but_not_the_token() -> None:
    flags = plan_of("x --logdir y --samples_per_plugin scalars=1 --token secret").flags
    assert flags["logdir"] == "x,y"
    assert flags["samples_per_plugin"] == "scalars=1"
    assert flags["bind_all"] is None
    assert "secret" not in str(flags)


# ── who may connect ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "flags", ["", "--host localhost", "--host=127.0.0.1", "--host ::1", "--host 127.3.4.5"]
)
def test_for_this_machine_alone_no_token_is_asked(flags: str) -> None:
    assert plan_of(f"x {flags}").token is None


@pytest.mark.parametrize(
    "flags", ["--bind_all", "--host=0.0.0.0", "--host ::", "--host gpu7", "--host 10.1.2.3"]
)
def test_when_others_can_connect_a_token_is_made_up(flags: str) -> None:
    one, other = plan_of(f"x {flags}"), plan_of(f"x {flags}")
    assert one.token is not None
    assert len(one.token) >= 32
    assert one.token != other.token
    assert one.token in page_urls(one, port=1)[0]
    assert one.token not in repr(one)


def test_a_token_may_be_brought_by_flag_or_variable() -> None:
    assert plan_of("x --token abc").token == "abc"
    assert plan_of("x --bind_all --token abc").token == "abc"
    assert plan_of("x", {"SIGHTLINE_TOKEN": "abc"}).token == "abc"
    assert plan_of("x --token xyz", {"SIGHTLINE_TOKEN": "abc"}).token == "xyz"
    assert plan_of("x", {"SIGHTLINE_TOKEN": ""}).token is None


def test_a_token_may_be_refused_knowingly() -> None:
    plan = plan_of("x --bind_all --no-token", {"SIGHTLINE_TOKEN": "abc"})
    assert plan.token is None
    (warning,) = plan.remarks
    assert "whoever can reach this machine can read these logs" in warning
    assert "--no-token" in warning
    assert plan_of("x --no-token").remarks == ()


def test_more_names_of_the_server_may_be_allowed() -> None:
    assert plan_of("x").allowed_hosts == ()
    assert plan_of("x --allowed-hosts a,b --allowed-hosts=c").allowed_hosts == ("a", "b", "c")


# ── addresses ───────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("flags", "urls"),
    [
        ("", ["http://localhost:6006/"]),
        ("--host 127.0.0.1", ["http://127.0.0.1:6006/"]),
        ("--host ::1", ["http://[::1]:6006/"]),
        ("--path_prefix /a/b/", ["http://localhost:6006/a/b/"]),
        ("--path_prefix a", ["http://localhost:6006/a/"]),
        ("--token a/b", ["http://localhost:6006/?token=a%2Fb"]),
        ("--host gpu7 --no-token", ["http://gpu7:6006/"]),
    ],
)
def test_the_address_is_one_to_click_on(flags: str, urls: list[str]) -> None:
    assert page_urls(plan_of(f"x {flags}"), port=6006) == urls


@pytest.mark.parametrize("flags", ["--bind_all", "--host=0.0.0.0"])
def test_on_all_interfaces_the_name_of_the_machine_is_told(flags: str) -> None:
    urls = page_urls(plan_of(f"x {flags} --no-token"), port=80)
    assert urls == list(dict.fromkeys([f"http://{socket.gethostname()}:80/", "http://localhost:80/"]))


def test_a_plan_of_nothing_is_for_this_machine() -> None:
    assert page_urls(ServePlan(), port=1) == ["http://localhost:1/"]
