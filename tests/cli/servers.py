"""The real command in a process of its own. Ready means: it has printed its address."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

PATIENCE_S = 60

_direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class ServerProcess:
    """``sightline`` with these arguments, ready when made; ended by SIGTERM at the latest."""

    def __init__(
        self,
        *arguments: str | Path,
        cwd: Path,
        environ: Mapping[str, str] | None = None,
        wrapper: tuple[str, ...] = (),
    ) -> None:
        self._errors = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115 - closed by __exit__
        self.process = subprocess.Popen(
            [*wrapper, sys.executable, "-m", "sightline", *map(str, arguments)],
            cwd=cwd,
            env={**os.environ, **(environ or {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
        )
        assert self.process.stdout is not None
        self.line = self.process.stdout.readline()
        found = re.fullmatch(r"Sightline \S+ at (http://\S+) \(Press CTRL\+C to quit\)\n", self.line)
        if found is None:
            self.end(signal.SIGKILL)
            raise AssertionError(f"not ready: {self.line!r}, {self.errors()}")
        self.url = found[1]
        self.port = urlsplit(self.url).port

    def __enter__(self) -> ServerProcess:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end(signal.SIGTERM)
        if self.process.stdout is not None:
            self.process.stdout.close()
        self._errors.close()

    def end(self, how: signal.Signals) -> int:
        """Send a signal, if it is still there, and return the exit code."""
        if self.process.poll() is None:
            self.process.send_signal(how)
        try:
            return self.process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise

    def errors(self) -> str:
        """Everything on standard error so far."""
        self._errors.seek(0)
        return self._errors.read()

    def get(self, path: str, *, method: str = "GET", token: str = "") -> Any:
        """The JSON at a path below the root of the server; None for an empty answer."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/{path}", method=method, headers=headers
        )
        with _direct.open(request, timeout=PATIENCE_S) as answer:
            body = answer.read()
        return json.loads(body) if body else None

    def runs(self) -> list[str]:
        """After everything was looked at."""
        self.get("api/v1/reload", method="POST")
        return sorted(self.get("data/runs"))


def eventually(is_true: Callable[[], bool]) -> bool:
    """Asks again until the answer is yes; each question waits for the server, so nothing else has to."""
    deadline_s = time.monotonic() + PATIENCE_S
    while not is_true():
        if time.monotonic() > deadline_s:
            return False
    return True
