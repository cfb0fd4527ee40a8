"""Facts about program and machine, from scripted places and from this very process."""

from __future__ import annotations

import os
import re
import sys
from importlib import metadata
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from sightline.writer.story import surroundings as gathering
from sightline.writer.story.surroundings import Launch, surroundings
from tests.writer.repositories import make_repository


def launch(directory: Path, *arguments: str, script: str = "") -> Launch:
    return Launch(["python", *arguments], str(directory), 1, 0.0, script)


def test_everything_is_there_for_a_real_process(tmp_path: Path) -> None:
    commit = make_repository(tmp_path)
    found = surroundings(launch(tmp_path, "train.py"))
    assert found["command"] == ["python", "train.py"]
    assert found["cwd"] == str(tmp_path)
    python = found["python"]
    assert isinstance(python, dict)
    assert python["version"].startswith(".".join(map(str, sys.version_info[:3])))
    assert python["implementation"] == sys.implementation.name
    git, host = found["git"], found["host"]
    assert isinstance(git, dict)
    assert isinstance(host, dict)
    assert git["commit"] == commit
    assert host["name"] == os.uname().nodename
    assert host["cpu_count"] == os.cpu_count()
    assert host["memory_bytes"] > 1 << 20


def test_where_process_numbers_count_is_recorded_when_the_system_tells(tmp_path: Path) -> None:
    (tmp_path / "sys/kernel/random").mkdir(parents=True)
    (tmp_path / "sys/kernel/random/boot_id").write_text("0b6f-1\n")
    (tmp_path / "self/ns").mkdir(parents=True)
    (tmp_path / "self/ns/pid").touch()
    host = gathering.host(str(tmp_path))
    assert (host["boot_id"], host["pid_namespace"]) == ("0b6f-1", (tmp_path / "self/ns/pid").stat().st_ino)
    assert not {"boot_id", "pid_namespace"} & gathering.host(str(tmp_path / "nothing")).keys()


def test_packages_are_those_that_importlib_finds(tmp_path: Path) -> None:
    found = gathering.packages(sys.path)
    wanted: dict[str, str] = {}
    for one in metadata.distributions():
        wanted.setdefault(re.sub(r"[-_.]+", "-", one.metadata["Name"]).lower(), one.version)
    assert {name: found.get(name) for name in wanted} == wanted


def test_the_first_package_on_the_path_counts_and_odd_names_are_passed_over(tmp_path: Path) -> None:
    for name in (
        "a/Foo_Bar-1.2.dist-info",
        "b/foo.bar-3.0.dist-info",
        "b/x-2.0-py3.11.egg-info",
        "b/y.dist-info",
        "b/z",
    ):
        (tmp_path / name).mkdir(parents=True)
    path = [str(tmp_path / "a"), str(tmp_path / "missing.zip"), str(tmp_path / "b")]
    assert gathering.packages(path) == {"foo-bar": "1.2", "x": "2.0"}


def test_only_listed_variables_are_taken_and_none_that_smells_of_a_secret() -> None:
    variables = {
        "CUDA_VISIBLE_DEVICES": "0,1",
        "SLURM_JOB_ID": "12",
        "SLURM_JWT": "abc",
        "SLURM_JOB_USER": "me",
        "NCCL_DEBUG": "INFO",
        "TORCH_LOGS": "x" * 5000,
        "TF_CPP_MIN_LOG_LEVEL": "2",
        "TF_VAR_admin": "abc",
        "TORCH_HUB_TOKEN": "abc",
        "XLA_FLAGS": "--dump=https://me:abc@host",
        "HOME": "/home/me",
        "AWS_SECRET_ACCESS_KEY": "abc",
    }
    found = gathering.environment(variables)
    assert sorted(found) == [
        *("CUDA_VISIBLE_DEVICES", "NCCL_DEBUG", "SLURM_JOB_ID"),
        *("TF_CPP_MIN_LOG_LEVEL", "TORCH_LOGS", "XLA_FLAGS"),
    ]
    assert found["XLA_FLAGS"] == "--dump=https://***@host"
    assert len(found["TORCH_LOGS"]) < 1100
    assert "abc" not in str(found)


