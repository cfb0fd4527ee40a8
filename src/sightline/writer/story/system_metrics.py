"""What the machine does while a run trains: CPU, memory, disk, network, GPUs, as scalars of the same run.

A thread takes a sample every few seconds and writes it as one event. The step of a sample is the last one
that the program logged: a chart of ``system/…`` lies below that of the loss, and a resumed run goes on with
its timeline. Until a resumed run has logged a step, its samples wait: at step 0 they would say that the run
starts all over, and hide everything it measured before.

Rates (percent of CPU, MB/s) are over the time since the sample before; the first one has a baseline, taken at
the start. psutil tells about the machine, NVML about GPUs of NVIDIA, where there is one.
"""

from __future__ import annotations

import os
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Literal

from sightline.model.errors import MissingExtraError
from sightline.writer.engine.arguments import checked_number
from sightline.writer.engine.base import WriterBase, log

DEFAULT_INTERVAL_S = 10.0
LEAST_INTERVAL_S = 0.1

Sample = dict[str, float]

# An hour at the default interval. A resumed run that loads data for longer than that loses the beginning.
_MOST_HELD_SAMPLES = 360
# At the end there is one more sample, if the last one is older than this: shorter rates mean nothing.
_LEAST_LAST_S = 1.0
_STOP_TIMEOUT_S = 5.0

_GB = 1e9
_MB = 1e6


