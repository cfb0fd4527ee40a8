"""``sightline serve`` for real: a process, a port, signals. Numbers are those of the project's checklist."""

from __future__ import annotations

import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from tests.cli.servers import PATIENCE_S, ServerProcess, eventually
from tests.event_logs import points, write_run


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for run in ("2026-02-10_011", "2026-02-10_012", "2026-02-11_001"):
        write_run(tmp_path / "runs" / run, points(range(3)))
    return tmp_path


def failed(*arguments: str | Path, cwd: Path) -> str:
    """What the command tells that ends at once with 2."""
    done = subprocess.run(
        [sys.executable, "-m", "sightline", *map(str, arguments)],
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )
    assert (done.returncode, done.stdout) == (2, "")
    return done.stderr


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_it_answers_and_ends_cleanly(how: signal.Signals, project: Path) -> None:
    """000-11: Ctrl+C and kill."""
    with ServerProcess("--logdir=runs", "--port=0", cwd=project) as server:
        assert server.url == f"http://localhost:{server.port}/"
        assert server.runs() == ["2026-02-10_011", "2026-02-10_012", "2026-02-11_001"]
        assert server.end(how) == 0
        assert server.errors() == ""


def test_it_ends_though_a_browser_listens(project: Path) -> None:
    with ServerProcess("runs", "--port=0", cwd=project) as server:
        stream = urllib.request.urlopen(f"http://127.0.0.1:{server.port}/api/v1/events", timeout=PATIENCE_S)
        with stream:
            assert stream.readline()
            assert server.end(signal.SIGINT) == 0
        assert "Traceback" not in server.errors()


def test_both_spellings_of_this_machine_answer(project: Path) -> None:
    """001-14: a tunnel leads to localhost, whichever address that is."""
    with ServerProcess("runs", "--port=0", cwd=project) as server:
        places = {place[0] for *_, place in socket.getaddrinfo("localhost", server.port)}
        assert places
        for host in ("localhost", *(f"[{place}]" if ":" in place else place for place in places)):
            with urllib.request.urlopen(
                f"http://{host}:{server.port}/api/v1/runs", timeout=PATIENCE_S
            ) as answer:
                assert answer.status == 200, host


def test_a_port_that_was_asked_for_and_is_taken_names_the_process(project: Path) -> None:
    """000-12"""
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        port = holder.getsockname()[1]
        told = failed("--logdir=runs", f"--port={port}", cwd=project)
    assert "Address already in use" in told
    assert f"port {port}" in told
    assert "Try --port " in told
    if sys.platform == "linux":
        assert f"(pid {os.getpid()})" in told
    assert told.count("\n") == 1


def test_a_port_that_was_not_asked_for_and_is_taken_gives_the_next_free_one(project: Path) -> None:
    with ServerProcess("runs", "--port=0", cwd=project) as first:
        (project / "sightline.toml").write_text(f"port = {first.port}\nmax_port_attempts = 100\n", "utf-8")
        with ServerProcess("runs", cwd=project) as second:
            assert second.port is not None
            assert first.port is not None
            assert second.port > first.port
            assert f"Port {first.port} is taken: using {second.port}" in second.errors()


def test_a_glob_attached_to_the_flag_is_expanded(project: Path) -> None:
    """000-13"""
    with ServerProcess("--logdir=runs/2026-02-10*", "--port=0", cwd=project) as server:
        assert server.runs() == ["2026-02-10_011", "2026-02-10_012"]


def test_a_directory_that_is_made_later_is_waited_for(tmp_path: Path) -> None:
    """001-16"""
    with ServerProcess("--logdir=runs", "--port=0", cwd=tmp_path) as server:
        assert f"Nothing there yet, waiting for it: {tmp_path / 'runs'}" in server.errors()
        assert server.runs() == []
        write_run(tmp_path / "runs" / "a", points(range(3)))
        assert eventually(lambda: server.runs() == ["a"])


