"""Samples of a scripted machine, and where they go."""

from __future__ import annotations

import gc
import logging
import math
import os
import sys
import threading
from pathlib import Path
from types import ModuleType, SimpleNamespace

import psutil
import pytest

import sightline
from sightline import SummaryWriter
from sightline.model.errors import BadArgumentError, MissingExtraError
from sightline.writer.story.system_metrics import Sample, SystemMetrics, SystemSampler, _NvmlGpus
from tests.writer.reading import events_of, scalars_of, values_of


class Machine:
    """Stands for psutil: counters that a test moves on."""

    def __init__(self) -> None:
        self.cpu = SimpleCpu(user=100.0, system=20.0, idle=800.0, iowait=80.0)
        self.process_s = 10.0
        self.disk: object = SimpleNamespace(read_bytes=1_000_000, write_bytes=2_000_000)
        self.network = SimpleNamespace(bytes_recv=0, bytes_sent=0)

    def cpu_times(self) -> SimpleCpu:
        return self.cpu

    def disk_io_counters(self) -> object:
        return self.disk

    def net_io_counters(self) -> object:
        return self.network

    def virtual_memory(self) -> object:
        return SimpleNamespace(total=64e9, available=48e9, percent=25.0)

    def disk_usage(self, path: str) -> object:
        return SimpleNamespace(free=500e9)

    def Process(self) -> object:  # noqa: N802 (psutil's name)
        def cpu_times() -> object:
            return SimpleNamespace(user=self.process_s, system=0.0)

        return SimpleNamespace(cpu_times=cpu_times, memory_info=lambda: SimpleNamespace(rss=2e9))


class SimpleCpu(tuple[float, ...]):
    """A named tuple like psutil's; the time of guests is part of the user's."""

    def __new__(
        cls, *, user: float, system: float, idle: float, iowait: float, guest: float = 5.0
    ) -> SimpleCpu:
        self = super().__new__(cls, (user, system, idle, iowait, guest))
        self.idle, self.iowait, self.guest = idle, iowait, guest
        return self

    idle: float
    iowait: float
    guest: float


class Clock:
    def __init__(self) -> None:
        self.now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


def no_gpus() -> Sample:
    return {}


# ── samples ─────────────────────────────────────────────────────────────────────────────────────────────


def test_rates_are_over_the_time_since_the_sample_before() -> None:
    machine, clock = Machine(), Clock()
    sampler = SystemSampler(".", psutil=machine, gpus=no_gpus, clock=clock)
    clock.now_s += 10
    machine.cpu = SimpleCpu(user=104.0, system=21.0, idle=813.0, iowait=82.0)  # busy 5 of 20 s on two cores
    machine.process_s += 4
    machine.disk = SimpleNamespace(read_bytes=31_000_000, write_bytes=2_000_000)
    machine.network = SimpleNamespace(bytes_recv=5_000_000, bytes_sent=1_000_000)
    assert sampler.sample() == pytest.approx(
        {
            "system/cpu_percent": 25.0,
            "system/process_cpu_percent": 40.0,
            "system/disk_read_mb_per_s": 3.0,
            "system/disk_write_mb_per_s": 0.0,
            "system/network_in_mb_per_s": 0.5,
            "system/network_out_mb_per_s": 0.1,
            "system/memory_gb": 16.0,
            "system/memory_percent": 25.0,
            "system/process_memory_gb": 2.0,
            "system/disk_free_gb": 500.0,
        }
    )
    clock.now_s += 2
    machine.network = SimpleNamespace(bytes_recv=7_000_000, bytes_sent=1_000_000)
    assert sampler.sample()["system/network_in_mb_per_s"] == pytest.approx(1.0)


def test_what_a_machine_cannot_tell_is_left_out() -> None:
    machine, clock = Machine(), Clock()
    machine.disk = None  # as in containers
    sampler = SystemSampler(".", psutil=machine, gpus=lambda: {}["none"], clock=clock)
    machine.network = SimpleNamespace(bytes_recv=-5, bytes_sent=-5)  # counters that were reset
    clock.now_s += 1
    found = sampler.sample()
    assert "system/memory_gb" in found
    assert not any("disk_read" in name or "network" in name for name in found)


