"""Headless Chromium as a Python object; what it does is in page_browser.mjs."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from benchmarks.logdirs import PROJECT_ROOT
from benchmarks.page_servers import Server, sightline_server

SCRIPT = Path(__file__).resolve().parent / "page_browser.mjs"
LINES = 1_000
CARDS = 200


class Browser:
    """One browser process; every measurement gets a fresh page with a fresh profile."""

    def __init__(self, *, has_webgl: bool = False) -> None:
        self._flags = ["--webgl"] if has_webgl else []

    def __enter__(self) -> Browser:
        self._process = subprocess.Popen(
            ["node", str(SCRIPT), *self._flags],
            cwd=PROJECT_ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._read()  # the browser is open
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(timeout=30)

    def first_chart(self, server: Server) -> float:
        """Seconds from starting the server's command."""
        started_at_s = time.time() - (time.perf_counter() - server.started_s)
        found = self._ask("first_chart", address=server.address, tool=server.name)
        return float(found["drawn_at_ms"]) / 1e3 - started_at_s

    def many_lines(self, server: Server, *, tag: str, is_full_screen: bool) -> dict[str, float]:
        options = {"tag": tag, "lines": LINES, "isFullScreen": is_full_screen}
        return self._ask("many_lines", address=server.address, **options)

    def scrolling(self, server: Server) -> dict[str, float]:
        return self._ask("scrolling", address=server.address, cards=CARDS)

    def gallery(self, server: Server, *, steps: Sequence[int]) -> dict[str, Any]:
        """Milliseconds until the first screen of pictures is drawn, and until it is at each of the steps."""
        return self._ask("gallery", address=server.address, steps=list(steps))

    def histograms(self, server: Server, *, look: str, last_step: int | None = None) -> dict[str, float]:
        """Milliseconds until those in sight are drawn, to a step if one is named; of the overview also frames
        while it is scrolled."""
        options = {"tool": server.name, "look": look, "lastStep": last_step}
        return self._ask("histograms", address=server.address, **options)

    def mesh(self, server: Server) -> dict[str, float]:
        """Milliseconds until the first mesh is drawn; then frames while it is turned. Needs WebGL."""
        return self._ask("mesh", address=server.address, tool=server.name)

    def live(self, scratch: Path, *, points: int) -> list[float]:
        """Seconds from the flush of each point in another process until it is drawn."""
        with tempfile.TemporaryDirectory() as cache:
            writer = subprocess.Popen(
                [sys.executable, "-m", "benchmarks.page_writer", str(scratch / "run")],
                cwd=PROJECT_ROOT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            assert writer.stdin is not None
            assert writer.stdout is not None

            def flushed_at_s(step: int) -> float:
                assert writer.stdin is not None
                assert writer.stdout is not None
                writer.stdin.write(f"{step}\n")
                writer.stdin.flush()
                return float(writer.stdout.readline())

            try:
                flushed_at_s(0)
                with sightline_server(scratch, cache=Path(cache)) as server:
                    self._ask("watch", address=server.address)
                    delays = []
                    for step in range(1, points + 1):
                        time.sleep(
                            0.2
                        )  # a training step; points that arrive together would share one drawing
                        flushed_s = flushed_at_s(step)
                        drawn_s = float(self._ask("drawn_to", step=step)["drawn_at_ms"]) / 1e3
                        delays.append(drawn_s - flushed_s)
                    return delays
            finally:
                writer.stdin.close()
                writer.wait(timeout=30)

    def _ask(self, command: str, **options: Any) -> dict[str, Any]:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"command": command, **options}) + "\n")
        self._process.stdin.flush()
        return self._read()

    def _read(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("the browser's process ended; is web/node_modules there, and Chromium?")
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            raise RuntimeError(f"the browser says: {answer['error']}")
        return answer
