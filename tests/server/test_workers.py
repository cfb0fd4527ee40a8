"""The lines that requests wait in: what was given up is skipped, and small answers do not wait behind large
ones."""

from __future__ import annotations

import asyncio
import logging
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import httpx
import pytest
from starlette.requests import Request
from starlette.types import Message, Scope

from sightline.server import ServerOptions, make_app
from sightline.server.dispatch import endpoint_for
from sightline.server.tensorboard.dispatch import endpoint_for as tensorboard_endpoint_for
from sightline.server.workers import Lines, Workers
from sightline.wire.routes import ApiRoute, Encoded
from tests.server.clients import BASE_URL, client_for, two_runs

Receive = Callable[[], Any]


async def _still_there() -> Message:
    await asyncio.Event().wait()
    raise AssertionError("nothing ever comes")


async def _gone() -> Message:
    return {"type": "http.disconnect"}


def request_for(method: str, receive: Receive) -> Request:
    scope: Scope = {
        "type": "http",
        "method": method,
        "path": "/x",
        "query_string": b"",
        "headers": [],
    }
    return Request(scope, receive)


def test_a_request_that_was_given_up_in_line_is_not_computed() -> None:
    asked: list[str] = []
    is_free = threading.Event()

    def handler(_context: Any, _request: None) -> Encoded:
        asked.append(threading.current_thread().name)
        assert is_free.wait(30)
        return Encoded(b"{}")

    async def ask() -> list[int]:
        workers = Workers(1)
        endpoint = endpoint_for(ApiRoute("GET", "x", "", handler), None, workers)  # type: ignore[arg-type]
        first = asyncio.ensure_future(endpoint(request_for("GET", _still_there)))
        while not asked:
            await anyio.sleep(0)
        rest = [
            asyncio.ensure_future(endpoint(request_for("GET", receive)))
            for receive in (_gone, _gone, _still_there)
        ]
        while workers.waiting_count < len(rest):
            await anyio.sleep(0)
        is_free.set()
        return [(await one).status_code for one in (first, *rest)]

    assert asyncio.run(ask()) == [200, 400, 400, 200]
    assert len(asked) == 2


@pytest.mark.parametrize("is_tensorboard", [False, True])
def test_a_sender_that_goes_away_is_no_failure(
    is_tensorboard: bool, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    context = client_for(two_runs(tmp_path)).app.state.context
    endpoint = (
        tensorboard_endpoint_for(lambda _context, _fields: [], context, Workers())
        if is_tensorboard
        else endpoint_for(ApiRoute("POST", "x", "", lambda _context, _request: None), context, Workers())
    )
    with caplog.at_level(logging.INFO):
        answer = asyncio.run(endpoint(request_for("POST", _gone)))  # type: ignore[arg-type]
    assert answer.status_code == 400
    assert caplog.text == ""


def test_a_server_starts_without_numpy_and_has_it_soon_after(tmp_path: Path) -> None:
    two_runs(tmp_path)
    program = """
import sys
from sightline.log import open_log
from sightline.server import ServerOptions, make_app
from sightline.server.app import warm_up
make_app(open_log(sys.argv[1], watch=False, cache=False), ServerOptions())
print("numpy" in sys.modules)
warm_up()
print("sightline.query.windows" in sys.modules, "sightline.query.tag_table" in sys.modules)
"""
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.split() == ["False", "True", "True"]


def test_small_answers_and_the_page_do_not_wait_behind_large_ones(tmp_path: Path) -> None:
    app = make_app(two_runs(tmp_path), ServerOptions())
    lines: Lines = app.state.lines
    is_free = threading.Event()

    async def ask() -> tuple[list[int], bool]:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url=BASE_URL) as client:
            blocking = [asyncio.ensure_future(lines.heavy.run(is_free.wait)) for _ in range(100)]
            while not lines.heavy.waiting_count:
                await anyio.sleep(0)
            large = asyncio.ensure_future(client.post("/api/v1/scalars", json={"queries": []}))
            points = asyncio.ensure_future(client.get("/data/plugin/timeseries/timeSeries?requests=[]"))
            paths = ("/", "/api/v1/environment", "/api/v1/runs", "/api/v1/tags", "/data/runs")
            small = [(await client.get(path)).status_code for path in paths]
            is_waiting = not large.done() and not points.done()
            is_free.set()
            await asyncio.gather(*blocking)
            return [*small, (await large).status_code, (await points).status_code], is_waiting

    statuses, is_waiting = asyncio.run(ask())
    assert is_waiting
    assert set(statuses[1:]) == {200}
    assert statuses[0] in (200, 503)  # 503: the page was not built
