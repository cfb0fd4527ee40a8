"""The readers Sightline is compared with, each as "read this directory once, in a fresh process".

TensorBoard's data server is a binary of its own. With ``--reload once`` it loads everything and then only
serves; with ``--verbose`` it writes one line when the load cycle starts and one, with the cycle's
duration, when all runs are loaded. The second line ends the measurement, so nothing has to poll it while
it works. Its ``read_s`` is that duration (without its start-up, as Sightline's is without its imports).
Afterwards it is asked over gRPC for runs, series and last steps, so a load that silently found less cannot
count.
"""

from __future__ import annotations

import importlib
import re
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.fresh_process import Measurement, measure
from benchmarks.logdirs import LogDirectory
from benchmarks.machine import version_of
from benchmarks.process_memory import cpu_seconds, memory_use

Peer = Callable[[LogDirectory], Measurement]

# "Finished load cycle (4.241028824s)"; Rust prints a Duration in s, ms or µs.
FINISHED_LINE = re.compile(r"Finished load cycle \(([0-9.]+)(s|ms|µs)\)")
SECONDS_PER_UNIT = {"s": 1.0, "ms": 1e-3, "µs": 1e-6}
PLUGIN_OF_KIND = {"scalar": "scalars", "histogram": "histograms", "image": "images"}


class WrongContentError(Exception):
    """A reader did not find what the manifest says is there."""


def missing_packages() -> list[str]:
    """Packages of peers that are not installed; their columns stay empty."""
    packages = ("tensorboard-data-server", "tensorboard", "grpcio", "tbparse")
    return [name for name in packages if not version_of(name)]


def read_plainly(directory: LogDirectory) -> Measurement:
    measurement = measure("read_plain", str(directory.path))
    _require(directory, "plain read", size_bytes=(measurement.found["size_bytes"], directory.size_bytes))
    return measurement


def read_with_tensorboard(directory: LogDirectory) -> Measurement:
    measurement = measure("read_tensorboard", str(directory.path))
    _require(
        directory,
        "TensorBoard's Python reader",
        runs=(measurement.found["runs"], directory.runs),
        series=(measurement.found["series"], directory.series),
    )
    return measurement


def read_with_tbparse(directory: LogDirectory) -> Measurement | None:
    """None for images: tbparse reads them only with TensorFlow."""
    if directory.kind == "image":
        return None
    measurement = measure("read_tbparse", str(directory.path), directory.kind)
    _require(directory, "tbparse", points=(measurement.found["points"], directory.points))
    return measurement


def read_with_data_server(directory: LogDirectory) -> Measurement:
    binary = importlib.import_module("tensorboard_data_server").server_binary()
    with tempfile.TemporaryDirectory() as scratch:
        port_file = Path(scratch) / "port"
        command = [binary, "--logdir", str(directory.path), "--port", "0", "--port-file", str(port_file)]
        command += ["--reload", "once", "--die-after-stdin", "--verbose"]
        start_s = time.perf_counter()
        with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            assert process.stdin is not None
            assert process.stderr is not None
            try:
                read_s = _wait_until_loaded(process.stderr)
                process_s = time.perf_counter() - start_s
                cpu_s = cpu_seconds(process.pid)
                memory = memory_use(process.pid)
                found = _ask_data_server(port=int(port_file.read_text()), kind=directory.kind)
            finally:
                process.stdin.close()
    _require(
        directory,
        "TensorBoard's data server",
        runs=(found["runs"], directory.runs),
        series=(found["series"], directory.series),
        last_step=(found["last_step"], directory.last_step),
    )
    return Measurement(
        read_s=read_s,
        process_s=process_s,
        cpu_s=cpu_s,
        peak_bytes=memory.peak_bytes,
        growth_bytes=memory.peak_bytes,
        anonymous_bytes=memory.anonymous_bytes,
        found=found,
    )


def _wait_until_loaded(lines: Any) -> float:
    """The server's own duration of the load cycle, once it has ended."""
    seen = []
    for line in lines:
        if match := FINISHED_LINE.search(line):
            return float(match[1]) * SECONDS_PER_UNIT[match[2]]
        seen.append(line)
    raise RuntimeError("the data server ended before it had loaded: " + "".join(seen[-5:]))


def _ask_data_server(*, port: int, kind: str) -> dict[str, int]:
    """Runs, series and the smallest of the series' last steps."""
    grpc = importlib.import_module("grpc")
    messages = importlib.import_module("tensorboard.data.proto.data_provider_pb2")
    services = importlib.import_module("tensorboard.data.proto.data_provider_pb2_grpc")
    plugin = messages.PluginFilter(plugin_name=PLUGIN_OF_KIND[kind])
    with grpc.insecure_channel(
        f"localhost:{port}", options=[("grpc.max_receive_message_length", -1)]
    ) as channel:
        provider = services.TensorBoardDataProviderStub(channel)
        runs = provider.ListRuns(messages.ListRunsRequest()).runs
        if kind == "scalar":
            listed = provider.ListScalars(messages.ListScalarsRequest(plugin_filter=plugin))
        elif kind == "histogram":
            listed = provider.ListTensors(messages.ListTensorsRequest(plugin_filter=plugin))
        else:
            listed = provider.ListBlobSequences(messages.ListBlobSequencesRequest(plugin_filter=plugin))
    tags = [tag for run in listed.runs for tag in run.tags]
    last_step = min(tag.metadata.max_step for tag in tags) if tags else -1
    return {"runs": len(runs), "series": len(tags), "last_step": last_step}


def _require(directory: LogDirectory, reader: str, **facts: tuple[int, int]) -> None:
    for name, (found, expected) in facts.items():
        if found != expected:
            raise WrongContentError(
                f"{reader} on {directory.name}: {name} is {found:,}, expected {expected:,}"
            )
