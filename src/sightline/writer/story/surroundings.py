"""What surrounds a run when it starts: command line, versions, code, machine, devices, environment.

Pure gathering, for ``story``. Every part stands alone: one that fails is left out, and none is larger than a
page or two. Nothing is started that was not running (no CUDA, no framework), and nothing is taken that smells
of a secret.
"""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from sightline.writer.engine.background import forks_wait
from sightline.writer.story.git_state import git_state
from sightline.writer.story.redaction import is_secret, redacted_command, redacted_text

MOST_ARGUMENTS = 500
MOST_PACKAGES = 1500
MOST_VARIABLES = 200
MOST_DEVICES = 64
LONGEST_TEXT = 1000

# By name, or by how the name begins: what decides where and how a job runs. Everything else stays private.
_ENVIRONMENT_NAMES = frozenset(
    {
        *("RANK", "LOCAL_RANK", "WORLD_SIZE", "LOCAL_WORLD_SIZE", "GROUP_RANK", "ROLE_RANK", "NODE_RANK"),
        *("MASTER_ADDR", "MASTER_PORT", "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER", "CUDA_LAUNCH_BLOCKING"),
        *("CUBLAS_WORKSPACE_CONFIG", "HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "TPU_NAME"),
        *("PYTHONHASHSEED", "CONDA_DEFAULT_ENV", "VIRTUAL_ENV", "PBS_JOBID", "LSB_JOBID", "JOB_ID"),
        *("NVIDIA_VISIBLE_DEVICES", "NVIDIA_DRIVER_CAPABILITIES", "TF_CONFIG", "TF_USE_LEGACY_KERAS"),
    }
)
_ENVIRONMENT_PREFIXES = (
    *("SLURM_", "NCCL_", "GLOO_", "OMP_", "MKL_", "KMP_", "XLA_", "JAX_", "TORCH", "PYTORCH_"),
    *("ACCELERATE_", "OMPI_COMM_WORLD_", "PMI_"),
    # TensorFlow's, but not Terraform's, whose TF_VAR_… are as private as can be.
    *("TF_CPP_", "TF_CUDNN_", "TF_DETERMINISTIC_", "TF_DISABLE_", "TF_ENABLE_", "TF_FORCE_"),
    *("TF_GPU_", "TF_NUM_", "TF_XLA_"),
)
_PERSONAL = ("USER", "UID", "ACCOUNT", "EMAIL")

Facts = dict[str, object]


class Launch(NamedTuple):
    """The moment a run starts: what a program may change later, and so must be asked at once. Cheap."""

    arguments: Sequence[str]
    """The command line, with the interpreter."""
    directory: str
    """The current one; empty when it was removed."""
    pid: int
    wall_time: float
    script: str = ""
    """Absolute; empty in a notebook."""
    id: str = ""
    """Of the run's story, the same at its end."""
    moment_s: float = 0.0
    """On the clock that nobody sets."""

    @classmethod
    def now(cls) -> Launch:
        directory = ""
        with suppress(OSError):
            directory = os.getcwd()
        return cls(
            list(sys.orig_argv),
            directory,
            os.getpid(),
            time.time(),
            _script(),
            os.urandom(8).hex(),
            time.monotonic(),
        )

    def code_directories(self) -> list[str]:
        """Where the code of the run may lie, the likelier place first."""
        places = [os.path.dirname(self.script) if self.script else "", self.directory]
        return [place for place in dict.fromkeys(places) if place]


def _script() -> str:
    main_file = getattr(sys.modules.get("__main__"), "__file__", None)
    if not isinstance(main_file, str) or not os.path.isfile(main_file):  # a notebook, or `python -`
        return ""
    return os.path.abspath(main_file)


def surroundings(launch: Launch) -> Facts:
    """All that is known; a part that cannot be had is not in it."""
    parts: dict[str, Callable[[], object]] = {
        "command": lambda: command_line(launch.arguments),
        "cwd": lambda: launch.directory,
        "script": lambda: launch.script,
        "python": python,
        "git": lambda: code_state(launch),
        "host": host,
        "devices": devices,
        "environment": lambda: environment(os.environ),
        "packages": lambda: packages(sys.path),
    }
    found: Facts = {}
    for name, gather in parts.items():
        with suppress(Exception):  # whatever it is, it is no reason to disturb training
            value = gather()
            if value:
                found[name] = value
    return found


# ── the program ─────────────────────────────────────────────────────────────────────────────────────────


def command_line(arguments: Sequence[str]) -> list[str]:
    shown = [_bounded(argument) for argument in redacted_command(arguments[:MOST_ARGUMENTS])]
    rest = len(arguments) - len(shown)
    return [*shown, f"… and {rest} more"] if rest else shown


def python() -> Facts:
    version = sys.version.split()[0]
    return {"version": version, "implementation": sys.implementation.name, "executable": sys.executable}


def packages(module_path: Iterable[str]) -> dict[str, str]:
    """Version by name of everything installed, as the names of the metadata directories tell it.

    ``importlib.metadata`` says the same a hundred times slower, because it reads a file for each.
    """
    found: dict[str, str] = {}
    for directory in module_path:
        try:
            names = os.listdir(directory or ".")
        except OSError:  # zip files, and what no longer exists
            continue
        for name in names:
            stem, _, ending = name.rpartition(".")
            package, _, version = stem.partition("-")
            if ending in ("dist-info", "egg-info") and version:
                # What comes first on the path is what is imported. An egg's name goes on: name-version-py3.11
                found.setdefault(re.sub(r"[-_.]+", "-", package).lower(), version.split("-")[0][:100])
    return dict(sorted(found.items())[:MOST_PACKAGES])


def code_state(launch: Launch) -> Facts | None:
    """Of the script's repository; of the current directory's when the script is in none: an installed one."""
    for directory in launch.code_directories():
        state = git_state(directory)
        if state is not None:
            return state
    return None


def environment(variables: Mapping[str, str]) -> dict[str, str]:
    listed = filter(_is_public, sorted(variables))
    shown = [name for name in listed if not is_secret(name, variables[name])]
    return {name: _bounded(redacted_text(variables[name])) for name in shown[:MOST_VARIABLES]}


def _is_public(name: str) -> bool:
    is_listed = name in _ENVIRONMENT_NAMES or name.startswith(_ENVIRONMENT_PREFIXES)
    return is_listed and not any(word in name for word in _PERSONAL)


# ── the machine ─────────────────────────────────────────────────────────────────────────────────────────


def host(proc: str = "/proc") -> Facts:
    system = os.uname()
    facts: Facts = {
        "name": system.nodename,
        "os": f"{system.sysname} {system.release}",
        "machine": system.machine,
    }
    with suppress(OSError):
        distribution = _first_field("/etc/os-release", "PRETTY_NAME", separator="=").strip("\"'")
        facts["os"] = f"{distribution} ({facts['os']})" if distribution else facts["os"]
    with suppress(OSError):
        facts["cpu"] = _first_field(f"{proc}/cpuinfo", "model name")
    facts["cpu_count"] = os.cpu_count()
    with suppress(AttributeError, OSError):  # not every system can say it
        facts["usable_cpu_count"] = len(os.sched_getaffinity(0))
    with suppress(ValueError, OSError):
        facts["memory_bytes"] = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    # Where the process number counts: a reader with the same two can ask whether the process is still there.
    with (
        suppress(OSError),
        open(f"{proc}/sys/kernel/random/boot_id", encoding="ascii", errors="replace") as file,
    ):
        facts["boot_id"] = file.read(LONGEST_TEXT).strip()
    with suppress(OSError):
        facts["pid_namespace"] = os.stat(f"{proc}/self/ns/pid").st_ino
    return {name: value for name, value in facts.items() if value}


def devices(proc: str = "/proc") -> list[Facts]:
    """GPUs: as NVML knows them, else as torch does if it uses them already, else as the driver lists them."""
    for gather in (_nvml_devices, _torch_devices, lambda: _driver_devices(proc)):
        with suppress(Exception):
            found = gather()
            if found:
                return found[:MOST_DEVICES]
    return []


def _nvml_devices() -> list[Facts]:
    with forks_wait():
        import pynvml

    pynvml.nvmlInit()
    try:
        driver = _text(pynvml.nvmlSystemGetDriverVersion())
        found: list[Facts] = []
        for number in range(min(MOST_DEVICES, pynvml.nvmlDeviceGetCount())):
            handle = pynvml.nvmlDeviceGetHandleByIndex(number)
            name = _text(pynvml.nvmlDeviceGetName(handle))
            memory_bytes = int(pynvml.nvmlDeviceGetMemoryInfo(handle).total)
            found.append({"name": name, "memory_bytes": memory_bytes, "driver": driver})
        return found
    finally:
        pynvml.nvmlShutdown()


def _torch_devices() -> list[Facts]:
    torch = sys.modules.get("torch")
    # Asking starts CUDA; only a program that has done so may be asked.
    if torch is None or not torch.cuda.is_initialized():
        return []
    properties = [torch.cuda.get_device_properties(number) for number in range(torch.cuda.device_count())]
    return [{"name": str(one.name), "memory_bytes": int(one.total_memory)} for one in properties]


def _driver_devices(proc: str) -> list[Facts]:
    directory = f"{proc}/driver/nvidia/gpus"
    names = [_first_field(f"{directory}/{bus}/information", "Model") for bus in sorted(os.listdir(directory))]
    return [{"name": name} for name in names if name]


def _first_field(path: str, name: str, *, separator: str = ":") -> str:
    """The value of the first ``name : value`` line of a file; "" without one."""
    with open(path, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            key, _, value = line.partition(separator)
            if key.strip() == name:
                return value.strip()[:LONGEST_TEXT]
    return ""


def _text(value: object) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _bounded(text: str) -> str:
    return text if len(text) <= LONGEST_TEXT else f"{text[:LONGEST_TEXT]}… ({len(text):,} characters)"
