"""Server-sent events: what is new, told to every open page within a moment.

    reading thread ─▶ Journal ─▶ Hub (event loop, at most every 100 ms) ─▶ one Stream per page ─▶
    text/event-stream

Nothing is queued. A stream holds one batch of changes, and what comes while its reader is slow is merged into
it, so that memory does not grow with slowness, and a page that comes back from sleep gets one event instead
of a thousand.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from typing import TypeVar

from msgspec import Struct

from sightline.server.context import ServerContext
from sightline.server.journal import Batch
from sightline.wire.schemas import Hello, ReadProgress
from sightline.wire.text import wire_json
from sightline.wire.workspace_schemas import WorkspaceEvent

logger = logging.getLogger("sightline")

BATCH_INTERVAL_S = 0.1
"""Least time between two events of one stream."""

PROGRESS_INTERVAL_S = 0.25
STATUS_INTERVAL_S = 5.0
"""How often statuses are looked at again: a run that falls silent stalls without any change in a file."""

WORKSPACE_INTERVAL_S = 2.0
"""How often it is looked whether another server added something to the log: a few ``stat`` each time."""

KEEP_ALIVE_S = 15.0
"""Proxies close connections on which nothing comes for a minute, some sooner."""

MAX_STREAMS = 200
"""One per open page. More are not people."""

RETRY_MS = 1000

Result = TypeVar("Result")
RunInThread = Callable[[Callable[[], Result]], Awaitable[Result]]


class Stream:
    """One open page: what it has not been told yet."""

    def __init__(self) -> None:
        self._batch: Batch | None = None
        self._progress: ReadProgress | None = None
        self._wake = asyncio.Event()
        self._is_closed = False

    def add(self, batch: Batch) -> None:
        if self._batch is None:
            self._batch = Batch()
        self._batch.merge(batch)
        self._wake.set()

    def tell_progress(self, progress: ReadProgress) -> None:
        self._progress = progress
        self._wake.set()

    def close(self) -> None:
        self._is_closed = True
        self._wake.set()

    async def texts(self, hello: Hello) -> AsyncIterator[bytes]:
        """The events as they are written; ends when the stream is closed."""
        yield f"retry: {RETRY_MS}\n\n".encode() + _event("hello", hello, hello.revision)
        while not self._is_closed:
            try:
                await asyncio.wait_for(self._wake.wait(), KEEP_ALIVE_S)
            except (asyncio.TimeoutError, TimeoutError):
                yield b": still here\n\n"
                continue
            self._wake.clear()
            text = self._take_text()
            if text:
                yield text

    def _take_text(self) -> bytes:
        batch, self._batch = self._batch, None
        progress, self._progress = self._progress, None
        text = b""
        if batch is not None and batch.has_changes:
            text += _event("change", batch.event(), batch.revision)
        if batch is not None and batch.workspace_version is not None:
            text += _event("workspace", WorkspaceEvent(batch.workspace_version))
        if progress is not None:
            text += _event("progress", progress)
        return text


def _event(name: str, data: Struct, revision: int | None = None) -> bytes:
    lines = [f"event: {name}".encode()]
    if revision is not None:
        lines.append(f"id: {revision}".encode())
    lines.append(b"data: " + wire_json(data))  # JSON has no line breaks of its own
    return b"\n".join(lines) + b"\n\n"


class Hub:
    """Takes what the journal has and gives it to all streams. Lives on one event loop."""

    def __init__(self, context: ServerContext, run_in_thread: RunInThread[object]) -> None:
        self._context = context
        self._run_in_thread = run_in_thread
        self._streams: set[Stream] = set()
        self._wake = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._is_closed = False

    # ── life ─────────────────────────────────────────────────────────────────────────────────────────────

    def start(self) -> None:
        """Begin, on the running event loop."""
        loop = asyncio.get_running_loop()
        self._loop = loop
        self._wake = asyncio.Event()
        self._wake.set()  # there may be something to take already

        def wake() -> None:
            with suppress(RuntimeError):  # the loop was closed: nobody listens any more
                loop.call_soon_threadsafe(self._wake.set)

        self._context.journal.call_when_pending(wake)
        statuses, workspace = self._context.run_tables.review, self._context.workspace.refresh
        works = (
            self._tell(),
            self._watch_reading(),
            self._look_again(STATUS_INTERVAL_S, statuses, "the statuses of runs"),
            self._look_again(WORKSPACE_INTERVAL_S, workspace, "what was added to the log"),
        )
        self._tasks = [asyncio.ensure_future(work) for work in works]

    def close_streams(self) -> None:
        """End all streams at once, and let no new one begin. May be called from any thread."""
        self._is_closed = True
        if self._loop is not None:
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._close_each)

    def _close_each(self) -> None:
        for stream in self._streams:
            stream.close()

    async def stop(self) -> None:
        self._is_closed = True
        self._close_each()
        self._context.journal.call_when_pending(lambda: None)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # ── streams ──────────────────────────────────────────────────────────────────────────────────────────

    def open_stream(self) -> Stream | None:
        """None when there are too many already."""
        if len(self._streams) >= MAX_STREAMS:
            return None
        stream = Stream()
        if self._is_closed:
            stream.close()
        self._streams.add(stream)
        return stream

    def end_stream(self, stream: Stream) -> None:
        self._streams.discard(stream)

    async def events(self, stream: Stream) -> AsyncIterator[bytes]:
        """What is sent on a stream, from hello to its end."""
        context = self._context
        stream.tell_progress(context.progress())
        try:
            async for text in stream.texts(Hello(context.server_id, context.revision)):
                yield text
        finally:
            self.end_stream(stream)

    # ── tasks ────────────────────────────────────────────────────────────────────────────────────────────

    # What fails here is logged, and the next turn may go better: a task that ended would leave every page as
    # it is, and nobody would know.

    async def _tell(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            try:
                batch = self._context.journal.take_batch()
                if batch is not None:
                    for stream in self._streams:
                        stream.add(batch)
            except Exception:
                logger.exception("Telling pages what is new failed")
                self._wake.set()  # what could not be taken is still there
            await asyncio.sleep(BATCH_INTERVAL_S)

    async def _watch_reading(self) -> None:
        """Progress, while the log is read for the first time."""
        is_done = False
        while not is_done:
            try:
                progress = self._context.progress()
                await self._run_in_thread(self._context.notice_runs)
                for stream in self._streams:
                    stream.tell_progress(progress)
                is_done = progress.is_done
            except Exception:
                logger.exception("Following the reading of the log failed")
            if not is_done:
                await asyncio.sleep(PROGRESS_INTERVAL_S)

    async def _look_again(self, interval_s: float, look: Callable[[], object], what: str) -> None:
        """For as long as any page is open."""
        while True:
            await asyncio.sleep(interval_s)
            if self._streams:
                try:
                    await self._run_in_thread(look)
                except Exception:
                    logger.exception("Looking at %s failed", what)
