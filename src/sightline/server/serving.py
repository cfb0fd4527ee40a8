"""Runs the application on sockets until somebody asks it to stop.

uvicorn does the work. What is different here: open event streams end the moment a signal comes, so that
nobody waits for a browser, and after the end the signal is not raised again: the caller decides what ends
with the server.
"""

from __future__ import annotations

import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

import uvicorn

from sightline.log import Log
from sightline.server.app import make_app
from sightline.server.live import Hub
from sightline.server.memory import return_large_blocks
from sightline.server.options import ServerOptions

GRACE_S = 2
"""How long answers that are under way at the end may take."""

_KEEP_ALIVE_S = 75
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


def serve(
    log: Log,
    options: ServerOptions,
    *,
    sockets: list[socket.socket],
    on_ready: Callable[[], None] | None = None,
) -> None:
    """Serve until SIGINT or SIGTERM; returns then. ``on_ready`` is called when requests are answered.

    Outside of the main thread signals go to whoever runs there, and the server ends with the process.
    """
    app = make_app(log, options)
    return_large_blocks()
    config = uvicorn.Config(
        app,
        loop="asyncio",  # the same everywhere, whatever else is installed
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        ws="none",
        timeout_keep_alive=_KEEP_ALIVE_S,
        timeout_graceful_shutdown=GRACE_S,
    )
    _Server(config, app.state.hub, on_ready).run(sockets=sockets)


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, hub: Hub, on_ready: Callable[[], None] | None) -> None:
        super().__init__(config)
        self._hub = hub
        self._on_ready = on_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        if self.started and self._on_ready is not None:
            self._on_ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        super().handle_exit(sig, frame)
        self._hub.close_streams()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self.handle_exit) for number in _SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