def test_the_real_machine_tells_sensible_numbers(tmp_path: Path) -> None:
    clock = Clock()
    sampler = SystemSampler(str(tmp_path), clock=clock)
    clock.now_s += 1e-6
    found = sampler.sample()
    memory = psutil.virtual_memory()
    assert found["system/memory_gb"] == pytest.approx((memory.total - memory.available) / 1e9, rel=0.5)
    assert found["system/disk_free_gb"] == pytest.approx(psutil.disk_usage(str(tmp_path)).free / 1e9, rel=0.5)
    assert 0 < found["system/process_memory_gb"] < memory.total / 1e9
    assert all(math.isfinite(value) and value >= 0 for value in found.values())


def test_gpus_are_told_by_number_and_without_what_they_do_not_know(monkeypatch: pytest.MonkeyPatch) -> None:
    def power(handle: int) -> int:
        if handle == 1:
            raise RuntimeError("not supported")
        return 250_000

    nvml = ModuleType("pynvml")
    nvml.__dict__.update(
        NVML_TEMPERATURE_GPU=0,
        nvmlInit=lambda: None,
        nvmlDeviceGetCount=lambda: 2,
        nvmlDeviceGetHandleByIndex=lambda number: number,
        nvmlDeviceGetUtilizationRates=lambda handle: SimpleNamespace(gpu=90 + handle),
        nvmlDeviceGetMemoryInfo=lambda handle: SimpleNamespace(used=20e9, total=80e9),
        nvmlDeviceGetTemperature=lambda handle, sensor: 65,
        nvmlDeviceGetPowerUsage=power,
    )
    monkeypatch.setitem(sys.modules, "pynvml", nvml)
    found = _NvmlGpus().sample()
    assert {name: value for name, value in found.items() if name.startswith("gpu0/")} == {
        "gpu0/utilization_percent": 90.0,
        "gpu0/memory_gb": 20.0,
        "gpu0/memory_percent": 25.0,
        "gpu0/temperature_c": 65.0,
        "gpu0/power_w": 250.0,
    }
    assert found["gpu1/utilization_percent"] == 91.0
    assert "gpu1/power_w" not in found