class SystemMetrics:
    """Samples for one writer, from `start` until `stop` or until nobody holds the writer any more.

    A forked child has none: the thread stays with the parent.
    """

    def __init__(
        self,
        writer: WriterBase,
        interval_s: float | Literal[True] = DEFAULT_INTERVAL_S,
        *,
        sample: Callable[[], Sample] | None = None,
        wall_clock: Callable[[], float] = time.time,
    ) -> None:
        """True is the usual interval. Raises MissingExtraError without psutil, else BadArgumentError."""
        sentence = f"system_metrics is an interval of at least {LEAST_INTERVAL_S} seconds"
        self._sample = sample or SystemSampler(writer._directory).sample
        self._writer = weakref.ref(writer)
        wanted_s = DEFAULT_INTERVAL_S if interval_s is True else interval_s
        self._interval_s = checked_number(wanted_s, sentence, LEAST_INTERVAL_S, threading.TIMEOUT_MAX)
        self._wall_clock = wall_clock
        self._is_resumed = _has_other_files(writer)
        self._held: deque[tuple[Sample, float]] = deque(maxlen=_MOST_HELD_SAMPLES)
        self._has_failed = False
        self._pid = os.getpid()
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        self._thread = threading.Thread(target=self._work, name="sightline-system-metrics", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Takes a last sample and ends the thread. Does nothing in a forked child, and the second time."""
        if os.getpid() != self._pid:
            return  # a fork copies locks in whatever state they are
        self._stopping.set()
        thread, self._thread = self._thread, None
        if thread is not None and thread is not threading.current_thread():
            thread.join(_STOP_TIMEOUT_S)  # a driver may hang; the program must not

    def take(self) -> bool:
        """Takes one sample and writes it, or keeps it until a step is known. False: the writer is gone."""
        writer = self._writer()
        if writer is None:
            return False
        try:
            self._held.append((self._sample(), self._wall_clock()))
            step = writer._sink.last_step
            if self._is_resumed and step == 0:
                return True
            while self._held:
                values, wall_time = self._held.popleft()
                if values and writer._sink.add_scalars(values, step, wall_time):
                    writer._report()
        except Exception:
            if not self._has_failed:
                self._has_failed = True
                log.exception("system metrics could not be taken; this is said once")
        return True

    def _work(self) -> None:
        taken_s = time.monotonic()
        while True:
            is_last = self._stopping.wait(self._interval_s)
            if is_last and time.monotonic() - taken_s < min(_LEAST_LAST_S, self._interval_s):
                return
            if not self.take() or is_last:
                return
            taken_s = time.monotonic()


class SystemSampler:
    """Asks the machine. What it cannot tell is left out of the sample."""

    def __init__(
        self,
        directory: str,
        *,
        psutil: Any = None,
        gpus: Callable[[], Sample] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`directory` is on the disk whose free space is told."""
        self._psutil = psutil or _psutil()
        self._gpus = gpus or _NvmlGpus().sample
        self._directory = directory
        self._clock = clock
        self._process = self._psutil.Process()
        self._before = self._counters()
        self._before_s = clock()

    def sample(self) -> Sample:
        counters, now_s = self._counters(), self._clock()
        elapsed_s = now_s - self._before_s
        found = _rates(self._before, counters, elapsed_s) if elapsed_s > 0 else {}
        self._before, self._before_s = counters, now_s
        for part in (self._memory, self._disk, self._gpus):
            with suppress(Exception):  # no such thing on this machine, or not for us
                found |= part()
        return {f"system/{name}": value for name, value in found.items()}

    def _counters(self) -> Sample:
        """Numbers that only grow."""
        found: Sample = {}
        with suppress(Exception):
            times = self._psutil.cpu_times()
            # Time of guests is part of the user's.
            total = sum(times) - getattr(times, "guest", 0.0) - getattr(times, "guest_nice", 0.0)
            found["cpu_total_s"] = total
            found["cpu_busy_s"] = total - times.idle - getattr(times, "iowait", 0.0)
        with suppress(Exception):
            own = self._process.cpu_times()
            found["process_s"] = own.user + own.system
        with suppress(Exception):
            disk = self._psutil.disk_io_counters()
            found["disk_read"], found["disk_write"] = disk.read_bytes, disk.write_bytes
        with suppress(Exception):
            network = self._psutil.net_io_counters()
            found["network_in"], found["network_out"] = network.bytes_recv, network.bytes_sent
        return found

    def _memory(self) -> Sample:
        memory = self._psutil.virtual_memory()
        found = {
            "memory_gb": (memory.total - memory.available) / _GB,
            "memory_percent": float(memory.percent),
        }
        with suppress(Exception):
            found["process_memory_gb"] = self._process.memory_info().rss / _GB
        return found

    def _disk(self) -> Sample:
        return {"disk_free_gb": self._psutil.disk_usage(self._directory).free / _GB}


def _rates(before: Sample, after: Sample, elapsed_s: float) -> Sample:
    """What grew, as rates; counters that were reset or are new have none."""
    grown = {
        name: after[name] - before[name] for name in after if name in before and after[name] >= before[name]
    }
    found: Sample = {}
    if grown.get("cpu_total_s") and "cpu_busy_s" in grown:
        found["cpu_percent"] = 100.0 * grown["cpu_busy_s"] / grown["cpu_total_s"]
    if "process_s" in grown:
        found["process_cpu_percent"] = 100.0 * grown["process_s"] / elapsed_s  # of one core
    for name in ("disk_read", "disk_write", "network_in", "network_out"):
        if name in grown:
            found[f"{name}_mb_per_s"] = grown[name] / _MB / elapsed_s
    return found


class _NvmlGpus:
    """GPUs of NVIDIA by their number in the machine; none without the library or the driver."""

    def __init__(self) -> None:
        self._handles: list[Any] = []
        with suppress(Exception):
            import pynvml

            pynvml.nvmlInit()
            self._nvml = pynvml
            self._handles = [pynvml.nvmlDeviceGetHandleByIndex(i) for i in range(pynvml.nvmlDeviceGetCount())]

    def sample(self) -> Sample:
        found: Sample = {}
        for number, handle in enumerate(self._handles):
            for part in (self._utilization, self._memory, self._temperature, self._power):
                with suppress(Exception):  # not every device tells everything
                    found |= {f"gpu{number}/{name}": value for name, value in part(handle).items()}
        return found

    def _utilization(self, handle: Any) -> Sample:
        return {"utilization_percent": float(self._nvml.nvmlDeviceGetUtilizationRates(handle).gpu)}

    def _memory(self, handle: Any) -> Sample:
        memory = self._nvml.nvmlDeviceGetMemoryInfo(handle)
        return {"memory_gb": memory.used / _GB, "memory_percent": 100.0 * memory.used / memory.total}

    def _temperature(self, handle: Any) -> Sample:
        sensor = self._nvml.NVML_TEMPERATURE_GPU
        return {"temperature_c": float(self._nvml.nvmlDeviceGetTemperature(handle, sensor))}

    def _power(self, handle: Any) -> Sample:
        return {"power_w": self._nvml.nvmlDeviceGetPowerUsage(handle) / 1000.0}


def _psutil() -> Any:
    try:
        import psutil
    except ImportError as error:
        raise MissingExtraError("system_metrics", "system") from error
    return psutil


def _has_other_files(writer: WriterBase) -> bool:
    """Whether the directory of the run has event files that this writer did not make."""
    own = os.path.basename(writer._sink.path) if hasattr(writer, "_sink") else ""
    with suppress(OSError):
        return any("tfevents" in name and name != own for name in os.listdir(writer._directory))
    return False
