"""Ways to ask a server in tests: in process without any socket, and a real one on a port of its own."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import uvicorn
from starlette.applications import Starlette

from sightline.log import Log, open_log
from sightline.server import ServerOptions, make_app
from tests.event_logs import points, write_run

BASE_URL = "http://localhost:6006"


class InProcess:
    """Asks an application directly. Nothing is followed, and what fails inside is a 500, as over a
    network."""

    def __init__(self, app: Starlette, *, base_url: str = BASE_URL) -> None:
        self.app = app
        self._base_url = base_url

    def ask(self, method: str, path: str, **arguments: Any) -> httpx.Response:
        async def ask() -> httpx.Response:
            transport = httpx.ASGITransport(self.app, raise_app_exceptions=False)
            async with httpx.AsyncClient(transport=transport, base_url=self._base_url) as client:
                return await client.request(method, path, **arguments)

        return asyncio.run(ask())

    def get(self, path: str, **arguments: Any) -> httpx.Response:
        return self.ask("GET", path, **arguments)

    def post(self, path: str, **arguments: Any) -> httpx.Response:
        return self.ask("POST", path, **arguments)

    def api(self, path: str, **arguments: Any) -> Any:
        """The JSON of a GET that has to succeed."""
        answer = self.get(f"/api/v1/{path}", **arguments)
        assert answer.status_code == 200, answer.text
        return answer.json()


def client_for(log: Log, **options: Any) -> InProcess:
    base_url = options.pop("base_url", BASE_URL)
    return InProcess(make_app(log, ServerOptions(**options)), base_url=base_url)


def two_runs(directory: Path) -> Log:
    """Runs a (loss at steps 0 to 4, acc at 0 to 2) and b (loss at steps 0 to 9), all read."""
    write_run(directory / "a", points(range(5)), points(range(3), tag="acc"))
    write_run(directory / "b", points(range(10)))
    return open_log(directory, watch=False, cache=False).wait()


@contextmanager
def serving(app: Starlette) -> Iterator[str]:
    """A real server on a free port, in a thread; yields its URL."""
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_config=None, lifespan="on", timeout_graceful_shutdown=1))
    is_ready = threading.Event()
    startup = server.startup

    async def startup_and_tell(sockets: list[socket.socket] | None = None) -> None:
        await startup(sockets=sockets)
        is_ready.set()

    server.startup = startup_and_tell  # type: ignore[method-assign]
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        assert is_ready.wait(30), "the server did not start"
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        app.state.hub.close_streams()
        server.should_exit = True
        thread.join(30)
        listener.close()