def test_a_part_that_fails_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("no")

    for name in ("host", "devices", "packages", "environment", "code_state"):
        monkeypatch.setattr(gathering, name, fail)
    assert sorted(surroundings(launch(tmp_path))) == ["command", "cwd", "python"]


def test_a_long_command_line_is_cut() -> None:
    shown = gathering.command_line(["python", "x" * 5000, *map(str, range(2000))])
    assert len(shown) == gathering.MOST_ARGUMENTS + 1
    assert shown[1].endswith("(5,000 characters)")
    assert shown[-1] == "… and 1502 more"


def test_the_repository_of_the_script_counts_before_that_of_the_directory(tmp_path: Path) -> None:
    script = make_repository(tmp_path / "project")
    here = make_repository(tmp_path / "here", other_py="")
    (tmp_path / "bin").mkdir()

    def commit(script: Path) -> object:
        state = gathering.code_state(launch(tmp_path / "here", script=str(script)))
        return None if state is None else state["commit"]

    assert commit(tmp_path / "project" / "train.py") == script
    assert commit(tmp_path / "bin" / "installed") == here


def test_the_start_of_this_process_is_told_as_it_is() -> None:
    now = Launch.now()
    assert list(now.arguments) == sys.orig_argv
    assert (now.directory, now.pid) == (os.getcwd(), os.getpid())
    main = getattr(sys.modules["__main__"], "__file__", None)
    assert now.script in ("", os.path.abspath(main or ""))


# ── devices ─────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def no_nvml(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pynvml", None)


def test_nvml_tells_name_memory_and_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    nvml = ModuleType("pynvml")
    calls: list[str] = []
    nvml.__dict__.update(
        nvmlInit=lambda: calls.append("init"),
        nvmlShutdown=lambda: calls.append("shutdown"),
        nvmlSystemGetDriverVersion=lambda: "550.1",
        nvmlDeviceGetCount=lambda: 2,
        nvmlDeviceGetHandleByIndex=lambda number: number,
        nvmlDeviceGetName=lambda handle: b"NVIDIA A100" if handle == 0 else "NVIDIA H100",
        nvmlDeviceGetMemoryInfo=lambda handle: SimpleNamespace(total=80 << 30),
    )
    monkeypatch.setitem(sys.modules, "pynvml", nvml)
    assert gathering.devices() == [
        {"name": "NVIDIA A100", "memory_bytes": 80 << 30, "driver": "550.1"},
        {"name": "NVIDIA H100", "memory_bytes": 80 << 30, "driver": "550.1"},
    ]
    assert calls == ["init", "shutdown"]


@pytest.mark.usefixtures("no_nvml")
def test_torch_is_asked_only_when_it_uses_its_devices_already(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_initialized = False
    torch = SimpleNamespace(
        cuda=SimpleNamespace(
            is_initialized=lambda: is_initialized,
            device_count=lambda: 1,
            get_device_properties=lambda number: SimpleNamespace(name="GPU", total_memory=8),
        )
    )
    monkeypatch.setitem(sys.modules, "torch", torch)
    assert gathering.devices(str(tmp_path)) == []
    is_initialized = True
    assert gathering.devices(str(tmp_path)) == [{"name": "GPU", "memory_bytes": 8}]


@pytest.mark.usefixtures("no_nvml")
def test_the_driver_lists_its_devices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    for bus in ("0000:41:00.0", "0000:01:00.0"):
        directory = tmp_path / "driver" / "nvidia" / "gpus" / bus
        directory.mkdir(parents=True)
        (directory / "information").write_text(f"Model: \t\t NVIDIA {bus[5:7]}\nIRQ:   \t\t 42\n", "utf-8")
    assert gathering.devices(str(tmp_path)) == [{"name": "NVIDIA 01"}, {"name": "NVIDIA 41"}]


@pytest.mark.usefixtures("no_nvml")
def test_a_machine_without_devices_has_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    assert gathering.devices(str(tmp_path)) == []
