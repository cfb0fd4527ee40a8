"""The two servers that the page's benchmark compares, each started by its own command.

Both are asked over HTTP only, by the routes their own pages use. A server is ready when it has printed its
address, and loaded when its own routes say so: Sightline's run table, and for TensorBoard a list of runs and
tags that is complete by the generator's manifest.
"""

from __future__ import annotations

import http.client
import json
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from benchmarks.logdirs import PROJECT_ROOT, LogDirectory
from benchmarks.process_memory import cpu_seconds, memory_use

START_LIMIT_S = 120.0
LOAD_LIMIT_S = 300.0
_ADDRESS = re.compile(r"http://[^\s/]+:(\d+)/")
_POLL_S = 0.02


@dataclass(frozen=True)
class Answer:
    body: bytes
    duration_s: float


@dataclass
class Server:
    """A running server and what it costs."""

    name: str
    process: subprocess.Popen[str]
    port: int
    started_s: float
    """Of time.perf_counter, when the command was started."""

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def get(self, path: str, *, headers: dict[str, str] | None = None) -> Answer:
        return self._ask("GET", path, None, headers or {})

    def post_json(self, path: str, body: object) -> Answer:
        return self._ask("POST", path, json.dumps(body).encode(), {"Content-Type": "application/json"})

    def post_form(
        self, path: str, fields: dict[str, str], *, headers: dict[str, str] | None = None
    ) -> Answer:
        form = {"Content-Type": "application/x-www-form-urlencoded", **(headers or {})}
        return self._ask("POST", path, urlencode(fields).encode(), form)

    def _ask(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> Answer:
        start_s = time.perf_counter()
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LOAD_LIMIT_S)
        try:
            connection.request(method, path, body=body, headers=headers)
            response = connection.getresponse()
            data = response.read()
        finally:
            connection.close()
        if response.status != 200:
            raise RuntimeError(f"{self.name} answered {response.status} to {path}: {data[:200]!r}")
        return Answer(data, time.perf_counter() - start_s)

    def pids(self) -> list[int]:
        """The server and everything it started (TensorBoard's data server)."""
        found = [self.process.pid]
        for pid in found:
            children = Path(f"/proc/{pid}/task/{pid}/children")
            found += [int(child) for child in children.read_text().split()] if children.is_file() else []
        return found

    def cpu_s(self) -> float:
        return sum(cpu_seconds(pid) for pid in self.pids())

    def resident_bytes(self) -> int:
        return sum(memory_use(pid).resident_bytes for pid in self.pids())

    def anonymous_bytes(self) -> int:
        return sum(memory_use(pid).anonymous_bytes for pid in self.pids())


@contextmanager
def sightline_server(directory: Path, *, cache: Path, flags: Sequence[str] = ()) -> Iterator[Server]:
    command = [sys.executable, "-m", "sightline", "--logdir", str(directory), "--port", "0", *flags]
    environment = {**os.environ, "SIGHTLINE_CACHE_DIR": str(cache)}
    with _started("Sightline", command, environment=environment) as server:
        yield server


@contextmanager
def tensorboard_server(directory: Path, *, flags: Sequence[str] = ()) -> Iterator[Server]:
    """Its own command from the same environment; asked for a free port by number."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "tensorboard.main", "--logdir", str(directory)]
    command += ["--port", str(port), *flags]
    with _started("TensorBoard", command, environment=dict(os.environ)) as server:
        yield server


@contextmanager
def _started(name: str, command: Sequence[str], *, environment: dict[str, str]) -> Iterator[Server]:
    start_s = time.perf_counter()
    process = subprocess.Popen(
        command,
        cwd=PROJECT_ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        yield Server(name, process, _printed_port(name, process), start_s)
    finally:
        process.terminate()
        process.communicate(timeout=30)


def _printed_port(name: str, process: subprocess.Popen[str]) -> int:
    assert process.stdout is not None
    seen = []
    for line in process.stdout:
        if match := _ADDRESS.search(line):
            return int(match[1])
        seen.append(line)
    raise RuntimeError(f"{name} ended without an address: {''.join(seen[-5:])}")


def wait_until_loaded(server: Server, directory: LogDirectory) -> float:
    """Seconds from starting the command until the server has read everything of the directory."""
    is_loaded = _sightline_is_loaded if server.name == "Sightline" else _tensorboard_is_loaded
    while not is_loaded(server, directory):
        if time.perf_counter() - server.started_s > LOAD_LIMIT_S:
            raise RuntimeError(f"{server.name} has not read {directory.name} after {LOAD_LIMIT_S:.0f} s")
        time.sleep(_POLL_S)
    return time.perf_counter() - server.started_s


def _sightline_is_loaded(server: Server, directory: LogDirectory) -> bool:
    table: dict[str, Any] = json.loads(server.get("/api/v1/runs").body)
    return bool(table["progress"]["is_done"]) and sum(table["points"]) == directory.points


def _tensorboard_is_loaded(server: Server, directory: LogDirectory) -> bool:
    tags: dict[str, dict[str, object]] = json.loads(server.get("/data/plugin/scalars/tags").body)
    if sum(map(len, tags.values())) != directory.series:
        return False
    # The last run to be listed may still be read: ask for the end of its series.
    last_run = list(tags)[-1]
    query = urlencode({"run": last_run, "tag": next(iter(tags[last_run]))})
    points = json.loads(server.get(f"/data/plugin/scalars/scalars?{query}").body)
    return bool(points) and points[-1][1] == directory.last_step


def manifest_tags(directory: LogDirectory) -> list[str]:
    manifest = json.loads(directory.path.with_name(directory.path.name + ".json").read_text())
    return list(manifest["tags"])