def test_no_nvml_is_no_trouble(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pynvml", None)
    assert _NvmlGpus().sample() == {}


# ── into the file ───────────────────────────────────────────────────────────────────────────────────────


def steps_of(directory: Path) -> list[int]:
    return [step for step, value in values_of(directory) if value.tag == "system/x"]


def metrics_of(writer: SummaryWriter, value: float = 1.0) -> SystemMetrics:
    return SystemMetrics(
        writer, sample=lambda: {"system/x": value, "system/y": 2.0}, wall_clock=lambda: 1234.5
    )


def test_a_sample_is_one_event_at_the_last_step(tmp_path: Path) -> None:
    with SummaryWriter(tmp_path, story=False) as writer:
        metrics = metrics_of(writer)
        metrics.take()
        writer.add_scalar("loss", 1.0, 7)
        writer.add_scalar("loss", 1.0, 5)
        metrics.take()
    events = [event for event in events_of(tmp_path) if any(v.tag == "system/x" for v in event.summary.value)]
    assert [(event.step, event.wall_time) for event in events] == [(0, 1234.5), (7, 1234.5)]
    assert [[v.tag for v in event.summary.value] for event in events] == [["system/x", "system/y"]] * 2


def test_a_resumed_run_keeps_its_samples_until_it_has_a_step(tmp_path: Path) -> None:
    with SummaryWriter(tmp_path, story=False) as writer:
        writer.add_scalar("loss", 1.0, 100)
        metrics_of(writer).take()
    with SummaryWriter(tmp_path, story=False) as writer:
        metrics = metrics_of(writer)
        metrics.take()
        metrics.take()
        writer.add_scalar("loss", 1.0, 101)
        metrics.take()
    assert steps_of(tmp_path) == [100, 101, 101, 101]


def test_a_resumed_run_goes_on_with_the_timeline_of_its_metrics(tmp_path: Path) -> None:
    walltime = 1_000_000.0
    for steps in (range(10), range(8, 15)):  # crashed at 9, its last checkpoint was at 7
        walltime += 1
        with SummaryWriter(tmp_path, story=False) as writer:
            metrics = SystemMetrics(writer, sample=lambda: {"system/x": 1.0}, wall_clock=lambda: walltime)  # noqa: B023
            metrics.take()
            for step in steps:
                walltime += 1
                writer.add_scalar("loss", step, step, walltime=walltime)
                metrics.take()
    with sightline.open(tmp_path, watch=False).wait() as log:
        series = log["."].scalars["system/x"]
        assert series.step.tolist() == [0, *range(8), 8, *range(8, 15)]
        assert series.superseded.step.tolist() == [8, 9]


def test_a_resumed_run_that_logs_no_step_hides_nothing(tmp_path: Path) -> None:
    with SummaryWriter(tmp_path, story=False) as writer:
        writer.add_scalar("loss", 1.0, 100)
        metrics_of(writer).take()
    with SummaryWriter(tmp_path, story=False) as writer:
        metrics_of(writer).take()
    assert steps_of(tmp_path) == [100]


def test_trouble_is_said_once_and_training_goes_on(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    def fail() -> Sample:
        raise OSError("no such machine")

    with caplog.at_level(logging.ERROR, "sightline.writer"), SummaryWriter(tmp_path, story=False) as writer:
        metrics = SystemMetrics(writer, sample=fail)
        assert metrics.take()
        assert metrics.take()
    assert caplog.text.count("system metrics could not be taken") == 1


# ── the thread ──────────────────────────────────────────────────────────────────────────────────────────


def test_the_thread_samples_until_it_is_stopped(tmp_path: Path) -> None:
    has_sampled = threading.Event()

    def sample() -> Sample:
        has_sampled.set()
        return {"system/x": 1.0}

    with SummaryWriter(tmp_path, story=False) as writer:
        metrics = SystemMetrics(writer, 0.1, sample=sample)
        metrics.start()
        thread = metrics._thread
        assert thread is not None
        assert thread.daemon
        assert has_sampled.wait(60)
        metrics.stop()
        assert not thread.is_alive()
        metrics.stop()
    assert len(scalars_of(tmp_path)["system/x"]) >= 1


def test_the_thread_ends_with_its_writer(tmp_path: Path) -> None:
    writer = SummaryWriter(tmp_path, story=False)
    metrics = metrics_of(writer)
    writer.close()
    del writer
    gc.collect()
    assert metrics.take() is False


def test_one_argument_of_the_writer_turns_them_on(tmp_path: Path) -> None:
    with SummaryWriter(tmp_path, story=False, system_metrics=3600) as writer:
        assert writer._system_metrics is not None
        thread = writer._system_metrics._thread
        assert thread is not None
        assert thread.is_alive()
        writer._system_metrics.take()
    assert not thread.is_alive()
    # Of the CPU there is nothing to tell after so short a time.
    assert {"system/process_cpu_percent", "system/memory_gb", "system/disk_free_gb"} <= set(
        scalars_of(tmp_path)
    )


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_child_has_none(tmp_path: Path) -> None:
    writer = SummaryWriter(tmp_path, story=False, system_metrics=3600)
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            writer.close()
            status = 0 if threading.active_count() == 1 else 2
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    writer.close()


@pytest.mark.parametrize("interval_s", [0.0, -1.0, 0.01, math.inf, math.nan])
def test_a_senseless_interval_is_refused(tmp_path: Path, interval_s: float) -> None:
    with SummaryWriter(tmp_path, story=False) as writer, pytest.raises(BadArgumentError, match="interval"):
        SystemMetrics(writer, interval_s, sample=no_gpus)


def test_without_psutil_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psutil", None)
    with pytest.raises(MissingExtraError, match=r"sightline\[system\]"):
        SummaryWriter(tmp_path, story=False, system_metrics=True)
