"""Server-sent events over a real connection: hello, changes, progress, and an end that comes at once."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from sightline.log import open_log
from sightline.server import ServerOptions, make_app
from sightline.server.journal import Batch
from sightline.server.live import MAX_STREAMS, Stream
from sightline.wire.schemas import Hello
from tests.event_logs import append, points, write_run
from tests.server.clients import serving, two_runs

TIMEOUT = httpx.Timeout(30)


class Events:
    """The events of one connection, one by one."""

    def __init__(self, response: httpx.Response) -> None:
        self._lines = response.iter_lines()

    def next(self, name: str | None = None) -> dict[str, Any]:
        """The next event (of that name), as its data and ``id``."""
        fields: dict[str, str] = {}
        for line in self._lines:
            if line.startswith(":"):
                continue
            if line:
                key, _, value = line.partition(": ")
                fields[key] = value
            elif "data" in fields and name in (None, fields["event"]):
                return {"event": fields["event"], "id": fields.get("id"), **json.loads(fields["data"])}
            else:
                fields = {}
        raise EOFError("the stream ended")


@pytest.fixture
def stream(tmp_path: Path) -> Iterator[tuple[Events, Path, Any]]:
    """Events of a server for two runs, with the directory and the log behind it."""
    log = two_runs(tmp_path)
    with (
        serving(make_app(log, ServerOptions())) as url,
        httpx.stream("GET", f"{url}/api/v1/events", timeout=TIMEOUT) as response,
    ):
        assert response.headers["content-type"].startswith("text/event-stream")
        assert "content-encoding" not in response.headers
        yield Events(response), tmp_path, log


def test_a_stream_begins_with_hello_and_progress(stream: tuple[Events, Path, Any]) -> None:
    events, _, _ = stream
    hello = events.next()
    assert hello["event"] == "hello"
    assert hello["id"] == str(hello["revision"])
    assert events.next("progress")["is_done"] is True


def test_a_new_point_is_told_with_its_run_and_tag(tmp_path: Path) -> None:
    log = two_runs(tmp_path)
    app = make_app(log, ServerOptions())
    journal = app.state.context.journal
    app.state.context.notice_runs()
    journal.take_batch()  # so that the point is the only news
    with (
        serving(app) as url,
        httpx.stream("GET", f"{url}/api/v1/events", timeout=TIMEOUT) as response,
    ):
        events = Events(response)
        revision = events.next("hello")["revision"]
        append(next((tmp_path / "b").iterdir()), points([10], begin_s=1_700_000_100))
        log.refresh()
        seen = events.next("change")
    assert (seen["tags"], seen["runs"]) == (["loss"], [journal.number("b")])
    assert (seen["reset"], seen["removed"], seen["has_new_series"]) == ([], [], False)
    assert seen["revision"] > revision
    assert seen["id"] == str(seen["revision"])


@pytest.mark.parametrize(("owner", "method"), [("journal", "take_batch"), (None, "notice_runs")])
def test_what_fails_once_is_logged_and_pages_are_told_nevertheless(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    owner: str | None,
    method: str,
) -> None:
    log = two_runs(tmp_path)
    app = make_app(log, ServerOptions())
    place = app.state.context if owner is None else getattr(app.state.context, owner)
    original = getattr(place, method)
    failures = [RuntimeError("once")]

    def fails_once() -> Any:
        if failures:
            raise failures.pop()
        return original()

    monkeypatch.setattr(place, method, fails_once)
    with (
        serving(app) as url,
        httpx.stream("GET", f"{url}/api/v1/events", timeout=TIMEOUT) as response,
    ):
        events = Events(response)
        write_run(tmp_path / "c", points(range(3)))
        log.refresh()
        number = app.state.context.journal.number("c")
        while number not in events.next("change")["runs"]:
            pass
    assert "once" in caplog.text


def test_a_removed_run_is_told(stream: tuple[Events, Path, Any]) -> None:
    events, directory, log = stream
    events.next("hello")
    next((directory / "a").iterdir()).unlink()
    log.refresh()
    removed: list[int] = []
    while not removed:
        removed = events.next("change")["removed"]
    assert len(removed) == 1


def test_what_is_told_can_be_asked_for(tmp_path: Path) -> None:
    log = two_runs(tmp_path)
    with (
        serving(make_app(log, ServerOptions())) as url,
        httpx.stream("GET", f"{url}/api/v1/events", timeout=TIMEOUT) as response,
    ):
        events = Events(response)
        events.next("hello")
        before = httpx.get(f"{url}/api/v1/runs", timeout=TIMEOUT).json()
        write_run(tmp_path / "c", points(range(3)))
        log.refresh()
        new: list[int] = []
        while not any(run not in before["id"] for run in new):
            new = events.next("change")["runs"]
        since = {"since": before["revision"], "server_id": before["server_id"]}
        after = httpx.get(f"{url}/api/v1/runs", params=since, timeout=TIMEOUT).json()
    assert "c" in after["name"]
    assert set(after["id"]) & set(new)


def test_more_streams_than_people_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sightline.server.live.MAX_STREAMS", 1)
    assert MAX_STREAMS > 1
    with (
        serving(make_app(two_runs(tmp_path), ServerOptions())) as url,
        httpx.stream("GET", f"{url}/api/v1/events", timeout=TIMEOUT) as first,
    ):
        events = Events(first)
        events.next("hello")
        with httpx.stream("GET", f"{url}/api/v1/events", timeout=TIMEOUT) as second:
            assert second.status_code == 503


def test_a_stream_holds_one_batch_however_slow_its_reader() -> None:
    stream = Stream()
    for revision in range(1, 10_000):
        stream.add(Batch(revision, {revision % 7}, {f"tag-{revision % 5}"}))
    text = stream._take_text()
    assert text.count(b"event: change") == 1
    data = json.loads(text.split(b"data: ")[1])
    assert (data["revision"], data["runs"], len(data["tags"])) == (9_999, [0, 1, 2, 3, 4, 5, 6], 5)


def test_a_quiet_stream_is_kept_alive(monkeypatch: pytest.MonkeyPatch) -> None:
    import asyncio

    monkeypatch.setattr("sightline.server.live.KEEP_ALIVE_S", 0.001)

    async def first_two() -> list[bytes]:
        stream = Stream()
        texts = stream.texts(Hello("me", 3))
        return [await texts.__anext__(), await texts.__anext__()]

    hello, comment = asyncio.run(first_two())
    assert b"event: hello\nid: 3\ndata: " in hello
    assert comment.startswith(b":")


SERVER = """
import socket, sys, threading
from sightline.log import open_log
from sightline.server import ServerOptions, serve
listener = socket.create_server(("127.0.0.1", 0))
log = open_log(sys.argv[1], cache=False)
port = listener.getsockname()[1]
serve(log, ServerOptions(port=port), sockets=[listener], on_ready=lambda: print(port, flush=True))
print("after", flush=True)
log.close()
print("ended", flush=True)
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_server_and_its_streams_at_once(tmp_path: Path, number: signal.Signals) -> None:
    write_run(tmp_path / "a", points(range(3)))
    process = subprocess.Popen(
        [sys.executable, "-c", SERVER, str(tmp_path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ},
    )
    watchdog = threading.Timer(60, process.kill)
    watchdog.start()
    try:
        assert process.stdout is not None
        port = int(process.stdout.readline())
        url = f"http://127.0.0.1:{port}/api/v1/events"
        with httpx.stream("GET", url, timeout=TIMEOUT) as response:
            events = Events(response)
            events.next("hello")
            process.send_signal(number)
            with pytest.raises(EOFError):
                events.next("an event that never comes")
        out, error = process.communicate(timeout=60)
    finally:
        watchdog.cancel()
        process.kill()
        process.wait()
    assert out.split() == ["after", "ended"], error
    assert process.returncode == 0
    assert error == ""


def test_runs_that_only_the_cache_knows_are_noticed(tmp_path: Path) -> None:
    write_run(tmp_path / "log" / "a", points(range(3)))
    with open_log(tmp_path / "log", watch=False, cache=tmp_path / "cache").wait():
        pass
    log = open_log(tmp_path / "log", watch=False, cache=tmp_path / "cache").wait()
    context = make_app(log, ServerOptions()).state.context
    context.notice_runs()
    batch = context.journal.take_batch()
    assert batch is not None
    assert (len(batch.runs), batch.has_new_series) == (1, True)
    context.notice_runs()
    assert context.journal.take_batch() is None