def test_runs_that_are_moved_or_deleted_go_and_those_that_come_are_shown(project: Path) -> None:
    """000-15, 000-16, 001-17"""
    with ServerProcess("--logdir=runs", "--port=0", cwd=project) as server:
        assert len(server.runs()) == 3
        (project / "runs_archive").mkdir()
        (project / "runs" / "2026-02-10_011").rename(project / "runs_archive" / "2026-02-10_011")
        shutil.rmtree(project / "runs" / "2026-02-10_012")
        write_run(project / "runs" / "new", points(range(3)))
        assert eventually(lambda: server.runs() == ["2026-02-11_001", "new"])


def test_a_project_with_its_own_package_called_tensorboard_is_no_trouble(project: Path) -> None:
    """000-05: ``python -m`` looks for packages in the current directory first."""
    (project / "tensorboard").mkdir()
    (project / "tensorboard" / "__init__.py").write_text("raise RuntimeError('not this one')", "utf-8")
    with ServerProcess("--logdir=runs", "--port=0", cwd=project) as server:
        assert len(server.runs()) == 3


def test_it_survives_the_end_of_the_terminal_under_nohup(project: Path) -> None:
    """000-10, 001-15: no terminal is needed, and the address is flushed at once."""
    nohup = shutil.which("nohup")
    if nohup is None:
        pytest.skip("no nohup here")
    with ServerProcess("--logdir=runs", "--port=0", cwd=project, wrapper=(nohup,)) as server:
        server.process.send_signal(signal.SIGHUP)
        assert len(server.runs()) == 3
        assert server.end(signal.SIGTERM) == 0


def test_flags_without_effect_say_so_once(project: Path) -> None:
    """000-14, 004-01"""
    flags = ["--reload_multifile=true", "--samples_per_plugin", "scalars=100", "--max_reload_threads=1"]
    with ServerProcess("--logdir", "runs", *flags, "--port=0", cwd=project) as server:
        told = server.errors()
        assert told.count("\n") == 1
        assert told.startswith("sightline: No effect: ")


def test_for_other_machines_a_token_is_needed(project: Path) -> None:
    """001-12, 000-09"""
    with ServerProcess("--logdir=runs", "--bind_all", "--port", "0", cwd=project) as server:
        assert server.url.startswith(f"http://{socket.gethostname()}:{server.port}/?token=")
        with pytest.raises(urllib.error.HTTPError) as refused:
            server.get("api/v1/environment")
        assert refused.value.code == 401
        refused.value.close()
        token = server.url.partition("?token=")[2]
        assert server.get("api/v1/environment", token=token)["api_version"] == 1


def test_a_token_may_come_from_the_environment(project: Path) -> None:
    with ServerProcess("runs", "--port=0", cwd=project, environ={"SIGHTLINE_TOKEN": "a b"}) as server:
        assert server.url.endswith("/?token=a%20b")
        assert server.get("api/v1/environment", token="a b")["api_version"] == 1


def test_everything_is_below_the_path_prefix(project: Path) -> None:
    with ServerProcess("runs", "--port=0", "--path_prefix=/tb/", cwd=project) as server:
        assert server.url.endswith("/tb/")
        assert server.get("tb/api/v1/environment")["api_version"] == 1


def test_the_title_and_reading_once_reach_the_server(project: Path) -> None:
    flags = ["--window_title=mine", "--reload_interval=0"]
    with ServerProcess("runs", "--port=0", *flags, cwd=project) as server:
        environment = server.get("api/v1/environment")
        assert environment["window_title"] == "mine"
        assert environment["is_following"] is False


def test_the_browser_is_opened_when_the_page_is_there(project: Path) -> None:
    pipe = project / "pipe"
    os.mkfifo(pipe)
    browser = project / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {pipe}\n', "utf-8")
    browser.chmod(0o755)
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        with ServerProcess(
            "runs", "--port=0", "--open", cwd=project, environ={"BROWSER": f"{browser} %s"}
        ) as server:
            assert select.select([reading], [], [], PATIENCE_S)[0]
            assert os.read(reading, 1000).decode() == server.url + "\n"
    finally:
        os.close(reading)
